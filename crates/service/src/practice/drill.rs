//! Named drills: classic positions, each with a sentence of instruction and a goal.
//!
//! They are data, `data/drills.json`; a test checks them against the tables.

use std::sync::LazyLock;

use errare_core::{Colour, Material, parse_position};
use serde::{Deserialize, Serialize};
use shakmaty::Position;

use super::setup::Task;
use crate::Error;

/// A classic position to practise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The position.
    pub fen: String,
    /// The person's side.
    pub side: Colour,
    /// The person's task.
    pub task: Task,
    /// The method, in a sentence.
    pub instruction: String,
    /// The goal.
    pub goal: String,
    /// The number of moves after which a drawn position counts as held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_moves: Option<u16>,
}

static DRILLS: LazyLock<Vec<Drill>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/drills.json"))
        .expect("the drills are well formed")
});

/// All drills, in display order.
pub fn drills() -> &'static [Drill] {
    &DRILLS
}

impl Drill {
    /// The drill with a name.
    pub fn named(name: &str) -> Result<&'static Drill, Error> {
        let found = drills()
            .iter()
            .find(|drill| drill.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let names: Vec<&str> = drills().iter().map(|drill| drill.name.as_str()).collect();
            Error::bad_request(format!(
                "there is no drill {name:?}; drills are {}",
                names.join(", ")
            ))
        })
    }

    /// Its endgame.
    pub fn endgame(&self) -> Material {
        let position = parse_position(&self.fen).expect("the drills are positions");
        Material::of(position.board()).0
    }
}
