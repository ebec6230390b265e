//! Time controls: was a game played at a classical pace?

use crate::StudyGame;

/// An hour for sixty moves is the minimum for classical.
const CLASSICAL_SECONDS: f64 = 3600.0;
const MOVES: f64 = 60.0;

/// How fast a game was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At least an hour per player.
    Classical,
    /// Faster.
    Fast,
    /// The game does not say.
    Unknown,
}

impl Pace {
    /// The pace of a game, from its time control or else the name of its event.
    ///
    /// ```
    /// use errare_rating::{Contestant, GameId, Pace, StudyGame};
    ///
    /// let game = |control: &str| StudyGame {
    ///     id: GameId(1),
    ///     white: Contestant::default(),
    ///     black: Contestant::default(),
    ///     tags: [("TimeControl".to_owned(), control.to_owned())].into_iter().collect(),
    /// };
    /// assert_eq!(Pace::of(&game("40/7200:3600")), Pace::Classical);
    /// assert_eq!(Pace::of(&game("180+2")), Pace::Fast);
    /// ```
    #[must_use]
    pub fn of(game: &StudyGame) -> Pace {
        if let Some(seconds) = game.time_control().and_then(seconds) {
            return if seconds >= CLASSICAL_SECONDS {
                Pace::Classical
            } else {
                Pace::Fast
            };
        }
        let event = game.event().unwrap_or_default().to_lowercase();
        let fast = ["blitz", "rapid", "bullet", "armageddon", "blindfold"];
        if fast.iter().any(|word| event.contains(word)) {
            Pace::Fast
        } else {
            Pace::Unknown
        }
    }
}

/// The seconds a player has for sixty moves: `40/7200:3600`, `5400+30`, `300`.
fn seconds(control: &str) -> Option<f64> {
    let mut total = 0.0;
    for period in control.split(':') {
        let time = period.split_once('/').map_or(period, |(_, time)| time);
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let base: f64 = base.trim().parse().ok()?;
        let increment: f64 = increment.trim().parse().ok()?;
        total += base + increment * MOVES;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_understood() {
        assert_eq!(seconds("40/7200:3600"), Some(10_800.0));
        assert_eq!(seconds("5400+30"), Some(7200.0));
        assert_eq!(seconds("180+2"), Some(300.0));
        assert_eq!(seconds("*60"), None);
        assert_eq!(seconds("unknown"), None);
    }
}
