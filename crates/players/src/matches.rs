//! Matches between any two players, from any positions, in any game.
//!
//! A game ends by its rules, or as a draw when a position occurs for the third time or the game's own counter says so (in chess
//! after 50 moves without a capture or pawn move). The random numbers of a game depend only on the seed and the game's number,
//! so results do not depend on the number of threads. Matches on tables under the rules of the papers have a faster path,
//! `errare_endgame::TableMatch`, which [`Hired`](crate::Hired) players can join as well.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use errare_choice::Estimate;
use errare_core::{Aside, Stopped, Watch};
use errare_minimax::{ConnectFour, End, GamePosition, Othello};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};
use std::collections::HashMap;

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
    /// When a game ends, apart from the rules of the game.
    pub rules: Rules,
}

/// When a game ends, apart from the rules of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The limit in moves by White; a game that reaches it is unfinished.
    pub most_moves: u64,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// White won.
    White,
    /// Drawn by the rules.
    Draw,
    /// Black won.
    Black,
    /// Drawn by the 50-move rule.
    FiftyMoves,
    /// A position occurred for the third time.
    Repetition,
    /// It reached the limit of moves.
    Unfinished,
}

impl Finish {
    /// The winner, if any.
    pub fn winner(self) -> Option<Color> {
        match self {
            Finish::White => Some(Color::White),
            Finish::Black => Some(Color::Black),
            _ => None,
        }
    }
}

/// A game of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// How it ended.
    pub finish: Finish,
    /// Did the second player have White?
    pub swapped: bool,
    /// White's moves.
    pub moves: u64,
    /// Plies.
    pub plies: u64,
    /// The apparent competence of White and Black; `None` where no depth was ceded or the game was not analysed.
    pub apparent: [Option<Estimate>; 2],
}

impl From<errare_endgame::Played> for Played {
    fn from(played: errare_endgame::Played) -> Played {
        use errare_endgame::Finish as End;
        Played {
            finish: match played.finish {
                End::White => Finish::White,
                End::Draw => Finish::Draw,
                End::Black => Finish::Black,
                End::FiftyMoves => Finish::FiftyMoves,
                End::Unfinished => Finish::Unfinished,
            },
            swapped: false,
            moves: played.moves,
            plies: played.plies,
            apparent: played.apparent,
        }
    }
}

/// A position that occurs this often is a draw.
const REPETITIONS: u32 = 3;

impl<G: Board> Match<'_, G> {
    /// Plays all games on this many threads and returns them in order, those from the first position first.
    pub fn play(&self, threads: usize, watch: &dyn Watch) -> Result<Vec<Played>, PlayError> {
        let total = self.games.saturating_mul(self.starts.len() as u64);
        self.play_numbers(0..total, threads, watch)
    }

    /// Plays the games with these numbers: each game's result is independent of the others.
    pub fn play_numbers(
        &self,
        numbers: Range<u64>,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Played>, PlayError> {
        let total = numbers.end;
        watch.begin("games", Some(total - numbers.start));
        let (next, score) = (
            AtomicU64::new(numbers.start),
            errare_endgame::Score::default(),
        );
        let work = || -> Result<Vec<(u64, Played)>, PlayError> {
            let mut games = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return Ok(games);
                }
                let played = self.play_game(number, watch, &mut |_, _| ());
                let played = played.inspect_err(|_| next.store(total, Ordering::Relaxed))?;
                watch.detail(&score.add(played.finish.winner()));
                games.push((number, played));
                watch.advance(1);
            }
        };
        let mut games = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            let mut all = Vec::new();
            for worker in workers {
                all.extend(worker.join().expect("no worker panics")?);
            }
            Ok::<_, PlayError>(all)
        })?;
        games.sort_by_key(|(number, _)| *number);
        Ok(games.into_iter().map(|(_, game)| game).collect())
    }

    /// Plays the game with this number and passes each position and move to `show`.
    pub fn play_game(
        &self,
        number: u64,
        watch: &dyn Watch,
        show: &mut dyn FnMut(&G, G::Move),
    ) -> Result<Played, PlayError> {
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
                    (End::Draw, _) => Finish::Draw,
                    (End::Win, Color::White) | (End::Loss, Color::Black) => Finish::White,
                    (End::Win, Color::Black) | (End::Loss, Color::White) => Finish::Black,
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
            if mover.is_white() && moves >= self.rules.most_moves {
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
        Ok(Played {
            finish,
            swapped,
            moves,
            plies,
            apparent: [None; 2],
        })
    }
}
