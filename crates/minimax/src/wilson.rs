//! Wilson's interval for a proportion.

use serde::{Deserialize, Serialize};

/// A proportion with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WilsonInterval {
    /// The share observed.
    pub share: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The standard normal distribution has 95 % of its mass within this distance of 0.
const Z: f64 = 1.959_963_984_540_054;

impl WilsonInterval {
    /// The interval for `successes` of `trials` (Wilson 1927); `None` without trials. Half successes
    /// are drawn games: as these vary less than won and lost ones, the interval is then too wide
    /// rather than too narrow.
    pub fn wilson(successes: f64, trials: u32) -> Option<WilsonInterval> {
        if trials == 0 {
            return None;
        }
        let n = f64::from(trials);
        let share = successes / n;
        let scale = 1.0 / (1.0 + Z * Z / n);
        let centre = scale * (share + Z * Z / (2.0 * n));
        let half = scale * Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(WilsonInterval {
            share,
            low: centre - half,
            high: centre + half,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 15 of 20: the textbook example, (0.531, 0.888).
    #[test]
    fn textbook_example() {
        let interval = WilsonInterval::wilson(15.0, 20).unwrap();
        assert!((interval.low - 0.5313).abs() < 5e-5 && (interval.high - 0.8881).abs() < 5e-5);
        assert_eq!(WilsonInterval::wilson(0.0, 0), None);
        assert!(WilsonInterval::wilson(0.0, 10).unwrap().high > 0.2);
    }
}
