//! Weights of features as lines in Elo.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::feature::{Feature, parse};

/// The rating at which x = 0.
pub(crate) const ORIGIN: f64 = 2250.0;
/// The rating difference for which x grows by 1.
pub(crate) const UNIT: f64 = 450.0;

/// x of a rating, the variable of the lines.
pub(super) fn x_of(elo: f64) -> f64 {
    (elo - ORIGIN) / UNIT
}

/// A model for all ratings: features and their weights, each a line in Elo or a constant.
///
/// ```
/// use errare_rating::continuous::{Lines, list};
///
/// // cost has a value at 2250 Elo and a slope per 450 Elo.
/// let lines = Lines::new(list(&["cost"], 8)?).with(vec![2.0, 0.5]);
/// assert_eq!((lines.weights(2250.0), lines.weights(2700.0)), (vec![2.0], vec![2.5]));
/// # Ok::<(), errare_rating::continuous::FeatureError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lines {
    features: Arc<[Box<dyn Feature>]>,
    coefficients: Vec<f64>,
    /// The indices of each feature's coefficients: its value at the origin, and its slope if it has one.
    places: Vec<(usize, Option<usize>)>,
}

/// The weight of a feature in files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Weight {
    /// The feature's name.
    pub feature: String,
    /// The weight at 2250 Elo.
    pub at_origin: f64,
    /// Its increase per 450 Elo; none if it is the same for all ratings.
    pub slope: Option<f64>,
}

impl Lines {
    /// With all weights 0: a player who chooses at random.
    #[must_use]
    pub fn new(features: Vec<Box<dyn Feature>>) -> Lines {
        let mut count = 0;
        let mut next = || {
            count += 1;
            count - 1
        };
        let places: Vec<_> = features
            .iter()
            .map(|feature| (next(), feature.varies().then(&mut next)))
            .collect();
        Lines {
            features: features.into(),
            coefficients: vec![0.0; count],
            places,
        }
    }

    /// The same lines with other coefficients.
    ///
    /// # Panics
    ///
    /// Panics if their number differs.
    #[must_use]
    pub fn with(&self, coefficients: Vec<f64>) -> Lines {
        assert_eq!(coefficients.len(), self.coefficients.len());
        Lines {
            coefficients,
            ..self.clone()
        }
    }

    /// The features.
    #[must_use]
    pub fn features(&self) -> &[Box<dyn Feature>] {
        &self.features
    }

    /// The coefficients: for each feature its weight at the origin and, if it varies, its slope.
    #[must_use]
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The weights at a rating.
    #[must_use]
    pub fn weights(&self, elo: f64) -> Vec<f64> {
        let x = x_of(elo);
        let weight = |&(at, slope): &(usize, Option<usize>)| {
            self.coefficients[at] + slope.map_or(0.0, |slope| self.coefficients[slope] * x)
        };
        self.places.iter().map(weight).collect()
    }

    /// The slopes of the weights by x.
    pub(super) fn slopes(&self) -> Vec<f64> {
        let slope = |(_, slope): &(usize, Option<usize>)| {
            slope.map_or(0.0, |slope| self.coefficients[slope])
        };
        self.places.iter().map(slope).collect()
    }

    pub(super) fn places(&self) -> &[(usize, Option<usize>)] {
        &self.places
    }

    /// Converts derivatives by the weights at a rating to derivatives by the coefficients.
    pub(super) fn by_coefficient(&self, by_weight: &[f64], elo: f64) -> Vec<f64> {
        let x = x_of(elo);
        let mut all = vec![0.0; self.coefficients.len()];
        for (&(at, slope), value) in self.places.iter().zip(by_weight) {
            all[at] = *value;
            if let Some(slope) = slope {
                all[slope] = x * value;
            }
        }
        all
    }

    /// The weights as stored in files.
    #[must_use]
    pub fn table(&self) -> Vec<Weight> {
        let each = self.features.iter().zip(&self.places);
        each.map(|(feature, &(at, slope))| Weight {
            feature: feature.name(),
            at_origin: self.coefficients[at],
            slope: slope.map(|slope| self.coefficients[slope]),
        })
        .collect()
    }

    /// The greatest depth a feature uses.
    #[must_use]
    pub fn depth(&self) -> u8 {
        let depths = self.features.iter().map(|feature| feature.depth());
        depths.max().unwrap_or(1)
    }
}

impl PartialEq for Lines {
    fn eq(&self, other: &Lines) -> bool {
        self.table() == other.table()
    }
}

impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.table().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lines, D::Error> {
        let table = Vec::<Weight>::deserialize(deserializer)?;
        let features = table.iter().map(|weight| parse(&weight.feature));
        let lines = Lines::new(
            features
                .collect::<Result<_, _>>()
                .map_err(D::Error::custom)?,
        );
        let mut coefficients = Vec::new();
        for (weight, feature) in table.iter().zip(lines.features()) {
            let sound = weight.slope.is_some() == feature.varies()
                && weight.at_origin.is_finite()
                && weight.slope.is_none_or(f64::is_finite);
            if !sound {
                let message = format!("the weight of {} is damaged", weight.feature);
                return Err(D::Error::custom(message));
            }
            coefficients.push(weight.at_origin);
            coefficients.extend(weight.slope);
        }
        Ok(lines.with(coefficients))
    }
}
