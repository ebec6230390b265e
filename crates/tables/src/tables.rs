//! A directory of tables that builds what it needs; the interface for most programs.

use std::{io, path::PathBuf};

use errare_core::{Fault, FaultKind, Material, Metric, ParsePositionError, Watch, parse_position};
use shakmaty::{Chess, Position};

use crate::{
    BuildError, Extent, Judge, JudgeError, Line, MAX_MEN, Prober, Store, StoreError, Syzygy,
    Verdict, build,
};

/// Size of the cache of decoded blocks: a few four-man tables, or the busy parts of five-man ones.
const CACHE: u64 = 256 << 20;

/// Memory limit of builds: enough for five-man tables.
const MEMORY: u64 = 3 << 30;

/// Tables that are built when first needed. Clones share open files.
///
/// ```
/// use errare_tables::Tables;
///
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let verdict = Tables::open(directory)?.probe("8/8/8/4k3/8/8/8/KQ6 w - - 0 1")?;
/// assert_eq!(verdict.moves[0].san.to_string(), "Kb2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tables {
    judge: Judge,
    store: Store,
    metric: Metric,
    /// `None` if missing tables are not built.
    memory: Option<u64>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The text is not a position.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// A table could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The tables gave no answer.
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

impl Fault for TablesError {
    fn kind(&self) -> FaultKind {
        match self {
            TablesError::Position(error) => error.kind(),
            TablesError::Build(error) => error.kind(),
            TablesError::Judge(error) => error.kind(),
        }
    }
}

impl Tables {
    /// Opens the tables in a directory, which is created when the first one is built. Moves are compared in DTC,
    /// and missing tables are built with at most 3 GiB of memory.
    pub fn open(directory: impl Into<PathBuf>) -> Result<Tables, StoreError> {
        let path = directory.into();
        if path.exists() && !path.is_dir() {
            let source = io::ErrorKind::NotADirectory.into();
            return Err(StoreError::Directory { path, source });
        }
        Ok(Tables::new(Store::open(path, CACHE)))
    }

    /// The tables of a store, with its cache.
    pub fn new(store: Store) -> Tables {
        Tables {
            judge: Judge::new(Prober::new(store.clone()), None),
            store,
            metric: Metric::Dtc,
            memory: Some(MEMORY),
        }
    }

    /// Compares moves in this metric.
    #[must_use]
    pub fn in_metric(self, metric: Metric) -> Tables {
        Tables { metric, ..self }
    }

    /// Builds with at most this many bytes of memory.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Tables {
        Tables {
            memory: Some(bytes),
            ..self
        }
    }

    /// Treats missing tables as an error instead of building them.
    #[must_use]
    pub fn without_building(self) -> Tables {
        Tables {
            memory: None,
            ..self
        }
    }

    /// Uses Syzygy tables for positions of more than five men.
    #[must_use]
    pub fn with_syzygy(self, syzygy: Syzygy) -> Tables {
        Tables {
            judge: Judge::new(Prober::new(self.store.clone()), Some(syzygy)),
            ..self
        }
    }

    /// The verdict on a position and on all its moves, best first.
    pub fn probe(&self, fen: &str) -> Result<Verdict, TablesError> {
        self.verdict(&parse_position(fen)?, &())
    }

    /// Like [`Tables::probe`] for a parsed position, watched.
    pub fn verdict(&self, position: &Chess, watch: &dyn Watch) -> Result<Verdict, TablesError> {
        self.provide(position, watch)?;
        Ok(self.judge.verdict(position, self.metric, watch)?)
    }

    /// A line of best play to mate.
    ///
    /// ```
    /// use errare_tables::Tables;
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let directory = directory.path();
    /// let line = Tables::open(directory)?.line("7k/8/6K1/8/8/8/8/R7 w - - 0 1")?;
    /// assert_eq!(line.mainline[0].san.to_string(), "Ra8#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn line(&self, fen: &str) -> Result<Line, TablesError> {
        let position = parse_position(fen)?;
        self.provide(&position, &())?;
        let line = self.judge.line(&position, self.metric, Extent::Mate, &());
        Ok(line?)
    }

    /// Builds the tables that a position needs.
    fn provide(&self, position: &Chess, watch: &dyn Watch) -> Result<(), BuildError> {
        let (endgame, _) = Material::of(position.board());
        let has_tables = (3..=MAX_MEN).contains(&endgame.men()) && position.castles().is_empty();
        if let (Some(memory), true) = (self.memory, has_tables) {
            build(&self.store, &[endgame], &Metric::ALL, memory, watch)?;
        }
        Ok(())
    }
}
