//! Reading the games that are to be rated.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, SanPlus, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position};

/// Why games could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The text could not be read.
    #[error("cannot read the games")]
    Read(#[from] std::io::Error),
    /// The starting position of a game.
    #[error("game {game}: the FEN tag is not a legal position")]
    Start {
        /// The number of the game, from 1.
        game: usize,
    },
    /// A move.
    #[error("game {game}: {san} is not a legal move at ply {ply}")]
    Move {
        /// The number of the game, from 1.
        game: usize,
        /// The ply, from 1.
        ply: usize,
        /// The move as written.
        san: String,
    },
}

/// A game as it was read: the players, and each move with the position before it.
#[derive(Debug, Default)]
pub(crate) struct GameRecord {
    /// White's name and Black's.
    pub(crate) names: [String; 2],
    /// The position reached.
    position: Chess,
    /// Each move with the position before it.
    pub(crate) turns: Vec<(Chess, Move)>,
}

/// Reads one game; its number is for error messages.
pub(crate) struct Recorder {
    pub(crate) game: usize,
}

impl Visitor for Recorder {
    type Tags = GameRecord;
    type Movetext = GameRecord;
    type Output = Result<GameRecord, PgnError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(GameRecord::default())
    }

    fn tag(
        &mut self,
        record: &mut GameRecord,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        match name {
            b"White" => record.names[0] = value.decode_utf8_lossy().into_owned(),
            b"Black" => record.names[1] = value.decode_utf8_lossy().into_owned(),
            b"FEN" => {
                let fen = Fen::from_ascii(value.as_bytes()).ok();
                match fen.and_then(|fen| fen.into_position(CastlingMode::Standard).ok()) {
                    Some(position) => record.position = position,
                    None => return ControlFlow::Break(Err(PgnError::Start { game: self.game })),
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue(tags)
    }

    fn san(&mut self, record: &mut GameRecord, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(played) = san.san.to_move(&record.position) else {
            let (game, ply) = (self.game, record.turns.len() + 1);
            return ControlFlow::Break(Err(PgnError::Move {
                game,
                ply,
                san: san.to_string(),
            }));
        };
        record.turns.push((record.position.clone(), played));
        record.position.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, record: GameRecord) -> Self::Output {
        Ok(record)
    }
}
