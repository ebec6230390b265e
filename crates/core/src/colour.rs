//! The one text and JSON form of a colour.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{Fault, FaultKind};

/// White or Black: shakmaty's colour with one form in text and JSON, `white` or `black`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// White; in an endgame's name, the side named first.
    White,
    /// Black; in an endgame's name, the side named second.
    Black,
}

impl From<Colour> for Color {
    fn from(colour: Colour) -> Color {
        match colour {
            Colour::White => Color::White,
            Colour::Black => Color::Black,
        }
    }
}

impl From<Color> for Colour {
    fn from(color: Color) -> Colour {
        color.fold_wb(Colour::White, Colour::Black)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

/// Returned when a text is neither `white` nor `black`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a colour is white or black, not {0:?}")]
pub struct ParseColourError(String);

impl Fault for ParseColourError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for Colour {
    type Err = ParseColourError;

    fn from_str(text: &str) -> Result<Colour, ParseColourError> {
        match text {
            "white" => Ok(Colour::White),
            "black" => Ok(Colour::Black),
            _ => Err(ParseColourError(text.to_owned())),
        }
    }
}
