//! One number, order or claim of a paper: the printed value, our value, and the verdict.

use serde::{Deserialize, Serialize};

/// A claim of a paper beside our computation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PaperEntry {
    /// Its name: paper, place, and what distinguishes it there.
    pub id: String,
    /// The paper, the first part of the name.
    pub paper: String,
    /// The place in the paper.
    pub place: String,
    /// What the number means.
    pub claim: String,
    /// The printed value.
    pub printed: String,
    /// Our value; none if it cannot be computed.
    pub computed: Option<String>,
    /// Computed minus printed, if both are numbers.
    #[serde(default)]
    pub difference: Option<f64>,
    /// Do the two agree?
    pub verdict: PaperVerdict,
    /// The known and explained verdict; any other is a failure.
    pub expected: PaperVerdict,
    /// Why they differ, why it cannot be computed, or what we add.
    pub why: Option<String>,
    /// The computing time in seconds, shared by the entries of one place.
    pub seconds: f64,
    /// The command that computes this entry alone.
    #[serde(default)]
    pub command: String,
    /// The figure, where the paper has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figure: Option<Figure>,
}

/// Do the paper and the computation agree?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PaperVerdict {
    /// Equal to the printed digits.
    Equal,
    /// A random experiment, equal within three standard errors.
    WithinError,
    /// Not equal.
    Differs,
    /// We cannot compute it.
    NotComputable,
    /// The paper prints no number: we go beyond it.
    Beyond,
}

/// A figure: curves over one axis, with the paper's values marked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Figure {
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// The curves.
    pub curves: Vec<FigureCurve>,
    /// Printed values of x, such as where two curves cross.
    pub marks: Vec<f64>,
    /// Printed points.
    #[serde(default)]
    pub printed: Vec<(f64, f64)>,
}

/// A named curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FigureCurve {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// The result of a computation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Computed {
    /// A number, compared to the printed digits.
    Number(f64),
    /// The mean of a random experiment and its standard error.
    Sampled(f64, f64),
    /// A text, compared letter by letter.
    Text(String),
}

impl Computed {
    /// `yes` or `no`.
    pub(super) fn yes(holds: bool) -> Computed {
        Computed::Text(if holds { "yes" } else { "no" }.to_owned())
    }

    pub(super) fn count(number: usize) -> Computed {
        Computed::Text(number.to_string())
    }

    /// The value as shown beside a printed one: with two digits more.
    pub(super) fn shown(&self, printed: &str) -> String {
        let digits = decimals(number_of(printed)) + 2;
        match self {
            Computed::Number(number) => format!("{number:.digits$}"),
            Computed::Sampled(mean, error) => format!("{mean:.digits$} ± {error:.digits$}"),
            Computed::Text(text) => text.clone(),
        }
    }

    /// Computed minus printed, if both are numbers.
    pub(super) fn difference(&self, printed: &str) -> Option<f64> {
        let printed = value_of(printed)?;
        match self {
            Computed::Number(number) | Computed::Sampled(number, _) => Some(number - printed),
            Computed::Text(text) => Some(text.parse::<f64>().ok()? - printed),
        }
    }

    /// Does it agree with the printed value?
    pub(super) fn verdict(&self, printed: &str) -> PaperVerdict {
        let agrees = match self {
            Computed::Text(text) => text == printed,
            Computed::Number(number) => {
                let digits = decimals(printed);
                format!("{number:.digits$}").trim_start_matches('0')
                    == printed.trim_start_matches('0')
            }
            Computed::Sampled(mean, error) => {
                let Some(value) = value_of(printed) else {
                    return PaperVerdict::Differs;
                };
                // If the paper prints no error, its experiment is assumed to be as large as ours.
                let printed_error = printed.split_once('±').and_then(|(_, it)| it.parse().ok());
                let both = error.hypot(printed_error.unwrap_or(*error));
                let within = (mean - value).abs() <= SIGMAS * both;
                return if within {
                    PaperVerdict::WithinError
                } else {
                    PaperVerdict::Differs
                };
            }
        };
        if agrees {
            PaperVerdict::Equal
        } else {
            PaperVerdict::Differs
        }
    }
}

/// The number of standard errors within which two means agree.
const SIGMAS: f64 = 3.0;

fn number_of(printed: &str) -> &str {
    printed.split('±').next().unwrap_or(printed)
}

/// The printed number, which may have commas.
fn value_of(printed: &str) -> Option<f64> {
    number_of(printed).replace(',', "").parse().ok()
}

fn decimals(printed: &str) -> usize {
    match printed.split_once('.') {
        Some((_, digits)) if digits.bytes().all(|digit| digit.is_ascii_digit()) => digits.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_to_the_printed_digits() {
        assert_eq!(
            Computed::Number(97.195948).verdict("97.20"),
            PaperVerdict::Equal
        );
        assert_eq!(
            Computed::Number(97.1949).verdict("97.20"),
            PaperVerdict::Differs
        );
        assert_eq!(
            Computed::Number(0.0071).verdict(".007"),
            PaperVerdict::Equal
        );
        assert_eq!(Computed::Number(97.195948).shown("97.20"), "97.1959");
        assert_eq!(Computed::count(3).difference("1"), Some(2.0));
        assert_eq!(Computed::count(3).difference("all"), None);
    }

    #[test]
    fn experiments_are_compared_within_their_errors() {
        assert_eq!(
            Computed::Sampled(21.5, 0.08).verdict("21.469±0.079"),
            PaperVerdict::WithinError
        );
        assert_eq!(
            Computed::Sampled(22.5, 0.08).verdict("21.469±0.079"),
            PaperVerdict::Differs
        );
        let error = 0.1;
        for (mean, verdict) in [
            (3.4, PaperVerdict::WithinError),
            (3.5, PaperVerdict::Differs),
        ] {
            assert_eq!(Computed::Sampled(mean, error).verdict("3"), verdict);
        }
        let counted = Computed::Sampled(191_300.0, 100.0);
        assert_eq!(counted.verdict("191,200"), PaperVerdict::WithinError);
    }
}
