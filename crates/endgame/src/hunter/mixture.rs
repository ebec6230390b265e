//! Weighs solutions for several competences if the opponent's is not known.
//!
//! The probability of a competence between two solved ones is shared between them, which interpolates the
//! value of a move linearly. Probabilities are averaged directly. Lengths are averaged in units of the
//! best move's length at that competence: otherwise the least likely competence would decide, as lengths
//! grow without bound for small c.

use crate::Analyser;

/// The best of some values, used as the unit for the others.
pub(super) fn unit(worths: &[f64], maximised: bool) -> f64 {
    let best = match maximised {
        true => worths.iter().copied().fold(0.0, f64::max),
        false => worths.iter().copied().fold(f64::INFINITY, f64::min),
    };
    if best > 0.0 && best.is_finite() {
        best
    } else {
        1.0
    }
}

/// The weight of the solution for each solved competence, in ascending order.
pub(super) fn shares(solved: &[f64], belief: Option<&Analyser>) -> Vec<f64> {
    let mut shares = vec![0.0; solved.len()];
    let weights = belief.and_then(|analyser| analyser.posterior().weights());
    let (Some(belief), Some(weights)) = (belief, weights) else {
        // No competence explains the observations, or there is only one: the least one explains most.
        shares[0] = 1.0;
        return shares;
    };
    for (c, weight) in belief.posterior().grid().points().zip(weights) {
        let above = solved.partition_point(|&solved| solved < c);
        match above {
            0 => shares[0] += weight,
            _ if above == solved.len() => shares[above - 1] += weight,
            _ => {
                let (low, high) = (solved[above - 1], solved[above]);
                let part = (c - low) / (high - low);
                shares[above - 1] += weight * (1.0 - part);
                shares[above] += weight * part;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use errare_choice::{Kappa, PriorShape};

    use super::*;

    const SOLVED: [f64; 4] = [10.0, 20.0, 30.0, 40.0];

    fn shares_of(grid: &str) -> Vec<f64> {
        let grid = grid.parse().expect("a grid");
        shares(
            &SOLVED,
            Some(&Analyser::new(Kappa::ONE, grid, &PriorShape::Uniform)),
        )
    }

    fn check(found: &[f64], expected: &[f64]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12, "{found:?} {expected:?}");
    }

    #[test]
    fn a_belief_is_shared_between_the_solved_competences() {
        // Of 51 competences 0 to 10 belong to the first, and of those between two solved ones 4.5 to each.
        let parts = [11.0 + 4.5, 4.5 + 1.0 + 4.5, 4.5 + 1.0 + 4.5, 4.5 + 11.0];
        check(&shares_of("0(1)50"), &parts.map(|part| part / 51.0));
        check(&shares_of("15(1)15"), &[0.5, 0.5, 0.0, 0.0]);
        check(&shares_of("38(1)38"), &[0.0, 0.0, 0.2, 0.8]);
        check(&shares_of("40(5)50"), &[0.0, 0.0, 0.0, 1.0]);
        check(&shares(&SOLVED, None), &[1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_unit_is_the_best_finite_value() {
        assert_eq!(unit(&[3.0, 8.0, 5.0], true), 8.0);
        assert_eq!(unit(&[3.0, 8.0, 5.0], false), 3.0);
        assert_eq!(unit(&[0.0, 2.0], false), 1.0);
        assert_eq!(unit(&[], false), 1.0);
    }
}
