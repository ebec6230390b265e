//! What all questions about reference players have in common: the metric, κ, the treatment of moves that
//! lose value, and the prior of a competence.

use std::{fmt, str::FromStr};

use errare_choice::{Grid, Kappa, ParseGridError};
use errare_core::{Fault, FaultKind, Metric};
use errare_endgame::Values;
use serde::{Deserialize, Serialize};

/// The model of fallible play.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Model {
    /// The metric of depths.
    pub metric: Metric,
    /// κ of the preference (d + κ)^-c; 0 means the limit 0+.
    pub kappa: Kappa,
}

impl Default for Model {
    fn default() -> Model {
        Model {
            metric: Metric::Dtc,
            kappa: Kappa::ONE,
        }
    }
}

/// The treatment of moves that lose value: that turn a win into a draw, or a draw into a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ValueRule {
    /// They are never played, as in the papers' experiments.
    #[default]
    Keep,
    /// They are played according to their preference.
    Risk,
}

impl ValueRule {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            ValueRule::Keep => "keep",
            ValueRule::Risk => "risk",
        }
    }

    /// What it means, in words.
    pub const fn words(self) -> &'static str {
        match self {
            ValueRule::Keep => "moves that lose value are never played",
            ValueRule::Risk => "moves that lose value are played as their preference says",
        }
    }
}

impl fmt::Display for ValueRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returned when a text is neither `keep` nor `risk`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("moves that lose value are either not played (keep) or played (risk), not {0:?}")]
pub struct ParseValueError(String);

impl Fault for ParseValueError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for ValueRule {
    type Err = ParseValueError;

    fn from_str(text: &str) -> Result<ValueRule, ParseValueError> {
        [ValueRule::Keep, ValueRule::Risk]
            .into_iter()
            .find(|value| value.name() == text)
            .ok_or_else(|| ParseValueError(text.to_owned()))
    }
}

impl From<ValueRule> for Values {
    fn from(value: ValueRule) -> Values {
        match value {
            ValueRule::Keep => Values::Kept,
            ValueRule::Risk => Values::Risked,
        }
    }
}

/// The prior of a competence: `0(0.01)50` if all are equally likely, or `0:1:50,normal:20:5`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Prior {
    /// The competences considered.
    pub grid: Grid,
    /// Their probabilities.
    pub shape: errare_choice::PriorShape,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Prior {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        String::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Prior {}

/// Returned when a text is not a prior.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePriorError {
    /// The grid is invalid.
    #[error(transparent)]
    Grid(#[from] ParseGridError),
    /// The normal distribution is malformed.
    #[error("{0:?} is not a normal prior; write it like 0:1:50,normal:20:5")]
    Normal(String),
    /// The mean or standard deviation is out of range.
    #[error("a normal prior has a finite mean and a positive deviation")]
    Deviation,
}

impl Fault for ParsePriorError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for Prior {
    type Err = ParsePriorError;

    fn from_str(text: &str) -> Result<Prior, ParsePriorError> {
        let (grid, shape) = match text.split_once(',') {
            None => (text, errare_choice::PriorShape::Uniform),
            Some((grid, shape)) => (grid, normal(shape)?),
        };
        let grid = grid.parse()?;
        Ok(Prior { grid, shape })
    }
}

fn normal(text: &str) -> Result<errare_choice::PriorShape, ParsePriorError> {
    let numbers = text
        .strip_prefix("normal:")
        .and_then(|numbers| numbers.split_once(':'))
        .and_then(|(mean, sd)| Some((mean.parse::<f64>().ok()?, sd.parse::<f64>().ok()?)));
    match numbers {
        None => Err(ParsePriorError::Normal(text.to_owned())),
        Some((mean, sd)) if mean.is_finite() && sd.is_finite() && sd > 0.0 => {
            Ok(errare_choice::PriorShape::Normal { mean, sd })
        }
        Some(_) => Err(ParsePriorError::Deviation),
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            errare_choice::PriorShape::Uniform => self.grid.fmt(f),
            errare_choice::PriorShape::Normal { mean, sd } => {
                write!(f, "{},normal:{mean}:{sd}", self.grid)
            }
        }
    }
}

impl TryFrom<String> for Prior {
    type Error = ParsePriorError;

    fn try_from(text: String) -> Result<Prior, ParsePriorError> {
        text.parse()
    }
}

impl From<Prior> for String {
    fn from(prior: Prior) -> String {
        prior.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_read_and_written() {
        for text in ["0(0.01)50", "0(1)50,normal:20:5", "-10(1)10"] {
            assert_eq!(text.parse::<Prior>().unwrap().to_string(), text);
        }
        for (text, says) in [
            ("0:3:50", "steps"),
            ("0:1:50,normal:20", "normal:20:5"),
            ("0:1:50,normal:20:0", "positive deviation"),
        ] {
            let error = text.parse::<Prior>().unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
