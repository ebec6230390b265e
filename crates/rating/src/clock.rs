//! Ranges of time on the player's clock.

/// How much time a player had left after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockRange {
    /// Less than a minute.
    Short,
    /// One to five minutes.
    Middling,
    /// More than five minutes.
    Long,
}

impl ClockRange {
    /// All ranges.
    pub const ALL: [ClockRange; 3] = [ClockRange::Short, ClockRange::Middling, ClockRange::Long];

    /// The range of a time in seconds.
    #[must_use]
    pub fn of(seconds: f64) -> ClockRange {
        match seconds {
            ..60.0 => ClockRange::Short,
            ..300.0 => ClockRange::Middling,
            _ => ClockRange::Long,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ClockRange::Short => "less than a minute",
            ClockRange::Middling => "one to five minutes",
            ClockRange::Long => "more than five minutes",
        }
    }
}
