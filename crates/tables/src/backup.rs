//! Backs up an outcome by one move.

use errare_core::{Metric, Outcome, Plies};

/// The outcome for the side that makes a move, given the outcome of the position after it.
/// `ends_phase` is true if the metric measures the distance to this kind of move (besides mate).
///
/// In DTR a move has the value of the position it leads to, which is exact if it ends the phase.
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
