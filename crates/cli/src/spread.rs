//! Numbers summed up.

use serde::Serialize;

/// The mean of some numbers, and how they spread.
#[derive(Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
    pub(crate) standard_error: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// Of at least one number.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Spread {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.clone().map(|value| (value - mean).powi(2)).sum();
        let sd = (squares / (count - 1.0).max(1.0)).sqrt();
        Spread {
            mean,
            sd,
            standard_error: sd / count.sqrt(),
            min: values.clone().fold(f64::INFINITY, f64::min),
            max: values.fold(f64::NEG_INFINITY, f64::max),
        }
    }
}
