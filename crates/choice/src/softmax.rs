//! Choice by utility: the softmax over features of the options, also known as conditional logit.
//!
//! Option i has the utility u_i = sum over features of w_f x_(f,i) and is chosen with probability p_i = exp
//! u_i / sum_j exp u_j. As a function of the weights, ln p_i is concave; its slope by w_f is x_(f,i) minus
//! the mean of x_f, and its curvature is minus the covariance of the features, whatever was chosen. So
//! Newton's method finds the best weights, and the optimum is unique.

/// The probabilities of one turn. Reuse it from turn to turn to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct Softmax {
    utilities: Vec<f64>,
    p: Vec<f64>,
    means: Vec<f64>,
    log_sum: f64,
}

impl Softmax {
    /// Computes the choice among the options of a turn. `features` has one row per feature, with one value
    /// per option.
    ///
    /// ```
    /// use errare_choice::Softmax;
    ///
    /// let mut choice = Softmax::default();
    /// choice.make(&[0.0, -1.0], &[2.0]);
    /// let odds = choice.probabilities()[0] / choice.probabilities()[1];
    /// assert!((odds - 2_f64.exp()).abs() < 1e-12);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if `weights` is empty.
    pub fn make(&mut self, features: &[f64], weights: &[f64]) {
        let options = features.len() / weights.len();
        self.utilities.clear();
        self.utilities.resize(options, 0.0);
        for (row, weight) in features.chunks_exact(options).zip(weights) {
            for (utility, x) in self.utilities.iter_mut().zip(row) {
                *utility += weight * x;
            }
        }
        let greatest = self.utilities.iter().copied().fold(f64::MIN, f64::max);
        self.p.clear();
        self.p
            .extend(self.utilities.iter().map(|u| (u - greatest).exp()));
        let sum: f64 = self.p.iter().sum();
        for p in &mut self.p {
            *p /= sum;
        }
        self.log_sum = greatest + sum.ln();
        self.means.clear();
        let rows = features.chunks_exact(options);
        self.means.extend(rows.map(|row| dot(&self.p, row)));
    }

    /// The probability of each option.
    pub fn probabilities(&self) -> &[f64] {
        &self.p
    }

    /// ln p of one option, even where p itself underflows.
    pub fn log_probability(&self, option: usize) -> f64 {
        self.utilities[option] - self.log_sum
    }

    /// The mean of each feature.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The covariance of two rows of values, such as two features, under the choice probabilities.
    pub fn covariance(&self, one: &[f64], other: &[f64]) -> f64 {
        let each = self.p.iter().zip(one).zip(other);
        let product: f64 = each.map(|((p, one), other)| p * one * other).sum();
        product - dot(&self.p, one) * dot(&self.p, other)
    }

    /// Adds the covariances of all features to the upper triangle of a square row-major matrix.
    pub fn add_covariances(&self, features: &[f64], matrix: &mut [f64]) {
        let options = self.p.len();
        let count = self.means.len();
        let row = |feature: usize| &features[feature * options..][..options];
        for i in 0..count {
            for j in i..count {
                let each = self.p.iter().zip(row(i)).zip(row(j));
                let product: f64 = each.map(|((p, one), other)| p * one * other).sum();
                matrix[i * count + j] += product - self.means[i] * self.means[j];
            }
        }
    }
}

fn dot(p: &[f64], row: &[f64]) -> f64 {
    p.iter().zip(row).map(|(p, x)| p * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEATURES: [f64; 6] = [0.0, -0.2, -1.0, 1.0, 0.0, 0.5];

    fn log_p(weights: &[f64; 2], option: usize) -> f64 {
        let mut choice = Softmax::default();
        choice.make(&FEATURES, weights);
        choice.log_probability(option)
    }

    #[test]
    fn slopes_and_curvatures_are_differences() {
        let at = [1.3, -0.4];
        let mut choice = Softmax::default();
        choice.make(&FEATURES, &at);
        let sum: f64 = choice.probabilities().iter().sum();
        assert!((sum - 1.0).abs() < 1e-15);
        let mut covariances = [0.0; 4];
        choice.add_covariances(&FEATURES, &mut covariances);
        let step = 1e-4;
        for feature in 0..2 {
            let moved = |by: f64| {
                let mut at = at;
                at[feature] += by;
                at
            };
            for option in 0..3 {
                let [up, middle, down] = [step, 0.0, -step].map(|by| log_p(&moved(by), option));
                let slope = FEATURES[feature * 3 + option] - choice.means()[feature];
                assert!(((up - down) / (2.0 * step) - slope).abs() < 1e-7);
                let bend = (up - 2.0 * middle + down) / (step * step);
                assert!((bend + covariances[feature * 3]).abs() < 1e-6);
            }
        }
        let both = choice.covariance(&FEATURES[..3], &FEATURES[3..]);
        assert!((both - covariances[1]).abs() < 1e-15);
    }

    #[test]
    fn the_unthinkable_has_a_logarithm() {
        let mut choice = Softmax::default();
        choice.make(&[0.0, -1.0], &[1000.0]);
        assert_eq!(choice.probabilities()[1], 0.0);
        assert_eq!(choice.log_probability(1), -1000.0);
    }
}
