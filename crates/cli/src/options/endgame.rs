//! The argument that names an endgame, as its user writes it.

use std::{fmt, str::FromStr};

use errare_core::{Material, ParseMaterialError};

/// An endgame and how it was typed: KRvKQ is the table KQKR.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TypedEndgame {
    material: Material,
    typed: String,
}

impl TypedEndgame {
    /// The endgame.
    pub(crate) fn material(&self) -> Material {
        self.material
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
        Ok(TypedEndgame {
            material: text.parse()?,
            typed: text.to_owned(),
        })
    }
}

impl fmt::Display for TypedEndgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.typed)
    }
}
