//! The depths of a position in every layer, and what a zeroing move does to them.

use std::array;

use errare_core::{Metric, Outcome, Plies};
use errare_tables::Layer;
use shakmaty::Move;

/// The 50-move rule, in plies.
pub(crate) const FIFTY_MOVES: Plies = Plies(100);
/// A rule that spoils nothing.
pub(crate) const NO_RULE: Plies = Plies(u16::MAX);

/// The outcome of a position, or of an option, in each layer of [`Layer::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Depths(pub(crate) [Outcome; Layer::ALL.len()]);

impl Depths {
    /// A draw.
    pub(crate) const DRAW: Depths = Depths([Outcome::Draw; Layer::ALL.len()]);
    /// Checkmate.
    pub(crate) const MATE: Depths = Depths([Outcome::Loss(Plies(0)); Layer::ALL.len()]);

    /// The outcome of each layer.
    pub(crate) fn new(outcome: impl FnMut(Layer) -> Outcome) -> Depths {
        Depths(Layer::ALL.map(outcome))
    }

    /// The outcome in a layer.
    pub(crate) fn outcome(self, layer: impl Into<Layer>) -> Outcome {
        let layer = layer.into();
        let index = Layer::ALL.iter().position(|&other| other == layer);
        self.0[index.expect("there are no other layers")]
    }

    /// The better of two options in each layer.
    pub(crate) fn best(self, other: Depths) -> Depths {
        Depths(array::from_fn(|layer| {
            let (one, other) = (self.0[layer], other.0[layer]);
            if one.preference() >= other.preference() {
                one
            } else {
                other
            }
        }))
    }

    /// The worth of a zeroing move to a position of these depths.
    ///
    /// Under a rule of *k* plies such a move wins if there is time to make it, *k* >= 1, and the
    /// position it leads to is lost under the same rule with the count restarted, *k* >= dr: so its
    /// own dr is max(1, dr). The same goes for a losing move.
    pub(crate) fn before_zeroing(self, m: Move) -> Depths {
        let dtr = reversed(self.outcome(Metric::Dtr), |plies| plies.max(Plies(1)));
        Depths::new(|layer| match layer {
            Layer::Metric(Metric::Dtc) if m.is_conversion() => under_rule(dtr, NO_RULE),
            Layer::Metric(Metric::Dtc | Metric::Dtm) => one_ply_before(self.outcome(layer)),
            Layer::Metric(Metric::Dtz) => under_rule(dtr, NO_RULE),
            Layer::Metric(Metric::Dtr) => dtr,
            Layer::Dtz50 => under_rule(dtr, FIFTY_MOVES),
        })
    }
}

/// The DTZ of an exit (see [`super::recurrence`]) of this DTR under a rule of this many plies: one
/// ply, or none if it is mate. A win that the rule spoils is a draw.
pub(crate) fn under_rule(dtr: Outcome, rule: Plies) -> Outcome {
    if dtr.plies() <= Some(rule) {
        with_plies(dtr, |plies| plies.min(Plies(1)))
    } else {
        Outcome::Draw
    }
}

/// The worth of a quiet move: that of the position it leads to, from the other side and one ply
/// deeper.
pub(crate) fn one_ply_before(outcome: Outcome) -> Outcome {
    reversed(outcome, |Plies(plies)| Plies(plies + 1))
}

/// The outcome for the other side, with its depth changed.
fn reversed(outcome: Outcome, change: impl Fn(Plies) -> Plies) -> Outcome {
    match with_plies(outcome, change) {
        Outcome::Win(plies) => Outcome::Loss(plies),
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss(plies) => Outcome::Win(plies),
    }
}

/// The same outcome with its depth changed.
pub(crate) fn with_plies(outcome: Outcome, change: impl Fn(Plies) -> Plies) -> Outcome {
    match outcome {
        Outcome::Win(plies) => Outcome::Win(change(plies)),
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss(plies) => Outcome::Loss(change(plies)),
    }
}
