//! A game to be entered into a study: its tags, and its turns with their exclusions.

use std::collections::HashSet;

use errare_engine::position_key;
use errare_games::{Game, Problem};
use indexmap::IndexMap;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, fen::Epd, uci::UciMove};

use crate::{Exclusion, turn::OPENING_MOVES};

/// A game to be entered.
#[derive(Debug, Clone, Default)]
pub struct GameRecord {
    /// The tags, in order.
    pub tags: IndexMap<String, String>,
    /// The turns of the main line.
    pub turns: Vec<TurnRecord>,
}

/// A turn to be entered.
#[derive(Debug, Clone)]
pub struct TurnRecord {
    /// The number of plies before it, counted from move 1.
    pub ply: u32,
    /// The position: a FEN without the move number, on which nothing depends.
    pub position: String,
    /// The number of legal moves.
    pub legal: usize,
    /// The move that was played.
    pub played: UciMove,
    /// The player's clock after the move, in seconds.
    pub clock: Option<f64>,
    /// Why the turn is excluded, as far as that can be decided without an engine.
    pub exclusion: Option<Exclusion>,
}

/// A game that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadGame {
    /// It could not be read to its end.
    #[error(transparent)]
    Flawed(#[from] Problem),
    /// It has no moves.
    #[error("it has no moves")]
    Empty,
    /// Its starting position has checks that no move can have given, which engines do not accept.
    #[error("its starting position cannot occur in a game")]
    Impossible,
    /// Its first move number is beyond any game.
    #[error("its first move has the number {0}")]
    Late(u32),
}

/// More than any game has.
const MOST_MOVES: u32 = 1 << 16;

impl GameRecord {
    /// The turns of a game, which must have been read completely.
    ///
    /// ```
    /// use errare_rating::{Exclusion, GameRecord};
    ///
    /// let pgn = "1. e4 e5 2. Nf3 Nc6 *";
    /// let game = errare_games::games(pgn.as_bytes()).next().ok_or("there is a game")??;
    /// let record = GameRecord::new(game)?;
    /// assert_eq!(record.turns.len(), 4);
    /// assert_eq!(record.turns[3].exclusion, Some(Exclusion::Opening));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(game: Game) -> Result<GameRecord, BadGame> {
        if let Some(flaw) = game.flaw() {
            return Err(flaw.clone().into());
        }
        if game.moves.is_empty() {
            return Err(BadGame::Empty);
        }
        let first = game.start.fullmoves().get();
        if first > MOST_MOVES {
            return Err(BadGame::Late(first));
        }
        let setup = game.start.to_setup(EnPassantMode::Legal);
        if Chess::from_setup(setup, CastlingMode::Standard).is_err() {
            return Err(BadGame::Impossible);
        }
        let mut seen = HashSet::new();
        let mut turn = |(position, played): (Chess, _), clock| {
            let full_move = position.fullmoves().get();
            let new = seen.insert(Epd::from_position(&position, EnPassantMode::Legal));
            let legal = position.legal_moves().len();
            TurnRecord {
                ply: 2 * (full_move - 1) + position.turn().fold_wb(0, 1),
                position: position_key(&position),
                legal,
                played: UciMove::from_move(played, CastlingMode::Standard),
                clock,
                exclusion: exclusion(full_move, new, legal),
            }
        };
        let plies = game.plies().zip(&game.clocks);
        let turns = plies.map(|(ply, &clock)| turn(ply, clock)).collect();
        Ok(GameRecord {
            tags: game.tags,
            turns,
        })
    }
}

/// Why a turn is excluded, as far as that can be decided without an engine.
pub(crate) fn exclusion(full_move: u32, new: bool, legal: usize) -> Option<Exclusion> {
    if full_move <= OPENING_MOVES {
        Some(Exclusion::Opening)
    } else if !new {
        Some(Exclusion::Repetition)
    } else if legal < 2 {
        Some(Exclusion::OnlyMove)
    } else {
        None
    }
}
