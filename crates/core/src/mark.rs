//! The papers' marks behind a move.

use std::fmt;

use serde::{Serialize, Serializer};

/// How forced a move was, as marked in Haworth (2002), appendix B.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `°`: the only legal move.
    OnlyLegal,
    /// `"`: the only move that preserves the value.
    OnlyPreserving,
    /// `'`: the only optimal move.
    OnlyOptimal,
}

impl Mark {
    /// The mark as printed.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::OnlyLegal => "°",
            Mark::OnlyPreserving => "\"",
            Mark::OnlyOptimal => "'",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.symbol())
    }
}
