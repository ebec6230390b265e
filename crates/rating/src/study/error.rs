//! Errors of studies.

use std::path::{Path, PathBuf};

use errare_engine::BlobError;
use rusqlite::ErrorCode;

/// Why a study is unusable.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file does not exist.
    #[error("there is no study {}", .0.display())]
    Missing(PathBuf),
    /// The file cannot be opened, or is not a database.
    #[error("cannot open the study {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The file is PGN.
    #[error("{} holds games, and is no study", .0.display())]
    Games(PathBuf),
    /// The file is a database of another kind.
    #[error("{} is an SQLite file, but not a study", .0.display())]
    NotAStudy(PathBuf),
    /// The file was written by another version of Errare.
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
    /// The file that marks a working process cannot be locked.
    #[error("cannot make or lock {}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database reported an error.
    #[error("the study fails")]
    Sql(#[from] rusqlite::Error),
    /// A stored evaluation is damaged.
    #[error("the study's evaluation of {fen}")]
    Evaluation {
        /// The position.
        fen: String,
        /// What is wrong.
        source: BlobError,
    },
    /// An evaluation to be stored does not rank exactly the legal moves.
    #[error("the evaluation of {0} does not rank exactly its legal moves")]
    OtherMoves(String),
    /// Something in the study is damaged.
    #[error("the study is damaged: {0}")]
    Damaged(String),
    /// No turn has been evaluated.
    #[error("no turn of this study has been evaluated yet")]
    NoEvaluations,
    /// No engine matches.
    #[error("no engine in this study is called {wanted:?}; there are: {known}")]
    NoSuchEngine {
        /// The engine asked for.
        wanted: String,
        /// The engines in the study.
        known: String,
    },
    /// Several engines match.
    #[error("this study has evaluations of several engines; name one of: {0}")]
    SeveralEngines(String),
    /// No evaluation is deep enough.
    #[error("{engine} was not run to depth {depth} in this study, only to {deepest}")]
    TooShallow {
        /// The engine.
        engine: String,
        /// The depth asked for.
        depth: u8,
        /// The greatest depth available.
        deepest: u8,
    },
}

impl StudyError {
    /// The error of opening a file.
    pub(super) fn opening(path: &Path, source: rusqlite::Error) -> StudyError {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) if holds_games(&path) => StudyError::Games(path),
            _ => StudyError::Open { path, source },
        }
    }
}

/// Does a file hold games in PGN, compressed or not, by its name?
fn holds_games(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_lowercase();
    let plain = [".gz", ".zst"].iter().find_map(|it| name.strip_suffix(it));
    plain.unwrap_or(&name).ends_with(".pgn")
}
