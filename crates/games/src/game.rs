//! A game as it was read.

use indexmap::IndexMap;
use shakmaty::{Chess, Color, Move, Position};

/// The most plies of a game that are read. By the 75-move rule no game has more than 11,797.
pub const MOST_PLIES: usize = 20_000;

/// The most bytes of tags, comments and variations in a game that are read: more than any annotated game has.
pub const MOST_BYTES: usize = 16 << 20;

/// A game as far as it can be played through.
#[derive(Debug, Clone, Default)]
pub struct Game {
    /// Its number in the text, from 1.
    pub number: usize,
    /// All tags, in their order.
    pub tags: IndexMap<String, String>,
    /// Where it starts.
    pub start: Chess,
    /// The moves of the main line.
    pub moves: Vec<Move>,
    /// After each move the seconds on the player's clock, where a comment says so.
    pub clocks: Vec<Option<f64>>,
    /// The result that stands after the moves.
    pub ending: Option<String>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// More than this is not shown of a word that is no move.
const MOST_SHOWN: usize = 20;

/// A word as it can be shown: not too long, and without what would garble a terminal.
fn in_short(word: &str) -> String {
    let mut shown: String = word
        .chars()
        .take(MOST_SHOWN)
        .map(|character| match character.is_control() {
            true => char::REPLACEMENT_CHARACTER,
            false => character,
        })
        .collect();
    if word.chars().nth(MOST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is not PGN: a tag that does not end. Nothing of it is known.
    #[error("it is not PGN: {0}")]
    Syntax(String),
    /// It is a variant or another game; no move is read.
    #[error("it is a game of {0}, not of standard chess")]
    Variant(String),
    /// The starting position; no move is read.
    #[error("the FEN tag {0:?} is not a legal position")]
    Start(String),
    /// A move; it and what comes after it is not read.
    #[error("{} is not a legal move at {number}", in_short(san))]
    Illegal {
        /// Where, as `12.` or `12...`
        number: String,
        /// The move as written.
        san: String,
    },
    /// It has more plies than any game of chess; those after [`MOST_PLIES`] are not read.
    #[error(
        "it has more than {MOST_PLIES} plies, which no game of chess has; the rest is not read"
    )]
    TooLong,
    /// Its tags, comments and variations are too long; what comes after [`MOST_BYTES`] is not read.
    #[error("it has more than {} MiB of tags, comments and variations; the rest is not read", MOST_BYTES >> 20)]
    TooLarge,
    /// The result. It keeps no move from being read.
    #[error("the tag says {tag}, the moves end with {ending}")]
    Result {
        /// What the tag says.
        tag: String,
        /// What stands after the moves.
        ending: String,
    },
}

impl Game {
    /// Every move with the position before it.
    pub fn plies(&self) -> impl Iterator<Item = (Chess, Move)> {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&m| {
            let before = position.clone();
            position.play_unchecked(m);
            (before, m)
        })
    }

    /// The name of a side; empty if not known. It may be [nobody's](names_somebody).
    pub fn name(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black")).unwrap_or("")
    }

    /// The result by its tag, or else by what stands after the moves: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn result(&self) -> Option<&str> {
        self.tag("Result").or(self.ending.as_deref())
    }

    /// What kept the rest of the game from being read.
    pub fn flaw(&self) -> Option<&Problem> {
        let harmless = |problem: &&Problem| matches!(problem, Problem::Result { .. });
        self.problems.iter().find(|problem| !harmless(problem))
    }

    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }
}

/// Whether a name says who somebody is. Files write `?`, `NN`, `N.N.` or nothing for unknown players, who must not be
/// taken for one and the same.
///
/// ```
/// use errare_games::names_somebody;
///
/// assert!(names_somebody("Timman, Jan"));
/// assert!(["", " ", "?", "NN", "N.N.", "n, n", "-"].iter().all(|name| !names_somebody(name)));
/// ```
pub fn names_somebody(name: &str) -> bool {
    let letters = || name.chars().filter(|c| c.is_alphanumeric());
    letters().next().is_some() && !letters().map(|c| c.to_ascii_lowercase()).eq("nn".chars())
}
