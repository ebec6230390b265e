//! The keys of evaluations: the engine, and the position.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, Position, fen::Epd};

/// The engine, its version and net, the search depth and the number of lines.
///
/// Evaluations with the same key are comparable; a calibration holds for one key only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EngineKey {
    /// The engine's name, as `Stockfish`.
    pub name: String,
    /// Its version, as `15.1`.
    pub version: String,
    /// Its network, as `nn-ad9b42354671.nnue`; empty if it has or reports none.
    pub net: String,
    /// The depth of the search.
    pub depth: u8,
    /// The number of lines: [`EngineKey::ALL_MOVES`].
    pub multi_pv: String,
}

impl EngineKey {
    /// As many lines as there are legal moves.
    pub const ALL_MOVES: &'static str = "all";

    /// The key of a search that ranks all legal moves. `id` is the engine's UCI name, as in `Stockfish
    /// 15.1`: the version starts at the first word after the first that contains a digit.
    ///
    /// ```
    /// use errare_engine::EngineKey;
    ///
    /// let key = EngineKey::new("Stockfish 15.1", "nn-ad9b42354671.nnue", 10);
    /// assert_eq!((&*key.name, &*key.version), ("Stockfish", "15.1"));
    /// let key = EngineKey::new("Lc0 v0.30.0+git", "", 10);
    /// assert_eq!((&*key.name, &*key.version), ("Lc0", "v0.30.0+git"));
    /// ```
    #[must_use]
    pub fn new(id: &str, net: &str, depth: u8) -> EngineKey {
        let words: Vec<&str> = id.split_whitespace().collect();
        let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
        let version = words.iter().skip(1).position(has_digit);
        let (name, version) = words.split_at(version.map_or(words.len(), |index| index + 1));
        EngineKey {
            name: name.join(" "),
            version: version.join(" "),
            net: net.to_owned(),
            depth,
            multi_pv: Self::ALL_MOVES.to_owned(),
        }
    }

    /// The same engine at another depth. A search to depth 10 goes through the same iterations as one
    /// to depth 8, so it contains that search.
    #[must_use]
    pub fn at_depth(&self, depth: u8) -> EngineKey {
        EngineKey {
            depth,
            ..self.clone()
        }
    }
}

impl fmt::Display for EngineKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if !self.version.is_empty() {
            write!(f, " {}", self.version)?;
        }
        if !self.net.is_empty() {
            write!(f, " ({})", self.net)?;
        }
        write!(f, ", depth {}, multi-PV {}", self.depth, self.multi_pv)
    }
}

/// The key under which evaluations of a position are stored: its FEN without the move number, with an
/// en-passant square only if the capture is legal.
///
/// ```
/// use errare_engine::position_key;
/// use shakmaty::Chess;
///
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
/// assert_eq!(position_key(&Chess::default()), start);
/// ```
#[must_use]
pub fn position_key(position: &Chess) -> String {
    let epd = Epd::from_position(position, EnPassantMode::Legal);
    format!("{epd} {}", position.halfmoves())
}
