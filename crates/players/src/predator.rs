//! The Predator outside the tables: it plays the move that sets its opponent the hardest task, by an engine's evaluations.
//!
//! As in the tables (Haworth & Andrist 2004, section 3.3), a move is worth its expected value after the opponent's reply. The
//! replies come from an engine's list, the model of the opponent gives their probabilities, and a reply is worth -F of its
//! evaluation for the opponent. Moves that cost more than [`MARGIN`] compared with the engine's first choice are not
//! considered, and of the others only the first [`CANDIDATES`]. The Hunter, who has only solved endgames, does the same
//! outside the tables.
//!
//! Where there is a calibration for the engine, the opponent is modelled by a rating: every reply is weighed by how likely
//! players of each rating are to make it, from a uniform prior over the calibration's range. Decided positions say nothing and
//! are skipped, as in ratings. Without a calibration the opponent is modelled as a reference player R_c on the engine's list.

use std::{sync::Arc, time::Duration};

use errare_choice::{Posterior, PriorShape, probabilities};
use errare_core::{Deadline, Watch};
use errare_endgame::{Opponent, Predator, PredatorDepth, TableAgent, TableView};
use errare_engine::Score;
use errare_rating::{DECIDED_PAWNS, continuous::Calibration};
use rand::Rng;
use shakmaty::{Chess, Position};

use crate::{
    Belief, EngineList, PlayError, Sight,
    agent::share,
    drawn::Drawn,
    list::{aversion, worth},
};

/// Moves that cost more than this, in scaled pawns, are mistakes rather than traps.
const MARGIN: f64 = 0.3;
/// The number of moves examined.
const CANDIDATES: usize = 5;
/// How long a Hunter without a time limit waits for a solution: longer than any takes.
const PATIENCE: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// Spacing of the grid of the opponent's possible ratings.
const STEP: f64 = 50.0;

/// A Predator or Hunter in one game.
pub(crate) struct PredatorMind {
    /// A Predator's play in the tables, and what either learns there.
    pub(crate) predator: Predator,
    /// A Hunter's play in the tables.
    pub(crate) hunter: Option<Box<dyn TableAgent>>,
    /// Its model of the opponent outside them.
    pub(crate) learned: Learned,
}

/// A model of the opponent learnt from an engine's lists.
#[derive(Debug, Clone)]
pub(crate) enum Learned {
    /// A rating.
    Elo(EloBelief),
    /// A competence.
    Competence {
        /// The distribution over competences.
        posterior: Box<Posterior>,
        /// Moves seen.
        moves: usize,
    },
    /// It was given.
    Known(f64),
}

/// A distribution over the opponent's rating.
#[derive(Debug, Clone)]
pub(crate) struct EloBelief {
    calibration: Arc<Calibration>,
    ratings: Arc<[f64]>,
    log_weights: Vec<f64>,
    moves: usize,
}

impl EloBelief {
    /// The prior: every rating within the calibration's range is equally likely.
    pub(crate) fn new(calibration: Arc<Calibration>) -> EloBelief {
        let [low, high] = calibration.range();
        let steps = ((high - low) / STEP).floor() as usize;
        let ratings: Arc<[f64]> = (0..=steps).map(|step| low + step as f64 * STEP).collect();
        EloBelief {
            log_weights: vec![0.0; ratings.len()],
            calibration,
            ratings,
            moves: 0,
        }
    }

    fn weights(&self) -> Vec<f64> {
        let greatest = self.log_weights.iter().copied();
        let greatest = greatest.fold(f64::NEG_INFINITY, f64::max);
        let weights = self.log_weights.iter().map(|log| (log - greatest).exp());
        let weights: Vec<f64> = weights.collect();
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    fn observe(&mut self, list: &EngineList, number: usize) {
        self.moves += 1;
        for (elo, log) in self.ratings.iter().zip(&mut self.log_weights) {
            // No move is impossible for people, but the model's smallest probabilities underflow.
            let chances = self.calibration.chances(list.seen(), *elo);
            *log += chances[number].max(1e-12).ln();
        }
    }

    fn chances(&self, list: &EngineList) -> Vec<f64> {
        let mut mixed = vec![0.0; list.moves().len()];
        for (elo, weight) in self.ratings.iter().zip(self.weights()) {
            if weight > 1e-6 {
                let chances = self.calibration.chances(list.seen(), *elo);
                mixed
                    .iter_mut()
                    .zip(chances)
                    .for_each(|(sum, p)| *sum += weight * p);
            }
        }
        mixed
    }

    fn belief(&self) -> Belief {
        let weights = self.weights();
        let ratings = || self.ratings.iter().copied().zip(&weights);
        let quantile = |share: f64| {
            let mut below = 0.0;
            let at = ratings().find(|(_, weight)| {
                below += **weight;
                below >= share
            });
            at.map_or(f64::NAN, |(elo, _)| elo)
        };
        Belief::Elo {
            mean: ratings().map(|(elo, weight)| elo * weight).sum(),
            low: quantile(0.025),
            high: quantile(0.975),
            moves: self.moves,
        }
    }
}

impl Learned {
    /// The model at the beginning of a game.
    pub(crate) fn new(predator: &Predator, calibration: Option<&Arc<Calibration>>) -> Learned {
        match (&predator.opponent, calibration) {
            (Opponent::Known(competence), _) => Learned::Known(*competence),
            (Opponent::Watched(_), Some(calibration)) => {
                Learned::Elo(EloBelief::new(Arc::clone(calibration)))
            }
            (Opponent::Watched(analyser), None) => Learned::Competence {
                posterior: Box::new(Posterior::new(
                    analyser.posterior().grid(),
                    &PriorShape::Uniform,
                )),
                moves: 0,
            },
        }
    }

    /// Updates the model with a move of the opponent.
    pub(crate) fn observe(&mut self, list: &EngineList, number: usize) {
        let decided = list.moves()[0].1.pawns().abs() > DECIDED_PAWNS;
        if decided || list.moves().len() < 2 {
            return;
        }
        match self {
            Learned::Elo(belief) => belief.observe(list, number),
            Learned::Competence { posterior, moves } => {
                posterior.observe(&list.profile(), aversion(list.moves()[number].1));
                *moves += 1;
            }
            Learned::Known(_) => {}
        }
    }

    /// The probability that the opponent makes each move.
    fn chances(&self, list: &EngineList) -> Vec<f64> {
        match self {
            Learned::Elo(belief) => belief.chances(list),
            Learned::Known(competence) => probabilities(list.options(), *competence),
            Learned::Competence { posterior, .. } => {
                let mut mixed = vec![0.0; list.moves().len()];
                let weights = posterior.weights().unwrap_or_default();
                for (competence, weight) in posterior.grid().points().zip(weights) {
                    let chances = probabilities(list.options(), competence);
                    mixed
                        .iter_mut()
                        .zip(chances)
                        .for_each(|(sum, p)| *sum += weight * p);
                }
                mixed
            }
        }
    }
}

impl PredatorMind {
    /// Learns from the opponent's choice in the tables.
    pub(crate) fn watch(&mut self, view: TableView<'_>, number: usize) {
        self.predator.watch(view, number);
        if let Some(hunter) = &mut self.hunter {
            hunter.watch(view, number);
        }
    }

    /// The choice in the tables.
    pub(crate) fn choose_in_tables(
        &mut self,
        view: TableView<'_>,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Drawn, PlayError> {
        let moves = view.turn.choices().len();
        let Some(hunter) = &mut self.hunter else {
            let (chosen, looked) = self.predator.look(view, watch)?;
            let asked = self.predator.plies;
            let remark = || {
                let [looked, asked] = [looked, asked].map(PredatorDepth::get);
                format!("time to look {looked} of {asked} plies ahead")
            };
            return Ok(Drawn {
                remark: (looked != asked).then(remark),
                ..Drawn::certain(chosen, moves)
            });
        };
        // Solving goes on in the background, so that the wait for it ends as soon as the move is wanted.
        let patience = Deadline::after(PATIENCE, watch);
        hunter.prepare(view, view.position.turn(), &patience)?;
        Ok(Drawn {
            remark: hunter.remark(),
            ..Drawn::certain(hunter.choose(view, rng)?, moves)
        })
    }

    /// The choice from an engine's list.
    pub(crate) fn choose_from_list(
        &self,
        sight: &Sight,
        position: &Chess,
        list: &EngineList,
        watch: &dyn Watch,
    ) -> Result<Drawn, PlayError> {
        let best = worth(list.moves()[0].1);
        let candidates = list.moves().iter().take(CANDIDATES);
        let candidates = candidates.take_while(|(_, score)| best - worth(*score) <= MARGIN);
        let candidates: Vec<_> = candidates.map(|(candidate, _)| *candidate).collect();
        let mut chosen = (0, f64::NEG_INFINITY);
        let mut examined = 0;
        for (number, candidate) in candidates.iter().enumerate() {
            let mut after = position.clone();
            after.play_unchecked(*candidate);
            let left = (candidates.len() - number) as u32;
            let value = match self.prospect(sight, &after, list.depth(), &share(watch, left)) {
                Ok(Some(value)) => value,
                Ok(None) | Err(PlayError::Stopped(_)) => break,
                Err(error) => return Err(error),
            };
            examined += 1;
            if value > chosen.1 {
                chosen = (number, value);
            }
        }
        let total = candidates.len();
        let remark = (examined < total && total > 1).then(|| match examined {
            0 => "no time to look into the opponent's replies: the engine's first move".to_owned(),
            _ => format!("time to look into the replies to {examined} of {total} moves"),
        });
        Ok(Drawn {
            remark,
            ..Drawn::certain(chosen.0, list.moves().len())
        })
    }

    /// The expected value after the opponent's reply to a move from a list of this depth; `None` if there was no time to compute
    /// it as deeply, since it could not be compared with others then.
    fn prospect(
        &self,
        sight: &Sight,
        after: &Chess,
        depth: u8,
        watch: &dyn Watch,
    ) -> Result<Option<f64>, PlayError> {
        if after.is_checkmate() {
            return Ok(Some(f64::INFINITY));
        }
        if after.legal_moves().is_empty() || after.is_insufficient_material() {
            return Ok(Some(0.0));
        }
        let Some(replies) = sight.list(after, watch)? else {
            return Ok(None);
        };
        // The list has seen one ply more of this line. Engines stop early where they see a mate.
        let mates = matches!(replies.moves()[0].1, Score::Mate(_));
        if replies.depth() + 1 < depth && !mates {
            return Ok(None);
        }
        let chances = self.learned.chances(&replies);
        let worths = replies.moves().iter().map(|(_, score)| -worth(*score));
        Ok(Some(worths.zip(chances).map(|(worth, p)| worth * p).sum()))
    }

    /// Its beliefs, in the tables and outside, if it has seen anything.
    pub(crate) fn beliefs(&self) -> Vec<Belief> {
        let mut beliefs = Vec::new();
        match &self.predator.opponent {
            Opponent::Known(competence) => return vec![Belief::Known(*competence)],
            Opponent::Watched(analyser) if analyser.moves() > 0 => {
                beliefs.push(Belief::Competence {
                    estimate: analyser.competence(),
                    moves: analyser.moves(),
                });
            }
            Opponent::Watched(_) => {}
        }
        match &self.learned {
            Learned::Elo(belief) if belief.moves > 0 => beliefs.push(belief.belief()),
            Learned::Competence { posterior, moves } if *moves > 0 => {
                beliefs.push(Belief::Competence {
                    estimate: posterior.summary(),
                    moves: *moves,
                });
            }
            _ => {}
        }
        beliefs
    }
}
