//! A game in a study.

use indexmap::IndexMap;
use serde::Serialize;
use shakmaty::Color;

/// A game's number in its study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GameId(pub i64);

/// A player of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Contestant {
    /// The name; `?` if unknown.
    pub name: String,
    /// The rating given in the game's file.
    pub elo: Option<u16>,
}

/// Lower values are not ratings: files use 0 or 1 for unknown.
const LEAST_RATING: u16 = 100;

impl Contestant {
    /// The rating, if it is valid.
    #[must_use]
    pub fn rating(&self) -> Option<f64> {
        self.elo.filter(|elo| *elo >= LEAST_RATING).map(f64::from)
    }

    /// Does the name [identify somebody](errare_games::names_somebody)?
    ///
    /// ```
    /// use errare_rating::Contestant;
    ///
    /// let named = |name: &str| Contestant { name: name.to_owned(), elo: Some(0) };
    /// assert!(named("Timman, Jan").is_somebody());
    /// assert!(!named("?").is_somebody() && !named(" NN ").is_somebody());
    /// assert_eq!(named("").rating(), None);
    /// ```
    #[must_use]
    pub fn is_somebody(&self) -> bool {
        errare_games::names_somebody(&self.name)
    }
}

/// A game: players, date and place. Its moves are stored as turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyGame {
    /// The number in the study.
    pub id: GameId,
    /// White.
    pub white: Contestant,
    /// Black.
    pub black: Contestant,
    /// All tags of the game's file, including the players.
    pub tags: IndexMap<String, String>,
}

impl StudyGame {
    /// The player of this colour.
    #[must_use]
    pub fn player(&self, colour: Color) -> &Contestant {
        colour.fold_wb(&self.white, &self.black)
    }

    /// A tag's value, unless it is missing, empty or `?`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str).filter(|value| {
            let unknown = |byte: u8| matches!(byte, b'?' | b'.' | b'-' | b' ');
            !value.bytes().all(unknown)
        })
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> Option<&str> {
        self.tag("Event")
    }

    /// The date in the file, as `2009.01.17`; on Lichess in UTC.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.tag("Date").or_else(|| self.tag("UTCDate"))
    }

    /// The year.
    #[must_use]
    pub fn year(&self) -> Option<u16> {
        self.date()?.get(..4)?.parse().ok()
    }

    /// The time control in PGN notation, as `40/7200:3600` or `300+3`.
    #[must_use]
    pub fn time_control(&self) -> Option<&str> {
        self.tag("TimeControl")
    }

    /// The result, as `1-0`.
    #[must_use]
    pub fn result(&self) -> Option<&str> {
        self.tags.get("Result").map(String::as_str)
    }
}
