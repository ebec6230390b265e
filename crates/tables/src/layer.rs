//! The layers of an endgame's table, one file each.

use std::fmt;

use errare_core::Metric;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One array of depths over an endgame's positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Depths in a metric.
    Metric(Metric),
    /// DTZ counting only zeroing moves that keep the win under the 50-move rule: those into
    /// positions whose DTR is at most 100 plies. A position that cannot be won this way is a draw
    /// here. Stored only where it differs from DTZ.
    Dtz50,
}

impl Layer {
    /// Every layer.
    pub const ALL: [Layer; 5] = [
        Layer::Metric(Metric::Dtm),
        Layer::Metric(Metric::Dtc),
        Layer::Metric(Metric::Dtz),
        Layer::Metric(Metric::Dtr),
        Layer::Dtz50,
    ];

    /// The layer's name, as in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Metric(metric) => metric.name(),
            Layer::Dtz50 => "dtz50",
        }
    }

    /// The metric with which it is built and removed.
    pub const fn metric(self) -> Metric {
        match self {
            Layer::Metric(metric) => metric,
            Layer::Dtz50 => Metric::Dtr,
        }
    }

    /// The layer with this name.
    pub(crate) fn named(name: &str) -> Option<Layer> {
        Layer::ALL.into_iter().find(|layer| layer.name() == name)
    }
}

impl From<Metric> for Layer {
    fn from(metric: Metric) -> Layer {
        Layer::Metric(metric)
    }
}

impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Layer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Layer, D::Error> {
        let name = String::deserialize(deserializer)?;
        Layer::named(&name).ok_or_else(|| de::Error::custom(format!("there is no layer {name:?}")))
    }
}

/// Serialised as its name.
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Layer {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        String::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Layer {}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
