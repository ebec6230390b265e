//! Matches between any two players, from any positions, in any game.
//!
//! A game ends by its rules, or as a draw when a position occurs for the third time or the game's own counter says so (in chess
//! after 50 moves without a capture or pawn move). The random numbers of a game depend only on the seed and the game's number,
//! so results do not depend on the number of threads. Matches on tables under the rules of the papers have a faster path,
//! `errare_endgame::TableMatch`, which [`Hired`](crate::Hired) players can join as well.

use std::{collections::HashMap, ops::Range};

use errare_core::{Aside, Stopped, Watch};
use errare_endgame::{Finish, MatchGame, play_numbered};
use errare_minimax::{ConnectFour, GameEnd, GamePosition, Othello};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Color, Position};

use crate::{Chooser, PlayError};

/// A player that can start games.
pub trait Seats<G: GamePosition = Chess>: Sync {
    /// Starts one side of a new game.
    fn sit(&self) -> Box<dyn Chooser<G>>;
}

/// What a match needs to know about a game besides its moves.
pub trait Board: GamePosition {
    /// The side to move; in games without colours, the side that begins is White.
    fn mover(&self, plies: u64) -> Color {
        Color::from_white(plies.is_multiple_of(2))
    }

    /// Does the game's own counter make it a draw?
    fn is_drawn(&self) -> bool {
        false
    }
}

/// Plies without capture or pawn move after which a player may claim a draw (Laws of Chess, article 9.3).
const FIFTY_MOVES: u32 = 100;

impl Board for Chess {
    fn mover(&self, _plies: u64) -> Color {
        self.turn()
    }

    fn is_drawn(&self) -> bool {
        self.halfmoves() >= FIFTY_MOVES
    }
}

impl Board for Othello {}

impl Board for ConnectFour {}

/// A match.
pub struct Match<'a, G: GamePosition> {
    /// White and Black, unless colours are swapped.
    pub players: [&'a dyn Seats<G>; 2],
    /// The starting positions.
    pub starts: &'a [G],
    /// The number of games from each of them.
    pub games: u64,
    /// Do the players swap colours after each game?
    pub swap: bool,
    /// The seed of the random numbers.
    pub seed: u64,
    /// A game with more moves of White than this is unfinished.
    pub most_moves: u64,
}

/// A position that occurs this often is a draw.
const REPETITIONS: u32 = 3;

impl<G: Board> Match<'_, G> {
    /// Plays all games on this many threads and returns them in order, those from the first position first.
    pub fn play(&self, threads: usize, watch: &dyn Watch) -> Result<Vec<MatchGame>, PlayError> {
        let total = self.games.saturating_mul(self.starts.len() as u64);
        self.play_numbers(0..total, threads, watch)
    }

    /// Plays the games with these numbers: each game's result is independent of the others.
    pub fn play_numbers(
        &self,
        numbers: Range<u64>,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<MatchGame>, PlayError> {
        play_numbered(numbers, threads, watch, || {
            |number| self.play_game(number, watch, &mut |_, _| ())
        })
    }

    /// Plays the game with this number and passes each position and move to `show`.
    pub fn play_game(
        &self,
        number: u64,
        watch: &dyn Watch,
        show: &mut dyn FnMut(&G, G::Move),
    ) -> Result<MatchGame, PlayError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let swapped = self.swap && number % 2 == 1;
        let mut sides = self.players.map(Seats::sit);
        if swapped {
            sides.reverse();
        }
        let mut position = self.starts[(number / self.games) as usize].clone();
        let mut seen: HashMap<G, u32> = HashMap::new();
        let (mut moves, mut plies) = (0, 0);
        let finish = loop {
            if watch.is_stopped() {
                return Err(Stopped.into());
            }
            let mover = position.mover(plies);
            if position.moves().is_empty() {
                break match (position.terminal(), mover) {
                    (GameEnd::Draw, _) => Finish::Draw,
                    (GameEnd::Win, Color::White) | (GameEnd::Loss, Color::Black) => Finish::White,
                    (GameEnd::Win, Color::Black) | (GameEnd::Loss, Color::White) => Finish::Black,
                };
            }
            if position.is_drawn() {
                break Finish::FiftyMoves;
            }
            let times = seen.entry(position.clone()).or_default();
            *times += 1;
            if *times >= REPETITIONS {
                break Finish::Repetition;
            }
            if mover.is_white() && moves >= self.most_moves {
                break Finish::Unfinished;
            }
            let side = mover.fold_wb(0, 1);
            let chosen = sides[side]
                .choose_within(&position, &mut rng, &Aside(watch))?
                .r#move;
            sides[side].made(&position, chosen);
            sides[1 - side].watch(&position, chosen);
            show(&position, chosen);
            moves += u64::from(mover.is_white());
            plies += 1;
            position = position.play(chosen);
        };
        Ok(MatchGame {
            finish,
            swapped,
            moves,
            plies,
            apparent: [None; 2],
        })
    }
}
