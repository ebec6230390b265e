//! Matches between two players, from given positions.
//!
//! The random numbers of a game depend only on the seed and the game's number, so results do not
//! depend on the number of threads.

use std::ops::Range;

use errare_choice::{Grid, Kappa, PriorShape};
use errare_core::{Aside, Watch};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Color};

use crate::{
    Analyser, Finish, MatchGame, Oracle, TablePlayError, TablePlayer, arena::Arena, play_numbered,
};

/// Plies of a game between checks of the watch.
const PLIES_BETWEEN_CHECKS: u64 = 64;

/// A match.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::{Metric, parse_position};
/// use errare_endgame::{Oracle, PlayerSpec, Rules, TableMatch};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let games = TableMatch {
///     oracle: &oracle,
///     players: ["rep:c=20".parse::<PlayerSpec>()?, "best".parse()?],
///     starts: vec![parse_position("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")?],
///     games: 10,
///     seed: 1,
///     rules: Rules { until_conversion: true, fifty_moves: false, most_moves: 1_000 },
///     swap: false,
///     analysis: None,
/// };
/// let played = games.play(1, &())?;
/// assert!(played.iter().all(|game| game.plies >= 15), "mate in eight at best");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TableMatch<'a, P> {
    /// The oracle, which also fixes the metric.
    pub oracle: &'a Oracle,
    /// White and Black, unless colours are swapped.
    pub players: [P; 2],
    /// The starting positions.
    pub starts: Vec<Chess>,
    /// How many are played from each of them.
    pub games: u64,
    /// Do the players swap colours after each game?
    pub swap: bool,
    /// The seed of the random numbers.
    pub seed: u64,
    /// When a game ends.
    pub rules: Rules,
    /// How the players are analysed, if at all.
    pub analysis: Option<MatchAnalysis>,
}

/// When a game ends, apart from mate, stalemate and insufficient material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// At the end of the metric's phase: with a conversion in DTC, as in the papers' experiments.
    pub until_conversion: bool,
    /// Under the 50-move rule.
    pub fifty_moves: bool,
    /// After this many moves by White; such a game is unfinished.
    pub most_moves: u64,
}

/// How the players of a match are analysed, starting afresh in every game.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchAnalysis {
    /// κ.
    pub kappa: Kappa,
    /// The competences considered.
    pub grid: Grid,
    /// The prior before each game.
    pub prior: PriorShape,
}

impl<P: TablePlayer> TableMatch<'_, P> {
    /// Plays all games on this many threads and returns them in order, those from the first
    /// position first.
    pub fn play(
        &self,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<MatchGame>, TablePlayError> {
        let total = self.games.saturating_mul(self.starts.len() as u64);
        self.play_numbers(0..total, threads, watch)
    }

    /// Plays the games with these numbers: each game's result is independent of the others.
    pub fn play_numbers(
        &self,
        numbers: Range<u64>,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<MatchGame>, TablePlayError> {
        let kappa = (self.analysis.as_ref()).map_or(Kappa::ONE, |analysis| analysis.kappa);
        play_numbered(numbers, threads, watch, || {
            let until_conversion = self.rules.until_conversion;
            let [first, second] = self.players.each_ref();
            let mut arenas = [[first, second], [second, first]]
                .map(|players| Arena::new(self.oracle, players, kappa, until_conversion));
            move |number| {
                let swapped = self.swap && number % 2 == 1;
                self.play_game(&mut arenas[usize::from(swapped)], number, swapped, watch)
            }
        })
    }

    fn play_game(
        &self,
        arena: &mut Arena<'_, P>,
        number: u64,
        swapped: bool,
        watch: &dyn Watch,
    ) -> Result<MatchGame, TablePlayError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let mut agents = arena.players().map(P::agent);
        let mut analysers = self.analysis.as_ref().map(|analysis| {
            let MatchAnalysis { kappa, grid, prior } = analysis;
            [(); 2].map(|()| Analyser::new(*kappa, *grid, prior))
        });
        let start = &self.starts[(number / self.games) as usize];
        let mut node = arena.start(start)?;
        let mut clock = shakmaty::Position::halfmoves(start);
        for agent in &mut agents {
            agent.begin(clock);
        }
        let (mut moves, mut plies) = (0, 0);
        let finish = loop {
            if let Some(value) = arena.end(node) {
                break match value {
                    1 => Finish::White,
                    0 => Finish::Draw,
                    _ => Finish::Black,
                };
            }
            if plies % PLIES_BETWEEN_CHECKS == 0 {
                watch.check()?;
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
                None => {
                    let view = arena.view(node);
                    agents[side].prepare(view, mover, &Aside(watch))?;
                    agents[side].choose(view, &mut rng)?
                }
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
            moves += u64::from(mover == Color::White);
            plies += 1;
            node = arena.after(node, chosen)?;
        };
        Ok(MatchGame {
            finish,
            swapped,
            moves,
            plies,
            apparent: match analysers {
                Some(analysers) => analysers.map(|analyser| analyser.competence()),
                None => [None; 2],
            },
        })
    }
}
