//! Reading games.

use std::{io, ops::ControlFlow};

use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, PositionError, fen::Fen};

/// A game as far as it can be played through.
#[derive(Debug, Clone, Default)]
pub struct Game {
    /// Its number in the file, from 1.
    pub number: usize,
    /// White's name and Black's; empty if not known.
    pub names: [String; 2],
    /// The result by its tag: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// All tags, as they stand in the file.
    pub tags: Vec<(String, String)>,
    /// Where it starts.
    pub start: Chess,
    /// The moves.
    pub moves: Vec<Move>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// What is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The starting position; no move is read then.
    #[error("the FEN tag {0:?} is not a legal position")]
    Start(String),
    /// A move; what comes after it is not read.
    #[error("ply {ply}: {san} is not a legal move here")]
    Illegal {
        /// The ply, from 1.
        ply: usize,
        /// The move as written.
        san: String,
    },
    /// The result.
    #[error("the tag says {tag}, the moves end with {movetext}")]
    Result {
        /// What the tag says.
        tag: String,
        /// What stands after the moves.
        movetext: String,
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

    /// The name of a side.
    pub fn name(&self, color: Color) -> &str {
        &self.names[color.fold_wb(0, 1)]
    }
}

/// Reads all games of a PGN file. Comments and variations are skipped.
pub fn read_games(pgn: impl io::Read) -> impl Iterator<Item = io::Result<Game>> {
    let mut reader = Reader::new(pgn);
    let mut number = 0;
    std::iter::from_fn(move || {
        number += 1;
        let game = reader.read_game(&mut Recorder).transpose()?;
        Some(game.map(|game| Game { number, ..game }))
    })
}

struct Recorder;

struct Record {
    game: Game,
    position: Chess,
}

impl Visitor for Recorder {
    type Tags = Game;
    type Movetext = Record;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"White" => game.names[0].clone_from(&value),
            b"Black" => game.names[1].clone_from(&value),
            b"Result" => game.result = Some(value.clone()),
            b"FEN" => match position(&value) {
                Some(position) => game.start = position,
                None => game.problems.push(Problem::Start(value.clone())),
            },
            _ => {}
        }
        let name = String::from_utf8_lossy(name).into_owned();
        game.tags.push((name, value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Game, Record> {
        let position = game.start.clone();
        ControlFlow::Continue(Record { game, position })
    }

    fn san(&mut self, record: &mut Record, san: SanPlus) -> ControlFlow<Game> {
        let stuck = |problem: &Problem| !matches!(problem, Problem::Result { .. });
        if record.game.problems.iter().any(stuck) {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&record.position) {
            Ok(m) => {
                record.position.play_unchecked(m);
                record.game.moves.push(m);
            }
            Err(_) => record.game.problems.push(Problem::Illegal {
                ply: record.game.moves.len() + 1,
                san: san.to_string(),
            }),
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, record: &mut Record, outcome: Outcome) -> ControlFlow<Game> {
        let movetext = outcome.to_string();
        match &record.game.result {
            Some(tag) if *tag != movetext && tag != "*" => {
                let tag = tag.clone();
                let problem = Problem::Result { tag, movetext };
                record.game.problems.push(problem);
            }
            Some(_) => {}
            None => record.game.result = Some(movetext),
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, record: Record) -> Game {
        record.game
    }
}

/// The position of a FEN tag. Checks that no move can have given are accepted, as by the tables.
fn position(fen: &str) -> Option<Chess> {
    let fen: Fen = fen.parse().ok()?;
    let position = fen.into_position(CastlingMode::Standard);
    position
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
