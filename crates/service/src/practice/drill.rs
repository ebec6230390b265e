//! Named drills: classic positions with a sentence of instruction and a goal each.
//!
//! They are data, `data/drills.json`; what it says of them is held against the tables by a test.

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
    /// The name by which it is asked for.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The position.
    pub fen: String,
    /// The person's side.
    pub side: Colour,
    /// What the person is to do.
    pub task: Task,
    /// How it is done, in a sentence.
    pub instruction: String,
    /// When it is done.
    pub goal: String,
    /// After so many moves a drawn position counts as held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_moves: Option<u16>,
}

static DRILLS: LazyLock<Vec<Drill>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/drills.json"))
        .expect("the drills are well formed")
});

/// All drills, in the order in which they are shown.
pub fn drills() -> &'static [Drill] {
    &DRILLS
}

impl Drill {
    /// The drill of a name.
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

    /// The endgame on its board.
    pub fn endgame(&self) -> Material {
        let position = parse_position(&self.fen).expect("the drills are positions");
        Material::of(position.board()).0
    }
}
