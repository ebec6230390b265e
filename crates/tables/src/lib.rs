//! Endgame tables.

mod build;
mod file;
mod generate;
mod geometry;
mod layer;
mod layout;
mod probe;
mod store;
mod value;

pub use build::{BuildError, Observer, Progress, Report, Task, Usage, build, memory_needed, plan};
pub use file::{
    BlockCache, Description, FileError, Part, Side, Source, TableFile, TableWriter, WriteError,
    Written,
};
pub use layer::Layer;
pub use layout::{Layout, LayoutError, MAX_MEN, Placement};
pub use probe::{ProbeError, Prober};
pub use store::{BuildLock, Listed, Store, StoreError};
pub use value::Value;
