//! The states that moves lead to, in the papers' terms.

use errare_choice::State;
use errare_core::{Metric, Outcome};
use errare_tables::CensusStep;
use shakmaty::Move;

/// Does a move end the phase that a metric measures (apart from mate)? In DTC a conversion does, in
/// DTZ a zeroing move.
pub fn exits(m: Move, metric: Metric) -> bool {
    let step = if m.is_capture() || m.is_promotion() {
        CensusStep::Conversion
    } else if m.is_zeroing() {
        CensusStep::Push
    } else {
        CensusStep::Quiet
    };
    step_exits(step, metric)
}

/// The same for a move in the census of a table.
pub(crate) fn step_exits(step: CensusStep, metric: Metric) -> bool {
    match metric {
        Metric::Dtc => step == CensusStep::Conversion,
        Metric::Dtz => step != CensusStep::Quiet,
        Metric::Dtm | Metric::Dtr => false,
    }
}

/// The state that a move leads to, for the side that makes it, from the outcome of the position
/// after it. The depth is the number of moves that the winner still needs, or in DTR the k of the
/// position; a move that ends the phase leads to depth 0.
///
/// ```
/// use errare_choice::State;
/// use errare_core::{Metric, Outcome, Plies};
/// use errare_endgame::destination;
///
/// let after = Outcome::Loss(Plies(60));
/// assert_eq!(destination(after, Metric::Dtc, false), State::Win(30));
/// assert_eq!(destination(after, Metric::Dtc, true), State::Win(0));
/// assert_eq!(destination(Outcome::Win(Plies(61)), Metric::Dtc, false), State::Loss(31));
/// ```
pub fn destination(after: Outcome, metric: Metric, exits: bool) -> State {
    let depth = match after.moves_in(metric) {
        Some(moves) if !exits => moves.0,
        _ => 0,
    };
    match after {
        Outcome::Win(_) => State::Loss(depth),
        Outcome::Draw => State::Draw,
        Outcome::Loss(_) => State::Win(depth),
    }
}
