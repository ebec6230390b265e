//! The distribution of honest players' z, and how rare high values are.
//!
//! The z of all players of a calibration are kept, each from lines that were fitted without that player. Above the 80th
//! percentile the tail is a generalised Pareto distribution, fitted by probability-weighted moments, and never lighter
//! than an exponential: real tails are heavier than the normal distribution's. A sample of n players cannot determine
//! probabilities below 1/n.
//!
//! Reference: Hosking & Wallis (1987), *Parameter and quantile estimation for the generalized Pareto
//! distribution*.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

/// The share of players that the tail is fitted to.
const TAIL: f64 = 0.2;
/// The minimum number of players in the tail.
const FEWEST: usize = 10;
/// The heaviest tail accepted: a heavier one has no variance, and estimates beyond are due to chance.
const HEAVIEST: f64 = 0.5;

/// The distribution of honest players' z.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Honest {
    /// The larger of each player's z for mm and ad, sorted.
    pub z: Vec<f64>,
    /// The root mean squares of the z for mm, equal value and ad.
    pub scatter: [f64; 3],
    /// The tail; none if there are too few players.
    pub tail: Option<Tail>,
}

/// A generalised Pareto tail: the probability of exceeding z is share (1 + shape (z - from) / scale)^(-1 / shape).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Tail {
    /// Where the tail begins.
    pub from: f64,
    /// The probability of exceeding that.
    pub share: f64,
    /// Its scale.
    pub scale: f64,
    /// Its shape; 0 is exponential.
    pub shape: f64,
}

impl Honest {
    /// From players' z, in any order.
    #[must_use]
    pub fn new(mut z: Vec<f64>, scatter: [f64; 3]) -> Honest {
        z.retain(|z| z.is_finite());
        z.sort_by(f64::total_cmp);
        Honest {
            tail: Tail::new(&z),
            z,
            scatter,
        }
    }

    pub(super) fn is_sound(&self) -> bool {
        let ordered = self.z.windows(2).all(|pair| pair[0] <= pair[1]);
        let tail = self.tail.is_none_or(|tail| {
            tail.scale > 0.0 && tail.shape >= 0.0 && tail.share > 0.0 && tail.share <= 1.0
        });
        ordered && tail && self.z.iter().all(|z| z.is_finite())
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.z.len()
    }

    /// The smallest probability that this many players can support.
    #[must_use]
    pub(crate) fn least_chance(&self) -> f64 {
        1.0 / self.players().max(1) as f64
    }

    /// The probability that an honest player has this z or more.
    ///
    /// ```
    /// use errare_rating::continuous::Honest;
    ///
    /// let honest = Honest::new((0..100).map(|i| f64::from(i) / 25.0 - 2.0).collect(), [1.0; 3]);
    /// assert_eq!(honest.chance(1.0), 0.25, "a quarter of them have such a z");
    /// assert!(honest.chance(3.0) < 0.01, "beyond all of them, by the tail");
    /// ```
    #[must_use]
    pub fn chance(&self, z: f64) -> f64 {
        match self.tail {
            Some(tail) if z > tail.from => tail.chance(z),
            _ => {
                let above = self.z.len() - self.z.partition_point(|other| *other < z);
                (above as f64 / self.players().max(1) as f64).max(self.least_chance())
            }
        }
    }

    /// The same, if there are enough players to know it rather than extrapolate it from their tail.
    #[must_use]
    pub(crate) fn known_chance(&self, z: f64) -> Option<f64> {
        let chance = self.chance(z);
        (self.tail.is_some() && chance >= self.least_chance()).then_some(chance)
    }

    /// The z that an honest player exceeds with this probability, according to the tail. Outside the tail, or if there
    /// are too few players for one, z are taken as normal with the scatter of the players, at least 1.
    #[must_use]
    pub fn z_of_chance(&self, chance: f64) -> f64 {
        match self.tail.filter(|tail| chance <= tail.share) {
            Some(tail) => tail.z(chance),
            None => {
                let [mm, _, ad] = self.scatter;
                -mm.max(ad).max(1.0) * Normal::standard().inverse_cdf(chance)
            }
        }
    }
}

impl Tail {
    /// Fits the tail of sorted z.
    #[must_use]
    pub fn new(z: &[f64]) -> Option<Tail> {
        let count = (TAIL * z.len() as f64).floor() as usize;
        if count < FEWEST {
            return None;
        }
        let from = z[z.len() - count - 1];
        let excess: Vec<f64> = z[z.len() - count..].iter().map(|z| z - from).collect();
        let mean = excess.iter().sum::<f64>() / count as f64;
        // The mean of (1 - F) x, with plotting positions (i - .35) / n.
        let weighted = excess.iter().enumerate().map(|(i, x)| {
            let position = (i as f64 + 0.65) / count as f64;
            (1.0 - position) * x
        });
        let weighted = weighted.sum::<f64>() / count as f64;
        if mean <= 0.0 || mean <= 2.0 * weighted {
            return None;
        }
        let shape = (2.0 - mean / (mean - 2.0 * weighted)).clamp(0.0, HEAVIEST);
        Some(Tail {
            from,
            share: count as f64 / z.len() as f64,
            // The mean excess is scale / (1 - shape), even where the shape was limited.
            scale: mean * (1.0 - shape),
            shape,
        })
    }

    fn chance(&self, z: f64) -> f64 {
        let over = (z - self.from) / self.scale;
        let rest = if self.shape < 1e-9 {
            (-over).exp()
        } else {
            (1.0 + self.shape * over).powf(-1.0 / self.shape)
        };
        self.share * rest
    }

    fn z(&self, chance: f64) -> f64 {
        let ratio = self.share / chance;
        let over = if self.shape < 1e-9 {
            ratio.ln()
        } else {
            (ratio.powf(self.shape) - 1.0) / self.shape
        };
        self.from + self.scale * over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::StudentsT;

    fn quantiles(count: usize, inverse: impl Fn(f64) -> f64) -> Vec<f64> {
        let at = |i: usize| inverse((i as f64 + 0.5) / count as f64);
        (0..count).map(at).collect()
    }

    /// The tail of Student's t with four degrees of freedom is heavier than exponential (its shape tends to 1/4 and is
    /// less where the fit begins), and probabilities are accurate as far as the sample can tell.
    #[test]
    fn heavy_tails_are_found() {
        let student = StudentsT::new(0.0, 1.0, 4.0).unwrap();
        let honest = Honest::new(quantiles(2000, |p| student.inverse_cdf(p)), [1.0; 3]);
        let tail = honest.tail.unwrap();
        assert!((0.05..0.4).contains(&tail.shape), "{tail:?}");
        for chance in [0.05, 0.01, 0.001] {
            let z = honest.z_of_chance(chance);
            assert!((honest.chance(z) / chance - 1.0).abs() < 1e-9);
            let truth = student.sf(z);
            assert!((0.6..1.6).contains(&(truth / chance)), "{chance} {truth}");
        }
    }

    /// A normal tail is treated as exponential: probabilities err on the high side.
    #[test]
    fn light_tails_are_not_trusted() {
        let normal = Normal::standard();
        let honest = Honest::new(quantiles(500, |p| normal.inverse_cdf(p)), [1.0; 3]);
        for z in [2.5, 3.5, 4.5] {
            assert!(honest.chance(z) > normal.sf(z));
        }
        assert!(honest.chance(-9.0) == 1.0 && honest.chance(0.0) > 0.45);
        assert!(Honest::new(vec![0.0, 1.0], [1.0; 3]).tail.is_none());
    }

    /// Without a tail no probability is known; with one, those that the number of players can show.
    #[test]
    fn few_players_know_nothing() {
        let normal = Normal::standard();
        for count in [0, 30] {
            let honest = Honest::new(quantiles(count, |p| normal.inverse_cdf(p)), [1.3; 3]);
            assert!(
                [-3.0, 0.0, 1.0, 3.0]
                    .iter()
                    .all(|z| honest.known_chance(*z).is_none())
            );
            let z = honest.z_of_chance(0.025);
            assert!((z - 1.3 * 1.959_964).abs() < 1e-5, "{z}");
        }
        let honest = Honest::new(quantiles(60, |p| normal.inverse_cdf(p)), [1.0; 3]);
        let known = [0.0, 1.9, 5.0].map(|z| honest.known_chance(z).is_some());
        assert_eq!(known, [true, true, false]);
    }
}
