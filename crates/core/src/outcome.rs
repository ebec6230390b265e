//! The outcome of a position under best play, with its depth.

use crate::{Metric, Moves, Plies};

/// The outcome of a position for the side to move, with the depth in some metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move wins.
    Win(Plies),
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss(Plies),
}

impl Outcome {
    /// The depth in plies; `None` for a draw.
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Outcome::Win(plies) | Outcome::Loss(plies) => Some(plies),
            Outcome::Draw => None,
        }
    }

    /// The depth in moves of the winner: half the plies, rounded up if the winner is to move.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Outcome::Win(Plies(plies)) => Some(Moves(plies.div_ceil(2))),
            Outcome::Loss(Plies(plies)) => Some(Moves(plies / 2)),
            Outcome::Draw => None,
        }
    }

    /// The depth in moves as the metric counts them: moves of the winner, except that DTR is the
    /// least *k* for which a *k*-move rule does not spoil the win, whichever side is to move.
    ///
    /// ```
    /// use errare_core::{Metric, Moves, Outcome, Plies};
    ///
    /// let loss = Outcome::Loss(Plies(17));
    /// assert_eq!(loss.moves_in(Metric::Dtc), Some(Moves(8)));
    /// assert_eq!(loss.moves_in(Metric::Dtr), Some(Moves(9)));
    /// ```
    pub const fn moves_in(self, metric: Metric) -> Option<Moves> {
        match (metric, self) {
            (Metric::Dtr, Outcome::Loss(plies)) => Outcome::Win(plies).moves(),
            _ => self.moves(),
        }
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn sign(self) -> i32 {
        match self {
            Outcome::Win(_) => 1,
            Outcome::Draw => 0,
            Outcome::Loss(_) => -1,
        }
    }

    /// Plies: positive for a win, negative for a loss, 0 for a draw (and for checkmate).
    pub const fn signed_plies(self) -> i32 {
        match self {
            Outcome::Win(Plies(plies)) => plies as i32,
            Outcome::Draw => 0,
            Outcome::Loss(Plies(plies)) => -(plies as i32),
        }
    }

    /// A sort key in the order of preference of the side to move: wins before draws before losses,
    /// short wins and long losses first.
    ///
    /// ```
    /// use errare_core::{Outcome::{Draw, Loss, Win}, Plies};
    ///
    /// let best_first = [Win(Plies(1)), Win(Plies(9)), Draw, Loss(Plies(8)), Loss(Plies(0))];
    /// assert!(best_first.is_sorted_by_key(|outcome| std::cmp::Reverse(outcome.preference())));
    /// ```
    pub const fn preference(self) -> i32 {
        const BEYOND_ANY_DEPTH: i32 = 1 << 17;
        match self {
            Outcome::Win(Plies(plies)) => BEYOND_ANY_DEPTH - plies as i32,
            Outcome::Draw => 0,
            Outcome::Loss(Plies(plies)) => plies as i32 - BEYOND_ANY_DEPTH,
        }
    }
}
