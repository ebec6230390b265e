//! The options of a turn, and the probability that R_c chooses each.

/// The options of a turn, by aversion. Equally preferred options are merged into one entry with the
/// sum of their weights v_m.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// Ascending.
    aversions: Vec<f64>,
    weights: Vec<f64>,
}

impl Profile {
    /// Builds a profile from pairs of aversion and weight. Options of weight 0 cannot be chosen.
    pub fn new(options: impl IntoIterator<Item = (f64, f64)>) -> Profile {
        let mut options: Vec<_> = options
            .into_iter()
            .filter(|option| option.1 > 0.0)
            .collect();
        options.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut profile = Profile::default();
        for (aversion, weight) in options {
            if profile.aversions.last() == Some(&aversion) {
                let last = profile.weights.len() - 1;
                profile.weights[last] += weight;
            } else {
                profile.aversions.push(aversion);
                profile.weights.push(weight);
            }
        }
        profile
    }

    /// The distinct aversions, best first, with the sum of the weights of each.
    pub fn entries(&self) -> impl Iterator<Item = (f64, f64)> {
        let weights = self.weights.iter().copied();
        self.aversions.iter().copied().zip(weights)
    }

    /// Does a choice reveal anything about the chooser? Not if all options are equally preferred.
    pub fn is_informative(&self) -> bool {
        self.aversions.len() > 1
    }

    /// The aversion of the best options; `None` if there are no options.
    pub fn best(&self) -> Option<f64> {
        self.aversions.first().copied()
    }

    /// The probability that R_c chooses an option of each of the [entries](Profile::entries).
    pub fn probabilities(&self, competence: f64) -> Vec<f64> {
        probabilities(self.entries(), competence)
    }

    /// The logarithm of the probability that R_c chooses an option of this aversion; -∞ if there is
    /// none.
    pub fn log_probability(&self, competence: f64, aversion: f64) -> f64 {
        let entry = self.aversions.iter().position(|&a| a == aversion);
        match entry {
            None => f64::NEG_INFINITY,
            // Computed directly, since the probability itself may underflow.
            Some(entry) if competence.is_finite() && self.is_finite() => {
                self.weights[entry].ln() - competence * aversion - self.log_normaliser(competence)
            }
            Some(entry) => self.probabilities(competence)[entry].ln(),
        }
    }

    /// The expected aversion of R_c's choice.
    pub(crate) fn expected_aversion(&self, competence: f64) -> f64 {
        let probabilities = self.probabilities(competence);
        let likely = probabilities.iter().zip(&self.aversions);
        likely
            .filter(|(probability, _)| **probability > 0.0)
            .map(|(probability, aversion)| probability * aversion)
            .sum()
    }

    /// Are all aversions finite?
    fn is_finite(&self) -> bool {
        self.aversions.iter().all(|aversion| aversion.is_finite())
    }

    /// Requires finite aversions and a finite competence.
    fn log_normaliser(&self, competence: f64) -> f64 {
        let exponents = self.aversions.iter().map(|aversion| -competence * aversion);
        let greatest = exponents.clone().fold(f64::NEG_INFINITY, f64::max);
        let terms = exponents.zip(&self.weights);
        let sum: f64 = terms
            .map(|(exponent, weight)| weight * (exponent - greatest).exp())
            .sum();
        greatest + sum.ln()
    }
}

/// The probability that R_c chooses each of these options, given as pairs of aversion and weight:
/// proportional to v exp(-c g), taken as a limit for infinite c or g. All zero if every weight is
/// 0.
///
/// ```
/// use errare_choice::probabilities;
///
/// let options = [(0.0, 1.0), (2f64.ln(), 1.0), (2f64.ln(), 0.0)];
/// assert_eq!(probabilities(options, 0.0), [0.5, 0.5, 0.0]);
/// assert!((probabilities(options, 1.0)[0] - 2.0 / 3.0).abs() < 1e-15);
/// assert_eq!(probabilities(options, f64::INFINITY), [1.0, 0.0, 0.0]);
/// ```
pub fn probabilities(options: impl IntoIterator<Item = (f64, f64)>, competence: f64) -> Vec<f64> {
    let mut chances: Vec<f64> = Vec::new();
    let mut exponents = Vec::new();
    for (aversion, weight) in options {
        exponents.push(exponent(competence, aversion));
        chances.push(weight);
    }
    let possible = |(&exponent, &weight): (&f64, &f64)| (weight > 0.0).then_some(exponent);
    let greatest = exponents
        .iter()
        .zip(&chances)
        .filter_map(possible)
        .fold(f64::NEG_INFINITY, f64::max);
    let only_the_greatest = competence.is_infinite() || greatest.is_infinite();
    for (chance, exponent) in chances.iter_mut().zip(exponents) {
        *chance *= match only_the_greatest {
            true => f64::from(u8::from(exponent == greatest)),
            false => (exponent - greatest).exp(),
        };
    }
    let sum: f64 = chances.iter().sum();
    if sum > 0.0 {
        chances.iter_mut().for_each(|chance| *chance /= sum);
    }
    chances
}

/// -c g, where an infinite c stands for a very large one; 0 for c = 0, whatever g is.
fn exponent(competence: f64, aversion: f64) -> f64 {
    if competence == 0.0 {
        0.0
    } else if competence.is_infinite() {
        -competence.signum() * aversion
    } else {
        -competence * aversion
    }
}
