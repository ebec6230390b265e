//! Depths seen from a move earlier.

use errare_core::{Metric, Outcome, Plies};

/// The outcome for the side that makes a move, from that of the position after it. `ends_phase`
/// says whether the move is one that the metric is the distance to, besides mate.
///
/// In DTR a move counts as the position that it leads to, which is exact if it ends the phase.
pub(crate) fn before(after: Outcome, metric: Metric, ends_phase: bool) -> Outcome {
    let depth = |Plies(plies)| match metric {
        Metric::Dtr => Plies(plies.max(1)),
        Metric::Dtc | Metric::Dtz if ends_phase => Plies(1),
        Metric::Dtm | Metric::Dtc | Metric::Dtz => Plies(plies + 1),
    };
    match after {
        Outcome::Win(plies) => Outcome::Loss(depth(plies)),
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss(plies) => Outcome::Win(depth(plies)),
    }
}
