//! Lists the directory of tables.

use errare_core::{Material, Plies, with_causes};
use errare_tables::{Description, FileError, Layer, ListedTable};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{Error, Service};

/// The files, fewest men first, then by name and metric.
pub type Answer = Vec<TableEntry>;

/// A table file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableEntry {
    /// The endgame.
    pub endgame: Material,
    /// The metric, or `dtz50`.
    pub metric: Layer,
    /// Its path.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What is wrong with it.
    pub damage: Option<String>,
    /// Its state.
    pub state: TableState,
    /// Its description of itself, if it can be read.
    #[serde(flatten)]
    pub content: Option<Content>,
}

/// The state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    /// Usable, as far as its directory tells.
    Good,
    /// The system cannot read it.
    Unreadable,
    /// Written by a newer version.
    Newer,
    /// Damaged.
    Damaged,
}

/// A file's description of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Content {
    /// The program that made it.
    pub producer: String,
    /// The number of stored positions, for both sides to move.
    pub positions: u64,
    /// White to move.
    pub white: DeepestPlies,
    /// Black to move.
    pub black: DeepestPlies,
}

/// The greatest depths, in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DeepestPlies {
    /// Wins of the side to move.
    pub deepest_win: Option<Plies>,
    /// Losses of the side to move.
    pub deepest_loss: Option<Plies>,
}

/// Lists the files.
pub fn answer(service: &Service) -> Result<Answer, Error> {
    let listed = service.tables.store().list()?;
    Ok(listed.iter().map(TableEntry::from).collect())
}

impl From<&ListedTable> for TableEntry {
    fn from(listed: &ListedTable) -> TableEntry {
        let description = listed.description.as_ref();
        TableEntry {
            endgame: listed.material,
            metric: listed.layer,
            path: listed.path.display().to_string(),
            bytes: listed.bytes,
            damage: description.err().map(|error| with_causes(error)),
            state: description.map_or_else(TableState::from, |_| TableState::Good),
            content: description.ok().map(Content::from),
        }
    }
}

impl From<&Description> for Content {
    fn from(table: &Description) -> Content {
        let deepest = |turn| DeepestPlies {
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

impl From<&FileError> for TableState {
    fn from(error: &FileError) -> TableState {
        match error {
            FileError::Read { .. } => TableState::Unreadable,
            FileError::Newer { .. } => TableState::Newer,
            _ => TableState::Damaged,
        }
    }
}
