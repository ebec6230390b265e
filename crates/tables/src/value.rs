//! The value of a stored position, in two bytes.

use errare_core::{Outcome, Plies};

/// The outcome of a stored position, or none if the position is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Value(u16);

impl Value {
    /// An illegal position.
    pub const NONE: Value = Value(0);
    /// A draw.
    pub const DRAW: Value = Value(1);

    /// The side to move wins in this many plies.
    pub const fn win(plies: u16) -> Value {
        Value(2 + 2 * plies)
    }

    /// The side to move loses in this many plies.
    pub const fn loss(plies: u16) -> Value {
        Value(3 + 2 * plies)
    }

    /// The value as the number used in files.
    pub(crate) const fn to_bits(self) -> u16 {
        self.0
    }

    /// The value from the number used in files.
    pub(crate) const fn from_bits(bits: u16) -> Value {
        Value(bits)
    }

    /// The outcome; `None` for an illegal position.
    pub const fn outcome(self) -> Option<Outcome> {
        match self.0 {
            0 => None,
            1 => Some(Outcome::Draw),
            n if n & 1 == 0 => Some(Outcome::Win(Plies((n - 2) / 2))),
            n => Some(Outcome::Loss(Plies((n - 3) / 2))),
        }
    }
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win(Plies(plies)) => Value::win(plies),
            Outcome::Draw => Value::DRAW,
            Outcome::Loss(Plies(plies)) => Value::loss(plies),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_outcomes() {
        for outcome in [
            Outcome::Draw,
            Outcome::Win(Plies(0)),
            Outcome::Loss(Plies(300)),
        ] {
            assert_eq!(Value::from(outcome).outcome(), Some(outcome));
        }
        assert_eq!(Value::NONE.outcome(), None);
    }
}
