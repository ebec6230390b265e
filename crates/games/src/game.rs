//! A game as read from PGN.

use indexmap::IndexMap;
use shakmaty::{Chess, Color, Move, Position};

/// The maximum number of plies read from a game. Under the 75-move rule no game has more than 11,797.
pub const MOST_PLIES: usize = 20_000;

/// The maximum number of bytes of tags, comments and variations read from a game: more than any annotated game has.
pub const MOST_BYTES: usize = 16 << 20;

/// A game, as far as it can be played through.
#[derive(Debug, Clone, Default)]
pub struct Game {
    /// Its number in the text, from 1.
    pub number: usize,
    /// All tags, in order.
    pub tags: IndexMap<String, String>,
    /// The starting position.
    pub start: Chess,
    /// The moves of the main line.
    pub moves: Vec<Move>,
    /// Seconds left on the player's clock after each move, where a comment gives them.
    pub clocks: Vec<Option<f64>>,
    /// The result given after the moves.
    pub ending: Option<String>,
    /// The problems found while reading it.
    pub problems: Vec<Problem>,
}

/// Maximum length of an unreadable move when shown.
const MOST_SHOWN: usize = 20;

/// Shortens a word for display and replaces characters that would garble a terminal.
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

/// A problem with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is not PGN: a tag that does not end. The game is lost.
    #[error("it is not PGN: {0}")]
    Syntax(String),
    /// It is a variant or another game; no moves are read.
    #[error("it is a game of {0}, not of standard chess")]
    Variant(String),
    /// The starting position is illegal; no moves are read.
    #[error("the FEN tag {0:?} is not a legal position")]
    Start(String),
    /// A move is illegal; it and everything after it are not read.
    #[error("{} is not a legal move at {number}", in_short(san))]
    Illegal {
        /// The move number, as `12.` or `12...`
        number: String,
        /// The move as written.
        san: String,
    },
    /// It has more plies than any game of chess; those beyond [`MOST_PLIES`] are not read.
    #[error(
        "it has more than {MOST_PLIES} plies, which no game of chess has; the rest is not read"
    )]
    TooLong,
    /// Its tags, comments and variations are too long; the rest beyond [`MOST_BYTES`] is not read.
    #[error("it has more than {} MiB of tags, comments and variations; the rest is not read", MOST_BYTES >> 20)]
    TooLarge,
    /// The result tag disagrees with the movetext. All moves are read nevertheless.
    #[error("the tag says {tag}, the moves end with {ending}")]
    Result {
        /// What the tag says.
        tag: String,
        /// What follows the moves.
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

    /// The name of a side; empty if unknown. It may be a [placeholder](names_somebody).
    pub fn name(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black")).unwrap_or("")
    }

    /// The result from its tag, or else from the end of the movetext: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn result(&self) -> Option<&str> {
        self.tag("Result").or(self.ending.as_deref())
    }

    /// The problem that kept the rest of the game from being read.
    pub fn flaw(&self) -> Option<&Problem> {
        let harmless = |problem: &&Problem| matches!(problem, Problem::Result { .. });
        self.problems.iter().find(|problem| !harmless(problem))
    }

    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(String::as_str)
    }
}

/// Names listed at once: more are a wall of text, and nobody looks for one among hundreds.
const MOST_LISTED: usize = 10;

/// Names for a message, of many the first ones.
///
/// ```
/// use errare_games::listed_names;
///
/// let names = |count: usize| (1..=count).map(|n| format!("Smith, {n}")).collect::<Vec<_>>();
/// assert_eq!(listed_names(&names(2)), "Smith, 1; Smith, 2");
/// assert!(listed_names(&names(900)).ends_with("Smith, 10 and 890 more"));
/// ```
pub fn listed_names(names: &[String]) -> String {
    match names.split_at_checked(MOST_LISTED) {
        Some((first, more @ [_, ..])) => format!("{} and {} more", first.join("; "), more.len()),
        _ => names.join("; "),
    }
}

/// A name as it is compared: files write one player in capitals or not, and put spaces as they like.
///
/// ```
/// use errare_games::name_key;
///
/// assert_eq!(name_key("TIMMAN,JAN"), name_key("Timman, Jan"));
/// ```
pub fn name_key(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect()
}

/// Does a name identify a player? Files write `?`, `NN`, `N.N.` or nothing for unknown players, who must not be taken
/// for one person.
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
