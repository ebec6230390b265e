//! The metrics in which depth is counted.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The event to which a depth is the distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// Depth to mate.
    Dtm,
    /// Depth to conversion: mate, capture or promotion.
    Dtc,
    /// Depth to a zeroing move: mate, capture or any pawn move.
    Dtz,
    /// Depth by the rule: the least *k* (in plies) such that the win stands under a *k*-ply rule
    /// (Haworth 2001).
    Dtr,
}

impl Metric {
    /// Every metric, in display order.
    pub const ALL: [Metric; 4] = [Metric::Dtm, Metric::Dtc, Metric::Dtz, Metric::Dtr];

    /// The metric's name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Dtm => "dtm",
            Metric::Dtc => "dtc",
            Metric::Dtz => "dtz",
            Metric::Dtr => "dtr",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returned when a name is not a metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a metric; the metrics are dtm, dtc, dtz and dtr")]
pub struct ParseMetricError(String);

impl FromStr for Metric {
    type Err = ParseMetricError;

    fn from_str(name: &str) -> Result<Metric, ParseMetricError> {
        Metric::ALL
            .into_iter()
            .find(|metric| metric.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| ParseMetricError(name.to_owned()))
    }
}
