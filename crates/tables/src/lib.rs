//! Endgame tables.

mod backup;
mod build;
mod census;
mod file;
mod generate;
mod geometry;
mod layer;
mod layout;
mod line;
mod position;
mod probe;
mod scan;
mod stats;
mod store;
mod syzygy;
mod value;
mod verdict;
mod verify;

pub use build::{BuildError, Observer, Progress, Report, Task, Usage, build};
pub use census::{Census, CensusEntry, Destination, Step, Successor};
pub use file::{
    BlockCache, Description, FileError, Part, Side, Source, TableFile, TableWriter, WriteError,
};
pub use geometry::Symmetry;
pub use layer::Layer;
pub use layout::{Layout, LayoutError, MAX_MEN};
pub use line::{Extent, Line};
pub use position::{ParsePositionError, parse_position};
pub use probe::{ProbeError, Prober};
pub use scan::{Scan, ScanError};
pub use stats::{Deepest, SideStatistics, Statistics, UniqueStatistics, statistics};
pub use store::{BuildLock, Listed, Store, StoreError};
pub use syzygy::{Syzygy, SyzygyError};
pub use value::Value;
pub use verdict::{
    Assessment, Authority, Category, Depths, Judge, JudgeError, MoveVerdict, Verdict,
};
pub use verify::{Check, Expected, Method, Mismatch, Sample, Verification, VerifyError};
