//! Matches between two players, from given positions.
//!
//! The random numbers of a game depend on the seed and the game's number alone, so results do not
//! depend on the number of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use errare_choice::{Estimate, Grid, Kappa, Prior};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde::Serialize;
use shakmaty::{Chess, Color};

use crate::{Analyser, Oracle, PlayError, Player, arena::Arena};

/// A match.
#[derive(Debug, Clone)]
pub struct Match<'a, P> {
    /// What knows the moves' worth, and the metric.
    pub oracle: &'a Oracle,
    /// White and Black.
    pub players: [P; 2],
    /// Where games start.
    pub starts: Vec<Chess>,
    /// How many are played from each of them.
    pub games: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// When a game ends.
    pub rules: Rules,
    /// How the players are analysed; not at all if this is none.
    pub analysis: Option<MatchAnalysis>,
}

/// When a game ends, besides by mate, stalemate and lack of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Where the metric's phase does: with a conversion in DTC, as in the papers' experiments.
    pub until_conversion: bool,
    /// By the 50-move rule.
    pub fifty_moves: bool,
    /// After so many moves of White; such a game is unfinished.
    pub most_moves: u32,
}

/// How the players of a match are analysed: anew for every game.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchAnalysis {
    /// κ.
    pub kappa: Kappa,
    /// The competences taken into account.
    pub grid: Grid,
    /// What is believed of them before each game.
    pub prior: Prior,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// White won.
    White,
    /// Nobody did.
    Draw,
    /// Black won.
    Black,
    /// The 50-move rule ended it.
    FiftyMoves,
    /// It went on for too long.
    Unfinished,
}

/// A game of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// How it ended.
    pub finish: Finish,
    /// White's moves.
    pub moves: u32,
    /// Plies.
    pub plies: u32,
    /// The apparent competence of White and Black; none where no depth was ceded.
    pub apparent: [Option<Estimate>; 2],
}

impl<P: Player> Match<'_, P> {
    /// Plays all games, on so many threads: first all from the first position, in the order of
    /// their numbers. `played` is called after each.
    pub fn play(
        &self,
        threads: usize,
        played: impl Fn() -> bool + Sync,
    ) -> Result<Vec<Played>, PlayError> {
        let total = u64::from(self.games) * self.starts.len() as u64;
        let next = AtomicU64::new(0);
        let work = || -> Result<Vec<(u64, Played)>, PlayError> {
            let analysis = self.analysis.as_ref();
            let kappa = analysis.map_or(Kappa::ONE, |analysis| analysis.kappa);
            let until_conversion = self.rules.until_conversion;
            let mut arena = Arena::new(self.oracle, &self.players, kappa, until_conversion);
            let mut games = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= total {
                    return Ok(games);
                }
                games.push((number, self.play_game(&mut arena, number)?));
                if !played() {
                    next.store(total, Ordering::Relaxed);
                }
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

    fn play_game(&self, arena: &mut Arena<'_, P>, number: u64) -> Result<Played, PlayError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let mut agents = self.players.each_ref().map(P::agent);
        let mut analysers = self.analysis.as_ref().map(|analysis| {
            let MatchAnalysis { kappa, grid, prior } = analysis;
            [(); 2].map(|()| Analyser::new(*kappa, *grid, prior))
        });
        let start = &self.starts[(number / u64::from(self.games)) as usize];
        let mut node = arena.start(start)?;
        let mut clock = shakmaty::Position::halfmoves(start);
        let (mut moves, mut plies) = (0, 0);
        let finish = loop {
            if let Some(value) = arena.end(node) {
                break match value {
                    1 => Finish::White,
                    0 => Finish::Draw,
                    _ => Finish::Black,
                };
            }
            if self.rules.fifty_moves && clock >= 100 {
                break Finish::FiftyMoves;
            }
            let mover = arena.mover(node);
            if mover.is_white() && moves == self.rules.most_moves {
                break Finish::Unfinished;
            }
            let side = mover.fold_wb(0, 1);
            let chosen = match arena.draw(node, &mut rng) {
                Some(chosen) => chosen,
                None => agents[side].choose(arena.view(node), &mut rng)?,
            };
            agents[1 - side].watch(arena.view(node), chosen);
            if let Some(analysers) = &mut analysers {
                let body = arena.body(node);
                let choice = &body.turn.choices()[chosen];
                analysers[side].observe_profile(&body.turn, &body.profile, choice);
            }
            if self.rules.fifty_moves {
                let zeroing = arena.body(node).turn.choices()[chosen].r#move.is_zeroing();
                clock = if zeroing { 0 } else { clock + 1 };
            }
            moves += u32::from(mover == Color::White);
            plies += 1;
            node = arena.after(node, chosen)?;
        };
        Ok(Played {
            finish,
            moves,
            plies,
            apparent: match analysers {
                Some(analysers) => analysers.map(|analyser| analyser.competence()),
                None => [None; 2],
            },
        })
    }
}
