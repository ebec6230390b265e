//! Matches between two players, and the paper's win(δ_1, δ_2).
//!
//! Colours alternate. A game ends by its rules; it is also drawn when a position occurs for the fifth
//! time or the game's own counter runs out (in chess, 75 moves without capture or pawn move): the
//! automatic draws of chess, since these players claim nothing. A game that reaches the limit of
//! plies is adjudicated by the game's own measure (in chess material, 9-5-3-3-1).
//!
//! Each game has its own stream of random numbers, so results do not depend on the number of threads.
//!
//! Reference: Levene & Fenner, section 3.

use errare_core::{Stopped, Watch};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::game::{GameEnd, GamePosition};
use crate::{MinimaxPlayer, WilsonInterval};

/// A match between two players.
///
/// ```
/// use errare_minimax::{ConnectFour, MatchTally, MinimaxMatch};
///
/// let meeting = MinimaxMatch {
///     players: ["minimax:depth=2".parse()?, "random".parse()?],
///     start: ConnectFour::default(),
///     games: 20,
///     most_plies: 42,
///     seed: 1,
/// };
/// let tally = MatchTally::of(&meeting.play(&())?);
/// assert!(tally.wins > tally.losses);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MinimaxMatch<G> {
    /// The players; the first begins the games with even numbers.
    pub players: [MinimaxPlayer; 2],
    /// The position every game starts from.
    pub start: G,
    /// The number of games.
    pub games: u32,
    /// Games are adjudicated after this many plies.
    pub most_plies: u32,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// By the rules of the game.
    Rules,
    /// The same position for the fifth time.
    Repetition,
    /// The game's own counter.
    Counter,
    /// By adjudication at the limit of plies.
    Adjudication,
}

/// A game that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGame {
    /// The winner, 0 or 1; `None` for a draw.
    pub winner: Option<usize>,
    /// How it ended.
    pub finish: EndedBy,
    /// Its length.
    pub plies: u32,
}

/// The result of a match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MatchTally {
    /// Games won by the first player.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games won by the second player.
    pub losses: u32,
    /// Games decided or drawn by adjudication.
    pub adjudicated: u32,
    /// win(δ_1, δ_2): the first player's share of the decided games, draws discounted.
    pub win: Option<WilsonInterval>,
    /// The first player's share of the points, a draw being half.
    pub score: Option<WilsonInterval>,
    /// The mean number of plies.
    pub mean_plies: f64,
}

/// A position that occurs this often is a draw.
const REPETITIONS: u32 = 5;

impl<G: GamePosition> MinimaxMatch<G> {
    /// Plays all games; one step of progress is a game.
    pub fn play(&self, watch: &dyn Watch) -> Result<Vec<PlayedGame>, Stopped> {
        watch.begin("playing games", Some(self.games.into()));
        let game = |number| {
            let played = self.play_game(number, watch)?;
            watch.advance(1);
            Ok(played)
        };
        (0..self.games).into_par_iter().map(game).collect()
    }

    fn play_game(&self, number: u32, watch: &dyn Watch) -> Result<PlayedGame, Stopped> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number.into());
        let mut position = self.start.clone();
        let mut seen: FxHashMap<G, u32> = FxHashMap::default();
        for plies in 0.. {
            watch.check()?;
            let mover = (number + plies) as usize % 2;
            let finished = |end: GameEnd, finish| {
                let winner = match end {
                    GameEnd::Win => Some(mover),
                    GameEnd::Draw => None,
                    GameEnd::Loss => Some(1 - mover),
                };
                PlayedGame {
                    winner,
                    finish,
                    plies,
                }
            };
            if position.moves().is_empty() {
                return Ok(finished(position.terminal(), EndedBy::Rules));
            }
            if position.drawn_by_counter() {
                return Ok(finished(GameEnd::Draw, EndedBy::Counter));
            }
            let times = seen.entry(position.clone()).or_default();
            *times += 1;
            if *times >= REPETITIONS {
                return Ok(finished(GameEnd::Draw, EndedBy::Repetition));
            }
            if plies >= self.most_plies {
                return Ok(finished(position.adjudicate(), EndedBy::Adjudication));
            }
            let chosen = self.players[mover].choose_watched(&position, &mut rng, watch)?;
            position = position.play(chosen);
        }
        unreachable!("a game ends at the limit of plies")
    }
}

impl MatchTally {
    /// Counts games.
    pub fn of(games: &[PlayedGame]) -> MatchTally {
        let count =
            |test: &dyn Fn(&PlayedGame) -> bool| games.iter().filter(|g| test(g)).count() as u32;
        let [wins, draws, losses] =
            [Some(0), None, Some(1)].map(|winner| count(&|game| game.winner == winner));
        let total = games.len() as u32;
        let plies: f64 = games.iter().map(|game| f64::from(game.plies)).sum();
        MatchTally {
            wins,
            draws,
            losses,
            adjudicated: count(&|game| game.finish == EndedBy::Adjudication),
            win: WilsonInterval::wilson(wins.into(), wins + losses),
            score: WilsonInterval::wilson(f64::from(wins) + f64::from(draws) / 2.0, total),
            mean_plies: plies / f64::from(total.max(1)),
        }
    }
}
