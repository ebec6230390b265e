//! Endgame tables.

mod file;
mod generate;
mod geometry;
mod layer;
mod layout;
mod store;
mod value;

pub use file::{
    BlockCache, Description, FileError, Part, Side, Source, TableFile, TableWriter, WriteError,
    Written,
};
pub use layer::Layer;
pub use layout::{Layout, LayoutError, MAX_MEN, Placement};
pub use store::{BuildLock, Listed, Store, StoreError};
pub use value::Value;
