//! The grid of competences of a discrete Analyser.

use std::{fmt, str::FromStr};

/// Regularly spaced competences, both ends included: `0(1)50` in the papers' notation.
///
/// ```
/// use errare_choice::Grid;
///
/// let grid: Grid = "0(0.01)50".parse()?;
/// assert_eq!((grid.len(), grid.point(5000)), (5001, 50.0));
/// assert_eq!("0:0.01:50".parse::<Grid>()?, grid);
/// assert!("0(3)50".parse::<Grid>().is_err(), "50 is not reached");
/// # Ok::<(), errare_choice::ParseGridError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    min: f64,
    step: f64,
    max: f64,
    len: usize,
}

/// Returned when a text is not a grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseGridError {
    /// The text does not have the form of a grid.
    #[error("{0:?} is not a grid of competences; write it like 0(1)50 or 0:1:50")]
    Form(String),
    /// The numbers do not make a grid.
    #[error("{0:?} is not a grid of competences: its steps must lead from the first to the last")]
    Steps(String),
    /// It has too many points.
    #[error("{0:?} is too fine a grid: a grid has at most a million points")]
    TooFine(String),
}

impl Grid {
    /// The maximum number of points.
    const MOST_POINTS: f64 = 1e6;

    /// The number of competences.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The distance between neighbours.
    pub const fn step(&self) -> f64 {
        self.step
    }

    /// The competence at this index.
    pub fn point(&self, number: usize) -> f64 {
        if number + 1 == self.len {
            self.max
        } else {
            self.min + number as f64 * self.step
        }
    }

    /// All competences, ascending.
    pub fn points(&self) -> impl ExactSizeIterator<Item = f64> + Clone + use<> {
        let grid = *self;
        (0..self.len).map(move |number| grid.point(number))
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}){}", self.min, self.step, self.max)
    }
}

impl FromStr for Grid {
    type Err = ParseGridError;

    fn from_str(text: &str) -> Result<Grid, ParseGridError> {
        let form = || ParseGridError::Form(text.to_owned());
        let parts: Vec<f64> = text
            .split(['(', ')', ':'])
            .map(|part| part.trim().parse().map_err(|_| form()))
            .collect::<Result<_, _>>()?;
        let [min, step, max] = parts[..].try_into().map_err(|_| form())?;
        let steps = (max - min) / step;
        let sound = [min, step, max].iter().all(|number| number.is_finite())
            && step > 0.0
            && steps >= 0.0
            && (steps - steps.round()).abs() < 1e-6;
        if !sound {
            return Err(ParseGridError::Steps(text.to_owned()));
        }
        if steps >= Grid::MOST_POINTS {
            return Err(ParseGridError::TooFine(text.to_owned()));
        }
        let len = steps.round() as usize + 1;
        Ok(Grid {
            min,
            step,
            max,
            len,
        })
    }
}
