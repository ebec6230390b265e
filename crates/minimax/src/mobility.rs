//! Measures of mobility: which moves a random minimaxing player prefers, without computing the
//! probabilities.
//!
//! All take the mean numbers of children at levels 1, 2, ... of a move, q_1, m_2, q_3, ..., as if its
//! tree were level-regular. Following the score up from a median of ½ at the move through
//! f_(k+1) = (1 - f_k)^(1 / t_k), the inverse of the propagation function (11), gives the
//! [`median`] score of the move exactly. If the counts are large, f_(k+1) is close to 1, and with
//! y_1 = ln 2 / q_1 and y_k = ln(1 / y_(k-1)) / t_k it is about 1 - y_k: this is the nested logarithm
//! of [`index`], at depth 3 m_2 / ln(q_1 / ln 2), at depth 4 ln(m_2 / ln(q_1 / ln 2)) / q_3. The paper
//! conjectures a [`product`] instead.
//!
//! Reference: Levene & Fenner, sections 5 and 8.

/// The median score of a move, between 0 and 1, if its tree is level-regular with these counts.
pub fn median(counts: &[f64]) -> f64 {
    let f = counts.iter().fold(0.5, |f: f64, t| (1.0 - f).powf(1.0 / t));
    if counts.len().is_multiple_of(2) {
        f
    } else {
        1.0 - f
    }
}

/// The nested logarithm: greater for likelier moves. `None` where the approximation breaks down, as a
/// logarithm would be taken of a number above 1.
///
/// ```
/// use errare_minimax::mobility::index;
///
/// let (q1, m2) = (20.0, 30.0_f64);
/// assert_eq!(index(&[q1, m2]), Some(m2 / (q1 / 2.0_f64.ln()).ln()));
/// ```
pub fn index(counts: &[f64]) -> Option<f64> {
    let (first, rest) = counts.split_first()?;
    let y = rest.iter().try_fold(2.0_f64.ln() / first, |y, t| {
        let y = (1.0 / y).ln() / t;
        (y > 0.0).then_some(y)
    })?;
    Some(if counts.len().is_multiple_of(2) {
        1.0 / y
    } else {
        y
    })
}

/// The paper's conjecture: the product of the m_k over that of the q_k.
pub fn product(counts: &[f64]) -> f64 {
    let factors = counts
        .iter()
        .zip(1..)
        .map(|(t, level)| if level % 2 == 0 { *t } else { 1.0 / t });
    factors.product()
}

/// Kendall's rank correlation τ_b between the probabilities of moves and another measure of them: 1 if
/// both give the same order, -1 if opposite orders; `None` if one of them does not distinguish any
/// moves. Probabilities that differ by no more than their `error` are ties.
pub fn rank_correlation(probabilities: &[f64], measure: &[f64], error: f64) -> Option<f64> {
    let sign = |difference: f64, zero: f64| match difference.abs() > zero {
        true => difference.signum(),
        false => 0.0,
    };
    let pairs = (0..measure.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let (mut both, mut by_probability, mut by_measure) = (0.0, 0.0, 0.0);
    for (i, j) in pairs {
        let a = sign(probabilities[i] - probabilities[j], error);
        let b = sign(measure[i] - measure[j], 0.0);
        both += a * b;
        by_probability += a * a;
        by_measure += b * b;
    }
    let scale = f64::sqrt(by_probability * by_measure);
    (scale > 0.0).then(|| both / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alpha, LevelRegular, ScorePoint, Scores, Ties, probabilities};

    /// The median is where the distribution function is ½.
    #[test]
    fn median_of_level_regular_trees() {
        for counts in [&[3][..], &[2, 3], &[4, 3, 5], &[20, 30, 20, 30]] {
            let floats: Vec<f64> = counts.iter().map(|&count| f64::from(count)).collect();
            let x = median(&floats);
            let point = ScorePoint {
                below: x,
                above: 1.0 - x,
                draw: 0.0,
            };
            let root = LevelRegular::root(&[LevelRegular(counts.to_vec())]);
            let at_median = root.distributions(&[point; crate::LANES])[0][0];
            assert!((at_median - 0.5).abs() < 1e-9, "{counts:?}: {at_median}");
        }
    }

    /// The closed forms at depths 3 and 4.
    #[test]
    fn nested_logarithms() {
        let ln2 = 2.0_f64.ln();
        let inner = (20.0 / ln2).ln();
        assert!((index(&[20.0, 30.0]).unwrap() - 30.0 / inner).abs() < 1e-12);
        assert!((index(&[20.0, 30.0, 25.0]).unwrap() - (30.0 / inner).ln() / 25.0).abs() < 1e-12);
        assert_eq!(index(&[]), None);
        assert_eq!(
            index(&[1.0; 5]),
            None,
            "ln(1 / y) is negative once y exceeds 1"
        );
    }

    /// The product is wrong where the index is right: halving q_1 is worth less than doubling m_2.
    #[test]
    fn the_product_conjecture_fails_where_the_index_does_not() {
        let moves = LevelRegular::parse_moves("[20 40][8 20]").unwrap();
        let prob = probabilities(
            &LevelRegular::root(&moves),
            Alpha::CONTINUOUS,
            Ties::All,
            1e-9,
        );
        assert!(prob.probabilities[0] > prob.probabilities[1]);
        assert!(index(&[20.0, 40.0]) > index(&[8.0, 20.0]));
        assert!(product(&[20.0, 40.0]) < product(&[8.0, 20.0]));
    }

    #[test]
    fn rank_correlation_of_small_rankings() {
        let tau = rank_correlation(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0], 0.0).unwrap();
        assert!((tau - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(rank_correlation(&[1.0, 2.0], &[5.0, 1.0], 0.5), Some(-1.0));
        assert_eq!(rank_correlation(&[1.0, 1.1], &[5.0, 1.0], 0.5), None);
    }
}
