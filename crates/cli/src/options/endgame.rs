//! The argument that names an endgame, as its user writes it.

use std::{fmt, str::FromStr};

use errare_core::{Colour, Material, ParseMaterialError};

/// An endgame and how it was typed: KRvKQ is the table KQKR, with the sides exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypedEndgame {
    material: Material,
    typed: String,
    turned: bool,
}

impl TypedEndgame {
    /// The endgame.
    pub(crate) fn material(&self) -> Material {
        self.material
    }

    /// The side of the table that is this side of the endgame as typed; says so where it is the other one.
    pub(crate) fn side(&self, typed: Colour) -> Colour {
        if !self.turned {
            return typed;
        }
        let side = match typed {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        };
        talk!(
            "errare: {self} is {} with the sides exchanged; its {typed} is {side} there",
            self.material
        );
        side
    }

    /// An error about the endgame, which calls it what its user calls it.
    pub(crate) fn named(&self, error: anyhow::Error) -> anyhow::Error {
        match self.typed == self.material.to_string() {
            true => error,
            false => error.context(format!("{} ({})", self.typed, self.material)),
        }
    }
}

/// An error about one of some endgames, which calls it what its user calls it.
pub(crate) fn as_typed(error: errare_service::Error, endgames: &[TypedEndgame]) -> anyhow::Error {
    let text = error.to_string();
    let meant = |endgame: &&TypedEndgame| text.contains(&endgame.material.to_string());
    match endgames.iter().find(meant) {
        Some(endgame) => endgame.named(error.into()),
        None => error.into(),
    }
}

impl FromStr for TypedEndgame {
    type Err = ParseMaterialError;

    fn from_str(text: &str) -> Result<TypedEndgame, ParseMaterialError> {
        let material: Material = text.parse()?;
        let letters = text.to_ascii_uppercase();
        let first = match letters.split_once('V') {
            Some((first, _)) => first,
            None => &letters[..letters.rfind('K').unwrap_or_default()],
        };
        // Against a bare king the side is named first.
        let first = format!("{first}K")
            .parse::<Material>()?
            .army(Colour::White.into());
        Ok(TypedEndgame {
            material,
            typed: text.to_owned(),
            turned: first != material.army(Colour::White.into()),
        })
    }
}

impl fmt::Display for TypedEndgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_are_those_that_were_typed() {
        let side = |text: &str| text.parse::<TypedEndgame>().unwrap().side(Colour::White);
        for text in ["KQKR", "kqvkr", "KQK", "KQKQ", "KRRKQ", "KBBKN"] {
            assert_eq!(side(text), Colour::White, "{text}");
        }
        for text in ["KRKQ", "KRvKQ", "KKQ", "KQKRR", "knkbb"] {
            assert_eq!(side(text), Colour::Black, "{text}");
        }
    }
}
