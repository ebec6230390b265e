//! The value of a position as computed from its moves.

use errare_core::{Metric, Outcome, Plies};
use shakmaty::{Chess, Move, Position};

use crate::{Layer, ProbeError, Prober, Scan, backup::before, probe::after};

/// The outcomes consistent with the moves of a position: one outcome or, in DTR, a range of depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected {
    /// The outcome with the least depth.
    pub least: Outcome,
    /// The same with the greatest depth.
    pub greatest: Outcome,
}

/// One outcome.
impl From<Outcome> for Expected {
    fn from(outcome: Outcome) -> Expected {
        Expected {
            least: outcome,
            greatest: outcome,
        }
    }
}

impl Expected {
    /// Is an outcome among the expected ones?
    pub(crate) fn admits(&self, outcome: Outcome) -> bool {
        outcome.sign() == self.least.sign()
            && (self.least.plies()..=self.greatest.plies()).contains(&outcome.plies())
    }

    /// Raises the minimum depth to that of an outcome of the same kind.
    fn no_shallower_than(self, outcome: Outcome) -> Expected {
        if outcome.sign() == self.least.sign() && outcome.plies() > self.least.plies() {
            Expected {
                least: outcome,
                ..self
            }
        } else {
            self
        }
    }

    /// The better option for the side to move.
    fn better(self, other: Expected) -> Expected {
        let better = |one: Outcome, other: Outcome| {
            if one.preference() >= other.preference() {
                one
            } else {
                other
            }
        };
        Expected {
            least: better(self.least, other.least),
            greatest: better(self.greatest, other.greatest),
        }
    }
}

/// The value of a position without moves: mate or stalemate.
pub(super) fn without_moves(position: &Chess) -> Outcome {
    if position.is_check() {
        Outcome::Loss(Plies(0))
    } else {
        Outcome::Draw
    }
}

/// The expected value of a position in a layer; `scan` reads the position's own table.
pub(super) fn expected(
    prober: &Prober,
    scan: &Scan,
    position: &Chess,
    layer: Layer,
) -> Result<Expected, ProbeError> {
    let mut best: Option<Expected> = None;
    for m in position.legal_moves() {
        let option = option(prober, scan, position, m, layer)?;
        best = Some(best.map_or(option, |best| best.better(option)));
    }
    let best = best.unwrap_or_else(|| without_moves(position).into());
    match layer {
        Layer::Metric(Metric::Dtr) => {
            let dtz = prober.outcome(position, Metric::Dtz)?;
            Ok(best.no_shallower_than(dtz))
        }
        _ => Ok(best),
    }
}

/// The value of a move.
fn option(
    prober: &Prober,
    scan: &Scan,
    position: &Chess,
    m: Move,
    layer: Layer,
) -> Result<Expected, ProbeError> {
    let reached = after(position, m);
    if ends_phase(m, layer) {
        return Ok(prober.through_exit(&reached, layer)?.into());
    }
    let reached = if m.is_zeroing() {
        prober.outcome(&reached, layer)?
    } else {
        scan.table.outcome(reached.turn(), scan.index(&reached))?
    };
    // Except in DTR, a quiet move adds a ply in every layer.
    let deeper = before(reached, Metric::Dtm, false);
    Ok(Expected {
        least: match layer {
            // If a rule of k plies leaves the win standing before the move, it does so afterwards;
            // and one ply more than what is enough afterwards is enough before.
            Layer::Metric(Metric::Dtr) => before(reached, Metric::Dtr, false),
            _ => deeper,
        },
        greatest: deeper,
    })
}

/// Does the layer measure the distance to this kind of move (besides mate)?
fn ends_phase(m: Move, layer: Layer) -> bool {
    match layer {
        Layer::Metric(Metric::Dtm) => false,
        Layer::Metric(Metric::Dtc) => m.is_capture() || m.is_promotion(),
        Layer::Metric(Metric::Dtz | Metric::Dtr) | Layer::Dtz50 => m.is_zeroing(),
    }
}
