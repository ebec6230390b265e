//! α, the number of scores a leaf can have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many scores a leaf can have: 1..α, or a continuum, the limit α → ∞. In JSON it is a number, or null for
/// continuous scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "Option<u32>", into = "Option<u32>")]
pub struct Alpha(Option<u32>);

impl Alpha {
    /// Continuous scores: two leaves never have the same score.
    pub const CONTINUOUS: Alpha = Alpha(None);

    /// Scores 1..`scores`.
    pub fn finite(scores: u32) -> Result<Alpha, ParseAlphaError> {
        match scores {
            0 => Err(ParseAlphaError::Zero),
            _ => Ok(Alpha(Some(scores))),
        }
    }

    /// α, or `None` if the scores are continuous.
    pub fn scores(self) -> Option<u32> {
        self.0
    }
}

/// Returned when a text is not an α.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseAlphaError {
    /// There must be at least one score.
    #[error("alpha is the number of scores a leaf can have: it must be at least 1")]
    Zero,
    /// Not a number.
    #[error("'{0}' is not an alpha: write a whole number from 1 to {max}, or continuous", max = u32::MAX)]
    NotANumber(String),
}

impl FromStr for Alpha {
    type Err = ParseAlphaError;

    fn from_str(text: &str) -> Result<Alpha, ParseAlphaError> {
        match text.parse() {
            Ok(scores) => Alpha::finite(scores),
            Err(_) if text == "continuous" => Ok(Alpha::CONTINUOUS),
            Err(_) => Err(ParseAlphaError::NotANumber(text.to_owned())),
        }
    }
}

impl fmt::Display for Alpha {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(scores) => write!(f, "{scores}"),
            None => f.write_str("continuous"),
        }
    }
}

impl TryFrom<Option<u32>> for Alpha {
    type Error = ParseAlphaError;

    fn try_from(scores: Option<u32>) -> Result<Alpha, ParseAlphaError> {
        scores.map_or(Ok(Alpha::CONTINUOUS), Alpha::finite)
    }
}

impl From<Alpha> for Option<u32> {
    fn from(alpha: Alpha) -> Option<u32> {
        alpha.0
    }
}
