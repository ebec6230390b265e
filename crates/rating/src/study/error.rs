//! What can go wrong with a study.

use std::path::PathBuf;

use errare_engine::BlobError;

/// Why a study could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is no such file.
    #[error("there is no study {}", .0.display())]
    Missing(PathBuf),
    /// The file cannot be opened, or is no database.
    #[error("cannot open the study {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The file is a database of something else.
    #[error("{} is an SQLite file, but not a study", .0.display())]
    NotAStudy(PathBuf),
    /// The file comes from another version of Errare.
    #[error(
        "{} is a study of version {version}, which this version of Errare cannot read; \
         evaluate into a new file",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i32,
    },
    /// The file that shows who works on the study.
    #[error("cannot make or lock {}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database fails.
    #[error("the study fails")]
    Sql(#[from] rusqlite::Error),
    /// Something in the study is damaged.
    #[error("the study's evaluation of {fen}")]
    Evaluation {
        /// The position.
        fen: String,
        /// What is wrong.
        source: BlobError,
    },
    /// An evaluation that is to be kept does not rank exactly the legal moves.
    #[error("the evaluation of {0} does not rank exactly its legal moves")]
    OtherMoves(String),
    /// Something in the study is damaged.
    #[error("the study is damaged: {0}")]
    Damaged(String),
    /// Nothing was evaluated.
    #[error("no turn of this study has been evaluated yet")]
    NoEvaluations,
    /// No such engine.
    #[error("no engine in this study is called {wanted:?}; there are: {known}")]
    NoSuchEngine {
        /// What was asked for.
        wanted: String,
        /// Those there are.
        known: String,
    },
    /// Several engines.
    #[error("this study has evaluations of several engines, name one of: {0}")]
    SeveralEngines(String),
    /// No evaluation is deep enough.
    #[error("{engine} was not run to depth {depth} in this study, only to {deepest}")]
    TooShallow {
        /// The engine.
        engine: String,
        /// The depth asked for.
        depth: u8,
        /// The greatest there is.
        deepest: u8,
    },
}
