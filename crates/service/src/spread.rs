//! Summary statistics.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The share of the mean's distribution below the upper end of its 95 % interval.
const UPPER: f64 = 0.975;

/// The mean and spread of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; none for a single number.
    pub sd: Option<f64>,
    /// The standard error of the mean; none for a single number.
    pub standard_error: Option<f64>,
    /// The lower end of the mean's 95 % interval, by Student's t; none for a single number.
    #[serde(default)]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default)]
    pub high: Option<f64>,
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// Summarises some numbers; `None` if there are none.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Spread> {
        let count = values.clone().count();
        if count == 0 {
            return None;
        }
        let mean = values.clone().sum::<f64>() / count as f64;
        let squares: f64 = values.clone().map(|value| (value - mean).powi(2)).sum();
        let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let standard_error = sd.map(|sd| sd / (count as f64).sqrt());
        let t = StudentsT::new(0.0, 1.0, count.saturating_sub(1) as f64).ok();
        let half = standard_error
            .zip(t)
            .map(|(error, t)| error * t.inverse_cdf(UPPER));
        Some(Spread {
            mean,
            sd,
            standard_error,
            low: half.map(|half| mean - half),
            high: half.map(|half| mean + half),
            min: values.clone().fold(f64::INFINITY, f64::min),
            max: values.fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn one_number_has_no_error() {
        assert_eq!(Spread::of([].into_iter()), None);
        let one = Spread::of([3.0].into_iter()).unwrap();
        assert_eq!((one.mean, one.sd, one.standard_error), (3.0, None, None));
        let two = Spread::of([1.0, 3.0].into_iter()).unwrap();
        assert_eq!((two.mean, two.standard_error), (2.0, Some(1.0)));
        assert_eq!((one.low, one.high), (None, None));
        // The quantile of Student's t with one degree of freedom is tan(0.475 π).
        let half = two.high.unwrap() - two.mean;
        assert!((half - 12.7062).abs() < 1e-4, "{half}");
        assert!((two.mean - two.low.unwrap() - half).abs() < 1e-9);
    }
}
