//! An engine's score of a move.

use std::{fmt, str::FromStr};

use errare_core::{Fault, FaultKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The score of a move from the mover's view.
///
/// In text and JSON, centipawns are a number, and mates are `M3` (the mover mates in three moves)
/// or `M-2` (the mover is mated in two).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate, never 0; negative if the mover is mated.
    Mate(i32),
}

/// Returned when a text is not a score.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a score; write centipawns as 35 and mates as M3 or M-2")]
pub struct ScoreError(String);

impl Fault for ScoreError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl Score {
    /// The value of a mate in pawns, far beyond any cap that a model puts on evaluations.
    pub const MATE_IN_PAWNS: f64 = 100.0;

    /// The score in pawns; a mate counts as [`Score::MATE_IN_PAWNS`] for the side that mates.
    ///
    /// ```
    /// use errare_engine::Score;
    ///
    /// assert_eq!(Score::Centipawns(-35).pawns(), -0.35);
    /// assert_eq!(Score::Mate(-2).pawns(), -100.0);
    /// ```
    #[must_use]
    pub fn pawns(self) -> f64 {
        match self {
            Score::Centipawns(hundredths) => f64::from(hundredths) / 100.0,
            Score::Mate(moves) => Self::MATE_IN_PAWNS.copysign(f64::from(moves)),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(hundredths) => write!(f, "{hundredths}"),
            Score::Mate(moves) => write!(f, "M{moves}"),
        }
    }
}

/// A number, or a string such as `M3`.
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Score {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
        OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Integer))
            .item(ObjectBuilder::new().schema_type(Type::String))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Score {}

impl FromStr for Score {
    type Err = ScoreError;

    fn from_str(text: &str) -> Result<Score, ScoreError> {
        let error = || ScoreError(text.to_owned());
        let number = |text: &str| text.parse().map_err(|_| error());
        match text.strip_prefix('M') {
            None => Ok(Score::Centipawns(number(text)?)),
            Some(moves) => match number(moves)? {
                0 => Err(error()),
                moves => Ok(Score::Mate(moves)),
            },
        }
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Score::Centipawns(hundredths) => serializer.serialize_i32(*hundredths),
            Score::Mate(_) => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Raw {
            Number(i32),
            Text(String),
        }
        match Raw::deserialize(deserializer)? {
            Raw::Number(hundredths) => Ok(Score::Centipawns(hundredths)),
            Raw::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for score in [-120, 0, 35].map(Score::Centipawns) {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        for score in [-2, 1, 30].map(Score::Mate) {
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        for text in ["", "M", "M0", "+", "3.5", "mate 3", "99999999999"] {
            assert!(text.parse::<Score>().is_err(), "{text}");
        }
    }
}
