//! The player's opponent.

use std::{fmt, str::FromStr};

use errare_core::Competence;
use errare_endgame::Resistance;
use serde::{Deserialize, Serialize};

/// The opponent: R_c on average over the endgame, or a player whose policy is followed position by position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Opponent))]
#[serde(untagged)]
pub enum PredictOpponent {
    /// A competence, as a number or `inf`.
    Competence(Competence),
    /// `hunter`, `best`, `predator` or `predator:plies=4`.
    Resistance(Resistance),
}

impl PredictOpponent {
    /// The infallible opponent.
    pub const INFALLIBLE: PredictOpponent = PredictOpponent::Competence(Competence::INFALLIBLE);

    /// Its name: `R_20`, `hunter`.
    pub fn words(&self) -> String {
        match self {
            PredictOpponent::Competence(competence) => format!("R_{competence}"),
            PredictOpponent::Resistance(resistance) => resistance.to_string(),
        }
    }
}

impl fmt::Display for PredictOpponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredictOpponent::Competence(competence) => competence.fmt(f),
            PredictOpponent::Resistance(resistance) => resistance.fmt(f),
        }
    }
}

/// Returned when a name is not an opponent's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not one of rep:c=10, 10, hunter, best, predator and predator:plies=4, of which the last four know the player's c"
)]
pub struct ParsePredictOpponentError(String);

impl FromStr for PredictOpponent {
    type Err = ParsePredictOpponentError;

    fn from_str(text: &str) -> Result<PredictOpponent, ParsePredictOpponentError> {
        // A reference player may be given by its name or by its competence alone.
        let competence = text.strip_prefix("rep:c=").unwrap_or(text);
        match text.parse() {
            Ok(resistance) => Ok(PredictOpponent::Resistance(resistance)),
            Err(_) => competence
                .parse()
                .map(PredictOpponent::Competence)
                .map_err(|_| ParsePredictOpponentError(text.to_owned())),
        }
    }
}
