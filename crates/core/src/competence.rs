//! The competence c of a reference player.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Fault, FaultKind};

/// The c of a reference player R_c: 0 plays at random, `inf` is infallible, and `-inf` always makes
/// the worst possible move.
///
/// In JSON it is a number, or the string `"inf"` or `"-inf"`, since JSON has no infinities.
///
/// ```
/// use errare_core::Competence;
///
/// let c: Competence = "20".parse()?;
/// assert_eq!(c.get(), 20.0);
/// assert!("NaN".parse::<Competence>().is_err());
/// # Ok::<(), errare_core::ParseCompetenceError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Competence(f64);

impl Competence {
    /// The largest finite c. Beyond it the weights of two depths differ by more than any number of
    /// moves could reveal.
    pub const MOST: f64 = 10_000.0;

    /// The infallible player.
    pub const INFALLIBLE: Competence = Competence(f64::INFINITY);

    /// Returns `None` for NaN and for finite values beyond [`Competence::MOST`].
    pub fn new(c: f64) -> Option<Competence> {
        (c.is_infinite() || c.abs() <= Competence::MOST).then_some(Competence(c))
    }

    /// The value of c.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// Returned when a text is not a competence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a competence is a number from -10000 to 10000, inf or -inf, not {0:?}")]
pub struct ParseCompetenceError(String);

impl Fault for ParseCompetenceError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for Competence {
    type Err = ParseCompetenceError;

    fn from_str(text: &str) -> Result<Competence, ParseCompetenceError> {
        let number = text.trim().parse().ok().and_then(Competence::new);
        number.ok_or_else(|| ParseCompetenceError(text.to_owned()))
    }
}

impl fmt::Display for Competence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Competence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            true => serializer.serialize_f64(self.0),
            false => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Competence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Competence, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(number) => Competence::new(number)
                .ok_or_else(|| de::Error::custom(ParseCompetenceError(number.to_string()))),
            Written::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}
