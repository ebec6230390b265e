//! Endgame tables: who wins a position of up to five men, in how many moves, and what every move is worth.
//!
//! ```
//! use errare_tables::{Category, Tables};
//!
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! let tables = Tables::open(directory)?;
//! let verdict = tables.probe("8/8/8/8/4k3/8/8/KR6 w - - 0 1")?;
//! assert_eq!(verdict.position.category, Category::Win);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The key decision is to generate tables instead of shipping them: no download, four metrics (DTM, DTC, DTZ and DTR, the
//! depth by the rule of Haworth 2001) instead of one, and an exact answer for any halfmove clock. KQKR takes seconds, a
//! five-man endgame some minutes. The price is that tables end at five men; beyond that, [`Syzygy`] tables can be used.
//!
//! [`Tables`] is what most programs want. Below it, [`Store`] is the directory of files, [`Plan`] and [`build`] build
//! missing tables, [`Prober`] looks up one outcome, [`Judge`] compares the moves of a position, [`Scan`] and [`Census`]
//! go through a whole table, [`statistics`] summarises it, and [`Check`] verifies it with another move generator. Long
//! work takes a [`Watch`](errare_core::Watch).
//!
//! Positions are those of [`shakmaty`], which is re-exported.

mod backup;
mod build;
mod census;
mod fault;
mod file;
mod generate;
mod geometry;
mod layer;
mod layout;
mod line;
mod probe;
mod scan;
mod stats;
mod store;
mod syzygy;
mod tables;
mod value;
mod verdict;
mod verify;

pub use build::{BuildError, BuildReport, BuildTask, Damaged, Plan, Usage, build};
pub use census::{Census, CensusEntry, CensusStep, Destination, Successor};
pub use errare_core::{ParsePositionError, parse_position};
pub use file::{
    BlockCache, ByteSource, Description, FileError, Part, Side, TableFile, TableWriter, WriteError,
};
pub use geometry::Symmetry;
pub use layer::Layer;
pub use layout::{Layout, LayoutError, MAX_MEN};
pub use line::{Extent, Line};
pub use probe::{ProbeError, Prober};
pub use scan::{Scan, ScanError};
pub use shakmaty;
pub use stats::{Deepest, SideStatistics, Statistics, UniqueStatistics, statistics};
pub use store::{BuildLock, ListedTable, Store, StoreError};
pub use syzygy::{Syzygy, SyzygyError};
pub use tables::{Tables, TablesError};
pub use value::Value;
pub use verdict::{
    Assessment, Authority, Category, Depths, Judge, JudgeError, MoveVerdict, Verdict,
};
pub use verify::{
    Check, Expected, Method, Mismatch, Verification, VerificationSample, VerifyError,
};
