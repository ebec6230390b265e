//! Elo ratings.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Fault, FaultKind};

/// A rating on the Elo scale. Values below [`Elo::LEAST`] are not ratings: many files write 0 for an
/// unrated player.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "f64", into = "f64")]
pub struct Elo(f64);

impl Elo {
    /// The lowest meaningful rating.
    pub const LEAST: f64 = 100.0;
    /// The highest rating accepted, far above any player or engine.
    pub const MOST: f64 = 5_000.0;

    /// Returns `None` if the rating is out of range.
    ///
    /// ```
    /// use errare_core::Elo;
    ///
    /// assert_eq!(Elo::new(1800.0).map(Elo::get), Some(1800.0));
    /// assert_eq!(Elo::new(0.0), None, "many files write 0 for an unrated player");
    /// ```
    pub fn new(rating: f64) -> Option<Elo> {
        (Elo::LEAST..=Elo::MOST)
            .contains(&rating)
            .then_some(Elo(rating))
    }

    /// The rating as a number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// Returned when a text or number is not a rating.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an Elo rating is a number from 100 to 5000, not {0:?}")]
pub struct ParseEloError(String);

impl Fault for ParseEloError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl TryFrom<f64> for Elo {
    type Error = ParseEloError;

    fn try_from(rating: f64) -> Result<Elo, ParseEloError> {
        Elo::new(rating).ok_or_else(|| ParseEloError(rating.to_string()))
    }
}

impl From<Elo> for f64 {
    fn from(elo: Elo) -> f64 {
        elo.0
    }
}

impl FromStr for Elo {
    type Err = ParseEloError;

    fn from_str(text: &str) -> Result<Elo, ParseEloError> {
        let rating = text.trim().parse().ok().and_then(Elo::new);
        rating.ok_or_else(|| ParseEloError(text.to_owned()))
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
