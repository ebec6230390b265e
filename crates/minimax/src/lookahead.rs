//! Increased lookahead: does deeper search favour a good move over a bad one?
//!
//! A search of δ_1 plies is *beneficial* over one of δ_2 < δ_1 if
//!
//! > prob(good, δ_1) / prob(bad, δ_1) > prob(good, δ_2) / prob(bad, δ_2) (inequality 24).
//!
//! It is, once the product M of the good move's m_k, or the product Q of the bad move's q_k, over the
//! levels from δ_2 on, is large enough (theorem 7.1 asks for both, with δ_1 ≥ δ_2 + 2; either alone
//! is enough, and so is one ply, as the scores tend to their extreme while the other move's stay).
//! Raising a count makes the score of its move stochastically greater (m) or smaller (q), so that
//! the ratio is monotonic in it, and the threshold can be found by bisection.
//!
//! Reference: Levene & Fenner, section 7.

use serde::{Deserialize, Serialize};

use crate::{Alpha, LevelRegular, Ties, probabilities};

/// Two moves, in a tree that has no others, searched to two depths.
///
/// ```
/// use errare_minimax::{Alpha, LevelRegular, Lookahead};
///
/// let moves = LevelRegular::parse_moves("[2 6 2 6][2 2 2 2]")?;
/// let [good, bad] = [0, 1].map(|number: usize| moves[number].clone());
/// let pair = Lookahead { good, bad, shallow: 2, alpha: Alpha::CONTINUOUS };
/// assert!(pair.ratio(4) > pair.ratio(2) && pair.is_beneficial());
/// # Ok::<(), errare_minimax::ParseTreeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lookahead {
    /// The good move in the deeper tree.
    pub good: LevelRegular,
    /// The bad move in the deeper tree.
    pub bad: LevelRegular,
    /// δ_2, the smaller of the two depths.
    pub shallow: usize,
    /// The number of scores.
    pub alpha: Alpha,
}

/// Which of the two products of section 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Product {
    /// M: the good move's choices for the first player, at even levels.
    M,
    /// Q: the bad move's choices for the second player, at odd levels.
    Q,
}

/// The smallest product for which deeper search is beneficial, all else unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Threshold {
    /// The level whose count is changed.
    pub level: usize,
    /// The count there as given.
    pub given: u32,
    /// The smallest count for which (24) holds; `None` if no 32-bit count is enough.
    pub least: Option<u32>,
    /// The product over the levels from δ_2 on with that count.
    pub product: Option<u64>,
}

/// Accuracy of the probabilities of level-regular trees: ratios that differ by less are taken as
/// equal.
const TOLERANCE: f64 = 1e-10;

impl Lookahead {
    /// prob(good) / prob(bad) in the first `depth` plies.
    pub fn ratio(&self, depth: usize) -> f64 {
        let moves = [self.good.truncated(depth), self.bad.truncated(depth)];
        let root = LevelRegular::root(&moves);
        let both = probabilities(&root, self.alpha, Ties::All, TOLERANCE).probabilities;
        both[0] / both[1]
    }

    /// δ_1, the greater of the two depths.
    pub fn deep(&self) -> usize {
        self.good.depth()
    }

    /// Inequality (24).
    pub fn is_beneficial(&self) -> bool {
        self.ratio(self.deep()) > self.ratio(self.shallow) * (1.0 + 10.0 * TOLERANCE)
    }

    /// The thresholds of M or Q, one for each level whose count enters the product.
    pub fn thresholds(&self, product: Product) -> Vec<Threshold> {
        let parity = match product {
            Product::M => 0,
            Product::Q => 1,
        };
        let levels = (self.shallow..self.deep()).filter(|level| level % 2 == parity);
        levels.map(|level| self.threshold(product, level)).collect()
    }

    fn threshold(&self, product: Product, level: usize) -> Threshold {
        let with = |count: u32| {
            let mut changed = self.clone();
            changed.moved(product).0[level - 1] = count;
            changed
        };
        let enough = |count| with(count).is_beneficial();
        let least = enough(u32::MAX).then(|| {
            // Doubling first keeps the counts, and with them the work, small.
            let mut high = 1;
            while !enough(high) {
                high = high.saturating_mul(2);
            }
            let mut low = high / 2;
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if enough(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            high
        });
        let given = self.clone().moved(product).0[level - 1];
        let reached = least.map(|count| {
            let mut changed = with(count);
            let levels = (self.shallow..self.deep()).filter(|other| other % 2 == level % 2);
            let counts = levels.map(|other| u64::from(changed.moved(product).0[other - 1]));
            counts.fold(1, u64::saturating_mul)
        });
        Threshold {
            level,
            given,
            least,
            product: reached,
        }
    }

    /// The move whose counts enter the product.
    fn moved(&mut self, product: Product) -> &mut LevelRegular {
        match product {
            Product::M => &mut self.good,
            Product::Q => &mut self.bad,
        }
    }
}
