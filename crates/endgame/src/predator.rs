//! The Predator: plays the move that sets the opponent the hardest task (Haworth and Andrist 2004, section
//! 3.3).
//!
//! Each of its moves is worth its expected value after the opponent's reply, or after more plies in which
//! the Predator again chooses best. The opponent's competence is fixed but uncertain: every reply changes
//! the probabilities of the competences. In a decided position the opponent is assumed to keep the value,
//! and the expected depth counts: smallest for the winner, greatest for the loser. In a drawn one all
//! replies count, and so does the expected value.
//!
//! Scores that differ by less than a billionth are ties, broken in favour of moves that are optimal in the
//! metric, then by name.

use std::{cmp::Reverse, rc::Rc};

use errare_choice::{Grid, Kappa, Posterior, PriorShape, State, probabilities};
use errare_core::Watch;
use rand::Rng;
use rustc_hash::FxHashMap;
use shakmaty::{Chess, Move, Position};

use crate::{
    Analyser, Choice, Oracle, TablePlayError, Turn, Weighting,
    agent::{TableAgent, TableView},
    exits,
};

/// A belief about the opponent's competence.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentBelief {
    competences: Vec<f64>,
    weights: Vec<f64>,
}

impl OpponentBelief {
    /// The opponent's competence is known.
    pub fn certain(competence: f64) -> OpponentBelief {
        OpponentBelief {
            competences: vec![competence],
            weights: vec![1.0],
        }
    }

    /// The belief of an Analyser; `None` if no competence explains the observations.
    pub fn learned(posterior: &Posterior) -> Option<OpponentBelief> {
        // Weights below rounding error are dropped.
        let counts = |(_, weight): &(f64, f64)| *weight > f64::EPSILON / 16.0;
        let points = posterior.grid().points().zip(posterior.weights()?);
        let (competences, weights) = points.filter(counts).unzip();
        Some(OpponentBelief {
            competences,
            weights,
        })
    }
}

/// The probability of each result.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chances {
    /// A win of the Predator.
    pub win: f64,
    /// A draw.
    pub draw: f64,
    /// A loss of the Predator.
    pub loss: f64,
}

impl Chances {
    /// The expected value, with 1 for a win and -1 for a loss.
    pub fn expected_value(&self) -> f64 {
        self.win - self.loss
    }
}

/// The expected results of a Predator's move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prospect {
    /// The index of the move among the choices.
    pub number: usize,
    /// The expected depth after the search, in moves of the winner; none if the move draws.
    pub expected_depth: Option<f64>,
    /// The results after the opponent's reply, if the opponent does not take care to keep the value.
    pub chances: Chances,
}

/// The search depth in plies, half of which are the Predator's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredatorDepth(u32);

impl PredatorDepth {
    /// As in the papers.
    pub const TWO: PredatorDepth = PredatorDepth(2);

    /// Returns `None` unless the number is even and at least 2.
    pub const fn new(plies: u32) -> Option<PredatorDepth> {
        match plies {
            0 => None,
            _ if plies % 2 == 1 => None,
            _ => Some(PredatorDepth(plies)),
        }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// The prospects of each move, best first. A search of two plies is short and not stopped.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::{Metric, parse_position};
/// use errare_endgame::{Oracle, OpponentBelief, PredatorDepth, TableView, prospects};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let position = parse_position("8/8/8/4k3/8/8/Q7/K7 b - - 0 1")?;
/// let turn = oracle.turn(&position)?;
/// let view = TableView { oracle: &oracle, position: &position, turn: &turn };
/// let opponent = OpponentBelief::certain(5.0);
/// let ranked = prospects(view, &opponent, Kappa::ONE, PredatorDepth::TWO, &())?;
/// assert_eq!(ranked.len(), turn.choices().len());
/// assert!(ranked[0].expected_depth >= ranked[1].expected_depth, "the loser resists");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prospects(
    view: TableView<'_>,
    belief: &OpponentBelief,
    kappa: Kappa,
    plies: PredatorDepth,
    watch: &dyn Watch,
) -> Result<Vec<Prospect>, TablePlayError> {
    let mut search = Search::new(view, belief, kappa, watch);
    let mut prospects = Vec::new();
    for (number, score) in search.ranked(view, plies)? {
        let choice = &view.turn.choices()[number];
        prospects.push(Prospect {
            number,
            expected_depth: match score {
                Some(score) if search.value != 0 => Some(-score * f64::from(search.value)),
                _ => choice.state.depth().map(f64::from),
            },
            chances: search.chances(view.position, choice)?,
        });
    }
    Ok(prospects)
}

/// Scores that differ by less are equal.
pub(crate) const TIE: f64 = 1e-9;

struct Search<'a> {
    oracle: &'a Oracle,
    kappa: Kappa,
    belief: &'a OpponentBelief,
    /// The value of the root position.
    value: i32,
    turns: FxHashMap<Chess, Rc<Turn>>,
    watch: &'a dyn Watch,
}

impl<'a> Search<'a> {
    fn new(
        view: TableView<'a>,
        belief: &'a OpponentBelief,
        kappa: Kappa,
        watch: &'a dyn Watch,
    ) -> Search<'a> {
        Search {
            oracle: view.oracle,
            kappa,
            belief,
            value: view.turn.best().map_or(0, |best| best.value()),
            turns: FxHashMap::default(),
            watch,
        }
    }

    /// The indices of the moves with their scores, best first. Moves that lose value have no score and
    /// come last.
    fn ranked(
        &mut self,
        view: TableView<'_>,
        plies: PredatorDepth,
    ) -> Result<Vec<(usize, Option<f64>)>, TablePlayError> {
        let mut ranked = Vec::new();
        for (number, choice) in view.turn.choices().iter().enumerate() {
            let score = match view.turn.preserves_value(choice) {
                true => {
                    Some(self.after_move(view.position, choice, plies.0, &self.belief.weights)?)
                }
                false => None,
            };
            ranked.push((number, score));
        }
        ranked.sort_by_key(|&(number, score)| {
            let choice = &view.turn.choices()[number];
            let score = score.map(|score| (score / TIE).round() as i64);
            let optimal = view.turn.is_optimal(choice);
            (Reverse((score, optimal, -choice.state.rank())), number)
        });
        Ok(ranked)
    }

    fn turn(&mut self, position: &Chess) -> Result<Rc<Turn>, TablePlayError> {
        if let Some(turn) = self.turns.get(position) {
            return Ok(Rc::clone(turn));
        }
        let turn = Rc::new(self.oracle.turn(position)?);
        self.turns.insert(position.clone(), Rc::clone(&turn));
        Ok(turn)
    }

    /// The score of a state that the Predator has moved into.
    fn score(&self, state: State) -> f64 {
        match self.value {
            0 => f64::from(state.value()),
            value => -f64::from(value) * state.depth().map_or(0.0, f64::from),
        }
    }

    /// The best expected score of the Predator's move, times the sum of the weights.
    fn best_move(
        &mut self,
        position: &Chess,
        plies: u32,
        weights: &[f64],
    ) -> Result<f64, TablePlayError> {
        let turn = self.turn(position)?;
        let mut best = f64::NEG_INFINITY;
        for choice in turn.choices() {
            self.watch.check()?;
            if turn.preserves_value(choice) {
                best = best.max(self.after_move(position, choice, plies, weights)?);
            }
        }
        Ok(best)
    }

    /// The expected score after a move of the Predator, with this many plies in total.
    fn after_move(
        &mut self,
        position: &Chess,
        choice: &Choice,
        plies: u32,
        weights: &[f64],
    ) -> Result<f64, TablePlayError> {
        let after = play(position, choice.r#move);
        let replies = self.turn(&after)?;
        if exits(choice.r#move, self.oracle.metric()) || replies.choices().is_empty() {
            return Ok(weights.iter().sum::<f64>() * self.score(choice.state));
        }
        let opponent = Weighting {
            risks_value: self.value == 0,
            ..Weighting::default()
        };
        let states = States::new(&replies, &opponent, self.kappa);
        if plies == 2 {
            let score = |state: State| self.score(reversed(state));
            return Ok(states.expected(self.belief, weights, score));
        }
        let chances = states.chances(&self.belief.competences);
        let mut expected = 0.0;
        for reply in replies.choices() {
            let Some(state) = states.find(reply.state) else {
                continue;
            };
            let joint: Vec<f64> = weights
                .iter()
                .zip(&chances)
                .map(|(weight, chances)| weight * chances[state] / states.moves[state])
                .collect();
            let goes_on =
                reply.state.value() == -self.value && !exits(reply.r#move, self.oracle.metric());
            let next = goes_on.then(|| play(&after, reply.r#move));
            expected += match next {
                Some(next) if !self.turn(&next)?.choices().is_empty() => {
                    self.best_move(&next, plies - 2, &joint)?
                }
                _ => joint.iter().sum::<f64>() * self.score(reversed(reply.state)),
            };
        }
        Ok(expected)
    }

    /// The results after the reply of an opponent that may lose value.
    fn chances(&mut self, position: &Chess, choice: &Choice) -> Result<Chances, TablePlayError> {
        let replies = self.turn(&play(position, choice.r#move))?;
        if replies.choices().is_empty() {
            let is = |value| f64::from(u8::from(choice.state.value() == value));
            return Ok(Chances {
                win: is(1),
                draw: is(0),
                loss: is(-1),
            });
        }
        let states = States::new(&replies, &Weighting::risking_value(), self.kappa);
        let chance = |value: i32| {
            let is = |state: State| f64::from(u8::from(state.value() == -value));
            states.expected(self.belief, &self.belief.weights, is)
        };
        Ok(Chances {
            win: chance(1),
            draw: chance(0),
            loss: chance(-1),
        })
    }
}

/// The states that the opponent's replies lead to.
struct States {
    states: Vec<State>,
    /// Aversions and weights of the states.
    options: Vec<(f64, f64)>,
    /// The number of replies that lead to each.
    moves: Vec<f64>,
}

impl States {
    fn new(turn: &Turn, weighting: &Weighting, kappa: Kappa) -> States {
        let mut states = States {
            states: Vec::new(),
            options: Vec::new(),
            moves: Vec::new(),
        };
        let options = weighting.options(turn, kappa);
        for (choice, (aversion, weight)) in turn.choices().iter().zip(options) {
            if weight == 0.0 {
                continue;
            }
            match states.find(choice.state) {
                Some(number) => {
                    states.options[number].1 += weight;
                    states.moves[number] += 1.0;
                }
                None => {
                    states.states.push(choice.state);
                    states.options.push((aversion, weight));
                    states.moves.push(1.0);
                }
            }
        }
        states
    }

    fn find(&self, state: State) -> Option<usize> {
        self.states.iter().position(|&other| other == state)
    }

    /// By competence: the probability of each state.
    fn chances(&self, competences: &[f64]) -> Vec<Vec<f64>> {
        let options = || self.options.iter().copied();
        competences
            .iter()
            .map(|&c| probabilities(options(), c))
            .collect()
    }

    /// The expected score after the reply, with these weights of the belief's competences.
    fn expected(
        &self,
        belief: &OpponentBelief,
        weights: &[f64],
        score: impl Fn(State) -> f64,
    ) -> f64 {
        let scores: Vec<f64> = self.states.iter().map(|&state| score(state)).collect();
        let mean = |c: f64| -> f64 {
            let chances = probabilities(self.options.iter().copied(), c);
            chances
                .iter()
                .zip(&scores)
                .map(|(chance, score)| chance * score)
                .sum()
        };
        let competences = belief.competences.iter().zip(weights);
        competences.map(|(&c, weight)| weight * mean(c)).sum()
    }
}

fn play(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}

/// The state from the other side's view.
fn reversed(state: State) -> State {
    match state {
        State::Win(depth) => State::Loss(depth),
        State::Draw => State::Draw,
        State::Loss(depth) => State::Win(depth),
    }
}

/// The Predator as a player, with its knowledge of the opponent.
#[derive(Debug, Clone)]
pub struct Predator {
    /// κ of the opponent's preference.
    pub kappa: Kappa,
    /// Its search depth.
    pub plies: PredatorDepth,
    /// Its knowledge of the opponent.
    pub opponent: Opponent,
}

/// A Predator's knowledge of its opponent.
#[derive(Debug, Clone)]
pub enum Opponent {
    /// The competence is known.
    Known(f64),
    /// Inferred from the opponent's moves so far.
    Watched(Box<Analyser>),
}

impl Predator {
    /// Starts with a uniform prior over a grid, and learns.
    pub fn learning(kappa: Kappa, plies: PredatorDepth, grid: Grid) -> Predator {
        Predator {
            kappa,
            plies,
            opponent: Opponent::Watched(Box::new(Analyser::new(kappa, grid, &PriorShape::Uniform))),
        }
    }

    /// The index of its move, and how many plies it looked ahead: fewer than [`Predator::plies`] if the watch stopped
    /// it, but always two.
    pub fn look(
        &self,
        view: TableView<'_>,
        watch: &dyn Watch,
    ) -> Result<(usize, PredatorDepth), TablePlayError> {
        let belief = self.belief();
        let mut search = Search::new(view, &belief, self.kappa, watch);
        let mut found = (0, PredatorDepth::TWO);
        // A search of two plies more takes so much longer that the shorter ones before it cost next to nothing.
        for plies in (2..=self.plies.0).step_by(2).map(PredatorDepth) {
            match search.ranked(view, plies) {
                Ok(ranked) => found = (ranked.first().map_or(0, |best| best.0), plies),
                Err(TablePlayError::Stopped(_)) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Its belief about the opponent. If no competence explains the observations, the opponent has made an
    /// error beyond the grid, and is taken for a random player.
    fn belief(&self) -> OpponentBelief {
        match &self.opponent {
            Opponent::Known(competence) => OpponentBelief::certain(*competence),
            Opponent::Watched(analyser) => OpponentBelief::learned(analyser.posterior())
                .unwrap_or_else(|| OpponentBelief::certain(0.0)),
        }
    }
}

impl TableAgent for Predator {
    fn choose(&mut self, view: TableView<'_>, _rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        Ok(self.look(view, &())?.0)
    }

    fn watch(&mut self, view: TableView<'_>, chosen: usize) {
        if let Opponent::Watched(analyser) = &mut self.opponent {
            analyser.observe(view.turn, &view.turn.choices()[chosen]);
        }
    }
}
