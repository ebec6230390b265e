//! Scaling: the cost of a move as people perceive it.
//!
//! The same half pawn weighs less when one side is far ahead. So evaluations are measured by F(x) =
//! sign(x) ln(1 + |x|), x in pawns, and a move costs delta = F(e_0) - F(e). Moves more than four pawns
//! worse than the best count as four pawns worse. Among moves that share the best value the first is
//! played more often; the others are lowered by 0.03 pawns before scaling.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 3.1. The text speaks of
//! hundredths of a pawn; the published s only make sense in pawns.

/// Moves at least this many pawns worse than the best are treated alike.
pub const CAP: f64 = 4.0;

/// The penalty for later moves of the best value, in pawns.
pub const TIE: f64 = 0.03;

/// F, the measure of evaluations.
///
/// ```
/// use errare_rating::scaled;
///
/// assert_eq!(scaled(0.0), 0.0);
/// assert_eq!(scaled(-1.0), -2_f64.ln());
/// ```
#[must_use]
pub fn scaled(pawns: f64) -> f64 {
    pawns.abs().ln_1p().copysign(pawns)
}

/// The cost of each move, given evaluations in the engine's order, best first.
#[must_use]
pub fn costs(pawns: &[f64]) -> Vec<f64> {
    let best = pawns[0];
    let cost = |(i, &value): (usize, &f64)| {
        let tied = i > 0 && value == best;
        let value = value.max(best - CAP) - if tied { TIE } else { 0.0 };
        scaled(best) - scaled(value)
    };
    pawns.iter().enumerate().map(cost).collect()
}

/// The cost of each move on a shallower level, where any move may be the best; ties stay ties.
#[must_use]
pub(crate) fn shallow_costs(pawns: &[f64]) -> Vec<f64> {
    let best = pawns.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let cost = |value: &f64| scaled(best) - scaled(value.max(best - CAP));
    pawns.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_keeps_blunders_in_the_data() {
        let costs = costs(&[1.0, 0.5, -3.5, -100.0]);
        assert_eq!(costs[0], 0.0);
        assert!((costs[1] - (2_f64 / 1.5).ln()).abs() < 1e-15);
        assert_eq!(costs[2], costs[3]);
        assert!((costs[3] - (2_f64.ln() + 4_f64.ln())).abs() < 1e-15);
    }

    #[test]
    fn only_ties_at_the_top_are_broken() {
        let costs = costs(&[0.2, 0.2, 0.1, 0.1]);
        assert!((costs[1] - (1.2_f64 / 1.17).ln()).abs() < 1e-15);
        assert_eq!(costs[2], costs[3]);
    }

    /// Section 3.1: costs are scaled down more for the side that is behind.
    #[test]
    fn who_is_behind_loses_less() {
        assert!(costs(&[-1.0, -1.5])[1] < costs(&[1.0, 0.5])[1]);
    }

    #[test]
    fn a_shallow_level_has_its_own_best() {
        let costs = shallow_costs(&[0.1, 0.4, 0.4]);
        assert_eq!(costs[1..], [0.0, 0.0]);
        assert!((costs[0] - (1.4_f64 / 1.1).ln()).abs() < 1e-15);
    }
}
