//! Families of metrics, by what their solution needs to know about moves that leave a pawn slice.

use errare_core::{Metric, Outcome, Plies};

use crate::{Layer, Value};

/// Layers that are solved together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// DTM: an exit costs the depth of the position it reaches.
    Mate,
    /// DTC: a pawn's push costs the same; a capture or promotion costs nothing.
    Conversion,
    /// DTZ alone: no exit costs anything.
    Zeroing,
    /// DTZ, DTR and DTZ50: an exit costs the DTR of the position it reaches.
    Rule,
}

/// A move that leaves the pawn slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A capture or promotion.
    Conversion,
    /// A pawn's move that neither captures nor promotes.
    Push,
}

impl Family {
    /// The layer of the subgames to read.
    pub(crate) fn layer(self) -> Layer {
        Layer::Metric(match self {
            Family::Mate => Metric::Dtm,
            Family::Conversion => Metric::Dtc,
            Family::Zeroing => Metric::Dtz,
            Family::Rule => Metric::Dtr,
        })
    }

    /// The cost of an exit to a position of this depth.
    #[inline]
    pub(crate) fn cost(self, exit: Exit, depth: u8) -> u8 {
        match (self, exit) {
            (Family::Zeroing, _) | (Family::Conversion, Exit::Conversion) => 0,
            _ => depth,
        }
    }

    /// The cost of an exit to a position of this value.
    #[inline]
    pub(crate) fn cost_of(self, exit: Exit, reached: Value) -> u8 {
        let Plies(plies) = reached
            .outcome()
            .and_then(Outcome::plies)
            .unwrap_or_default();
        self.cost(exit, plies as u8)
    }

    /// The value of a position for the side to move if it converts to a position of the given value
    /// for the other side.
    pub(crate) fn through_conversion(self, reached: Value) -> Option<Outcome> {
        let cost = u16::from(self.cost_of(Exit::Conversion, reached));
        let depth = Plies(match self {
            Family::Rule => cost.max(1),
            _ => cost + 1,
        });
        Some(match reached.outcome()? {
            Outcome::Loss(_) => Outcome::Win(depth),
            Outcome::Draw => Outcome::Draw,
            Outcome::Win(_) => Outcome::Loss(depth),
        })
    }
}
