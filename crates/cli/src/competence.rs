//! Competences, and which side has them, on the command line and in JSON.

use std::{fmt, str::FromStr};

use clap::ValueEnum;
use serde::{Serialize, Serializer};
use shakmaty::Color;

/// The c of a reference player: a number, `inf` or `-inf`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Competence(pub(crate) f64);

impl FromStr for Competence {
    type Err = String;

    fn from_str(text: &str) -> Result<Competence, String> {
        match text.parse() {
            Ok(c) if !f64::is_nan(c) => Ok(Competence(c)),
            _ => Err("a competence is a number, inf or -inf".to_owned()),
        }
    }
}

impl fmt::Display for Competence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number, or a text for what JSON has no number for.
impl Serialize for Competence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.is_finite() {
            true => serializer.serialize_f64(self.0),
            false => serializer.collect_str(self),
        }
    }
}

/// A side of an endgame: White is named first in `KQKR`, whichever way it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The side named first
    White,
    /// The side named second
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// What becomes of moves that lose value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Value {
    /// They are never played
    Keep,
    /// They are played as their preference says
    Risk,
}

impl From<Value> for errare_endgame::Values {
    fn from(value: Value) -> errare_endgame::Values {
        match value {
            Value::Keep => errare_endgame::Values::Kept,
            Value::Risk => errare_endgame::Values::Risked,
        }
    }
}

/// A number for people; what never ends is infinite.
pub(crate) fn moves(number: f64) -> String {
    match number.abs() {
        1e6.. => format!("{number:.3e}"),
        _ => format!("{number:.2}"),
    }
}

/// A number for JSON, which has no infinity.
pub(crate) fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}
