//! A session: one game of practice with everything that happened in it. It is plain data, so that it can
//! be stored anywhere and resumed later.

use errare_core::{Colour, parse_position};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::SanPlus, uci::UciMove};

use super::{
    judgement::Judgement,
    rules::{self, Claim, End},
    setup::Setup,
    standing::Standing,
};
use crate::Error;

/// One game of practice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Session {
    /// Its unique id.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// Its setup.
    pub setup: Setup,
    /// The moves on the board.
    pub moves: Vec<Played>,
    /// Every move that the person tried, including those taken back, in order.
    pub attempts: Vec<Attempt>,
    /// The hints given, including those for turns taken back.
    pub hints: Vec<GivenHint>,
    /// Was a draw offered at this turn although the person is winning? A second offer counts.
    #[serde(default)]
    pub draw_doubted: bool,
    /// How it ended; none while it goes on.
    pub end: Option<End>,
}

/// A move on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Played {
    /// Its ply, from 0.
    pub ply: usize,
    /// The side that made it.
    pub colour: Colour,
    /// Did the person make it?
    pub yours: bool,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The position after it.
    pub fen: String,
    /// Its judgement.
    pub judgement: Judgement,
    /// The person's standing after it.
    pub standing: Standing,
    /// The level of the hint given before it; 0 for none.
    pub hint: u8,
    /// Does it count for the person's competence? It must be a first try without a hint.
    pub counts: bool,
}

/// A move that the person tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Attempt {
    /// The ply at which it was tried.
    pub ply: usize,
    /// The position in which it was tried.
    pub fen: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// Its judgement.
    pub judgement: Judgement,
    /// Does it count for the person's competence? It must be a first try without a hint.
    pub counts: bool,
}

impl Attempt {
    /// The position in which it was tried.
    pub(super) fn position(&self) -> Result<Chess, Error> {
        parse_position(&self.fen).map_err(|error| Error::bad_request(error.to_string()))
    }
}

/// A hint that was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GivenHint {
    /// The ply before which it was given.
    pub ply: usize,
    /// The position in which it was given.
    pub fen: String,
    /// Its level: 1 the piece, 2 the square, 3 the line.
    pub level: u8,
}

/// A session's positions and moves, from the start to the current board.
#[derive(Debug, Clone)]
pub(super) struct Board {
    pub(super) positions: Vec<Chess>,
    pub(super) moves: Vec<Move>,
}

impl Board {
    pub(super) fn position(&self) -> &Chess {
        self.positions.last().expect("a board has a first position")
    }

    pub(super) fn play(&mut self, m: Move) {
        let mut after = self.position().clone();
        after.play_unchecked(m);
        self.positions.push(after);
        self.moves.push(m);
    }
}

impl Session {
    /// The game on the board.
    pub(super) fn board(&self) -> Result<Board, Error> {
        let mut board = Board {
            positions: vec![self.setup.position()?],
            moves: Vec::new(),
        };
        for played in &self.moves {
            let uci: Option<UciMove> = played.uci.parse().ok();
            let m = uci.and_then(|uci| uci.to_move(board.position()).ok());
            let m = m.ok_or_else(|| {
                Error::bad_request(format!("the session's move {} is not legal", played.uci))
            })?;
            board.play(m);
        }
        Ok(board)
    }

    /// The position on the board, as FEN.
    pub fn fen(&self) -> &str {
        self.moves
            .last()
            .map_or(&self.setup.fen, |played| &played.fen)
    }

    /// The person's moves on the board.
    pub fn own_moves(&self) -> impl DoubleEndedIterator<Item = &Played> {
        self.moves.iter().filter(|played| played.yours)
    }

    /// The moves better than the person's last slip on the board, in words.
    pub fn better_than_last_slip(&self) -> Option<&str> {
        let mut own = self.own_moves();
        let slip = own.rfind(|played| played.judgement.is_slip())?;
        slip.judgement.better.as_deref()
    }

    /// The person's slips, including those taken back.
    pub fn slips(&self) -> impl Iterator<Item = &Attempt> {
        self.attempts
            .iter()
            .filter(|attempt| attempt.judgement.is_slip())
    }

    /// The number of the winner's moves that the person's slips have ceded.
    pub(super) fn ceded(&self) -> u32 {
        self.slips()
            .filter_map(|slip| slip.judgement.ceded)
            .map(u32::from)
            .sum()
    }

    /// The level of the hint given for the current turn.
    pub(super) fn hint_level(&self) -> u8 {
        let here = |hint: &&GivenHint| hint.ply == self.moves.len() && hint.fen == self.fen();
        let levels = self.hints.iter().filter(here).map(|hint| hint.level);
        levels.max().unwrap_or(0)
    }

    /// Does a move at the current turn count for the competence?
    pub(super) fn counts_now(&self) -> bool {
        let tried =
            |attempt: &Attempt| attempt.ply == self.moves.len() && attempt.fen == self.fen();
        self.hint_level() == 0 && !self.attempts.iter().any(tried)
    }

    /// The grounds on which the person may claim a draw now.
    pub(super) fn claim(&self, board: &Board) -> Option<Claim> {
        let yours = Colour::from(board.position().turn()) == self.setup.side;
        rules::claim(&board.positions).filter(|_| yours && self.end.is_none())
    }
}

/// A position as FEN.
pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A move in standard algebraic notation.
pub(super) fn san(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// The colour of the side to move.
pub(super) fn mover(position: &Chess) -> Colour {
    let turn: Color = position.turn();
    turn.into()
}
