//! What is in the directory of tables.

use std::error::Error as _;

use errare_core::{Material, Plies};
use errare_tables::{Description, FileError, Layer, Listed};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{Error, Service};

/// The files, fewer men first, then by name and metric.
pub type Answer = Vec<File>;

/// A file of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = TableFile))]
pub struct File {
    /// The endgame.
    pub endgame: Material,
    /// The metric, or `dtz50`.
    pub metric: Layer,
    /// Where it is.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// What is wrong with it.
    pub damage: Option<String>,
    /// What sort of damage.
    pub state: State,
    /// What it says about itself, if it can be read.
    #[serde(flatten)]
    pub content: Option<Content>,
}

/// Whether a file can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It can, as far as its directory tells.
    Good,
    /// The system refuses to read it.
    Unreadable,
    /// A newer version wrote it.
    Newer,
    /// It is not what was written.
    Damaged,
}

/// What a file says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Content {
    /// The program that made it.
    pub producer: String,
    /// Positions that are stored, both sides to move.
    pub positions: u64,
    /// White to move.
    pub white: Deepest,
    /// Black to move.
    pub black: Deepest,
}

/// The greatest depths, in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DeepestPlies))]
pub struct Deepest {
    /// Of wins of the side to move.
    pub deepest_win: Option<Plies>,
    /// Of its losses.
    pub deepest_loss: Option<Plies>,
}

/// Lists the files.
pub fn answer(service: &Service) -> Result<Answer, Error> {
    let listed = service.tables.store().list()?;
    Ok(listed.iter().map(File::from).collect())
}

impl From<&Listed> for File {
    fn from(listed: &Listed) -> File {
        let description = listed.description.as_ref();
        File {
            endgame: listed.material,
            metric: listed.layer,
            path: listed.path.display().to_string(),
            bytes: listed.bytes,
            damage: description.err().map(with_causes),
            state: description.map_or_else(State::from, |_| State::Good),
            content: description.ok().map(Content::from),
        }
    }
}

impl From<&Description> for Content {
    fn from(table: &Description) -> Content {
        let deepest = |turn| Deepest {
            deepest_win: table.side(turn).deepest_win(),
            deepest_loss: table.side(turn).deepest_loss(),
        };
        Content {
            producer: table.producer.clone(),
            positions: 2 * table.positions,
            white: deepest(Color::White),
            black: deepest(Color::Black),
        }
    }
}

impl From<&FileError> for State {
    fn from(error: &FileError) -> State {
        match error {
            FileError::Read { .. } => State::Unreadable,
            FileError::Newer { .. } => State::Newer,
            _ => State::Damaged,
        }
    }
}

fn with_causes(error: &FileError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
