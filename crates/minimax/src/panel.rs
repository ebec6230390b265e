//! The Gauss-Legendre rule of a panel, and the derivative of a function known at its nodes.

use std::array::from_fn;
use std::num::NonZeroUsize;
use std::sync::LazyLock;

use gauss_quad::GaussLegendre;

use crate::distribution::{LANES, ScoreRow};

/// The rule of a panel, on [-1, 1].
pub(crate) struct Rule {
    pub(crate) nodes: ScoreRow,
    pub(crate) weights: ScoreRow,
    /// The derivative at each node of the polynomial that is 1 at another node, 0 at the rest.
    derivatives: [ScoreRow; LANES],
}

/// The only rule.
pub(crate) static PANEL: LazyLock<Rule> = LazyLock::new(|| {
    let legendre = GaussLegendre::new(NonZeroUsize::new(LANES).expect("a panel has nodes"));
    let pairs: [(f64, f64); LANES] = from_fn(|node| legendre.as_node_weight_pairs()[node]);
    let nodes = pairs.map(|(node, _)| node);
    // Barycentric weights (Berrut & Trefethen 2004, section 9.3).
    let weight = |j: usize| -> f64 {
        let others = (0..LANES).filter(|&k| k != j);
        others.map(|k| nodes[j] - nodes[k]).product::<f64>().recip()
    };
    let off_diagonal = |i: usize, j: usize| weight(j) / weight(i) / (nodes[i] - nodes[j]);
    let derivatives = from_fn(|i| {
        from_fn(|j| match i == j {
            true => -(0..LANES)
                .filter(|&k| k != i)
                .map(|k| off_diagonal(i, k))
                .sum::<f64>(),
            false => off_diagonal(i, j),
        })
    });
    Rule {
        nodes,
        weights: pairs.map(|(_, weight)| weight),
        derivatives,
    }
});

impl Rule {
    /// The derivative at the nodes of the polynomial with these values there.
    pub(crate) fn derivative(&self, values: &ScoreRow) -> ScoreRow {
        self.derivatives
            .map(|row| row.iter().zip(values).map(|(d, value)| d * value).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials of a degree below the number of nodes are differentiated exactly.
    #[test]
    fn derivative_of_a_power() {
        let derivative = PANEL.derivative(&PANEL.nodes.map(|x| x.powi(9)));
        for (x, slope) in PANEL.nodes.into_iter().zip(derivative) {
            assert!((slope - 9.0 * x.powi(8)).abs() < 1e-12);
        }
        let integral: f64 = PANEL
            .weights
            .iter()
            .zip(derivative)
            .map(|(w, slope)| w * slope)
            .sum();
        assert!((integral - 2.0).abs() < 1e-13);
    }
}
