//! Which automaton explains the moves of a game best? The log-likelihood of a player's moves under
//! A^δ, depth by depth.
//!
//! People are not automata: some moves have a probability of 0, or one too small to be computed. A
//! *lapse* says how often a player moves at random instead: the likelihood of a move is
//! (1 - lapse) prob(move) + lapse / moves.

use std::io::Read;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use serde::Serialize;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use crate::{Alpha, Scores, Shape, Terminals, Ties, probabilities};

/// How to rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The depths to try.
    pub depths: Vec<NonZeroU32>,
    /// The scores of the leaves.
    pub alpha: Alpha,
    /// What ends of the game are worth.
    pub terminals: Terminals,
    /// How often a player moves at random.
    pub lapse: f64,
    /// The error allowed in the probabilities.
    pub tolerance: f64,
}

/// The moves of one player of one game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// The number of the game, from 1.
    pub game: usize,
    /// White or Black.
    pub color: &'static str,
    /// The name in the game's tags.
    pub name: String,
    /// How many moves the player made.
    pub moves: usize,
    /// The depths, in the order asked for.
    pub depths: Vec<DepthFit>,
}

/// How well one depth explains a player's moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DepthFit {
    /// δ.
    pub depth: NonZeroU32,
    /// The natural logarithm of the probability of all moves; `None` if it is 0.
    pub log_likelihood: Option<f64>,
}

impl RatedPlayer {
    /// The depth that explains the moves best, the first of equals.
    pub fn best(&self) -> Option<DepthFit> {
        let possible = self
            .depths
            .iter()
            .rev()
            .filter(|fit| fit.log_likelihood.is_some());
        possible.copied().max_by(|a, b| {
            a.log_likelihood
                .partial_cmp(&b.log_likelihood)
                .expect("no NaN")
        })
    }
}

/// Why games could not be rated.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
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
struct GameRecord {
    names: [String; 2],
    position: Chess,
    turns: Vec<(Chess, Move)>,
}

/// Reads one game; its number is for error messages.
struct Recorder {
    game: usize,
}

impl Visitor for Recorder {
    type Tags = Result<GameRecord, RateError>;
    type Movetext = GameRecord;
    type Output = Result<GameRecord, RateError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Ok(GameRecord::default()))
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let Ok(record) = tags else {
            return ControlFlow::Continue(());
        };
        match name {
            b"White" => record.names[0] = value.decode_utf8_lossy().into_owned(),
            b"Black" => record.names[1] = value.decode_utf8_lossy().into_owned(),
            b"FEN" => {
                let fen = Fen::from_ascii(value.as_bytes()).ok();
                match fen.and_then(|fen| fen.into_position(CastlingMode::Standard).ok()) {
                    Some(position) => record.position = position,
                    None => return ControlFlow::Break(Err(RateError::Start { game: self.game })),
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match tags {
            Ok(record) => ControlFlow::Continue(record),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    fn san(&mut self, record: &mut GameRecord, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(played) = san.san.to_move(&record.position) else {
            let (game, ply) = (self.game, record.turns.len() + 1);
            return ControlFlow::Break(Err(RateError::Move {
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

/// Rates both players of every game in PGN text, calling `done` after each position.
pub fn rate(
    games: impl Read,
    rating: &Rating,
    done: impl Fn(),
) -> Result<Vec<RatedPlayer>, RateError> {
    let mut reader = Reader::new(games);
    let mut rated = Vec::new();
    for game in 1.. {
        let Some(record) = reader.read_game(&mut Recorder { game })? else {
            break;
        };
        let record = record?;
        let mut sums = [0, 1].map(|_| vec![0.0; rating.depths.len()]);
        for (position, played) in &record.turns {
            let sums = &mut sums[usize::from(position.turn().is_black())];
            for (sum, depth) in sums.iter_mut().zip(&rating.depths) {
                *sum += rating.likelihood(position, *played, *depth).ln();
            }
            done();
        }
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let fits = rating.depths.iter().zip(&sums[side]);
            rated.push(RatedPlayer {
                game,
                color: if color.is_white() { "white" } else { "black" },
                name: record.names[side].clone(),
                moves: record
                    .turns
                    .iter()
                    .filter(|(position, _)| position.turn() == color)
                    .count(),
                depths: fits
                    .map(|(&depth, &sum)| DepthFit {
                        depth,
                        log_likelihood: sum.is_finite().then_some(sum),
                    })
                    .collect(),
            });
        }
    }
    Ok(rated)
}

impl Rating {
    /// The probability that A^depth, with lapses, plays this move.
    fn likelihood(&self, position: &Chess, played: Move, depth: NonZeroU32) -> f64 {
        let shape = Shape::of(position, depth, self.terminals);
        let estimate = probabilities(&shape, self.alpha, Ties::Uniform, self.tolerance);
        let index = position
            .legal_moves()
            .iter()
            .position(|&legal| legal == played);
        let probability = estimate.probabilities[index.expect("the move was found legal")];
        // Below its error a probability is not known to differ from 0.
        let resolved = if probability > estimate.error {
            probability
        } else {
            0.0
        };
        (1.0 - self.lapse) * resolved + self.lapse / shape.moves() as f64
    }
}
