//! The player's opponent.

use std::{fmt, str::FromStr};

use errare_core::{Competence, ParseCompetenceError};
use errare_endgame::Resistance;
use serde::{Deserialize, Serialize};

/// The opponent: R_c on average over the endgame, or a player whose policy is followed position by position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Opponent {
    /// A competence, as a number or `inf`.
    Competence(Competence),
    /// `hunter`, `best`, `predator` or `predator:plies=4`.
    Resistance(Resistance),
}

impl Opponent {
    /// The infallible opponent.
    pub const INFALLIBLE: Opponent = Opponent::Competence(Competence::INFALLIBLE);

    /// Its name: `R_20`, `hunter`.
    pub fn words(&self) -> String {
        match self {
            Opponent::Competence(competence) => format!("R_{competence}"),
            Opponent::Resistance(resistance) => resistance.to_string(),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Competence(competence) => competence.fmt(f),
            Opponent::Resistance(resistance) => resistance.fmt(f),
        }
    }
}

impl FromStr for Opponent {
    type Err = ParseCompetenceError;

    fn from_str(text: &str) -> Result<Opponent, ParseCompetenceError> {
        // A reference player may be given by its name or by its competence alone.
        let competence = text.strip_prefix("rep:c=").unwrap_or(text);
        match text.parse() {
            Ok(resistance) => Ok(Opponent::Resistance(resistance)),
            Err(_) => competence.parse().map(Opponent::Competence),
        }
    }
}
