//! Summary statistics.

use serde::{Deserialize, Serialize};

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
        Some(Spread {
            mean,
            sd,
            standard_error: sd.map(|sd| sd / (count as f64).sqrt()),
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
    }
}
