//! The marks that the papers print after a move.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How forced a move was, as marked in Haworth (2002), appendix B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// `°`: the only legal move.
    #[serde(rename = "°")]
    OnlyLegal,
    /// `"`: the only move that preserves the value.
    #[serde(rename = "\"")]
    OnlyPreserving,
    /// `'`: the only optimal move.
    #[serde(rename = "'")]
    OnlyOptimal,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Mark; 3] = [Mark::OnlyLegal, Mark::OnlyPreserving, Mark::OnlyOptimal];

    /// The printed symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::OnlyLegal => "°",
            Mark::OnlyPreserving => "\"",
            Mark::OnlyOptimal => "'",
        }
    }
}

// Implemented by hand, since the derived version takes the backslash of `"\""` as part of the name.
#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Mark {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .enum_values(Some(Mark::ALL.map(Mark::symbol)))
            .description(Some(
                "How forced a move was: ° the only legal one, \" the only one that preserves the value, ' the only \
                 optimal one.",
            ))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Mark {}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}
