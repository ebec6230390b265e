//! Endgame agents on an ordinary board: they play by the tables, or by an engine's list where there is no
//! table.

use std::time::Duration;

use errare_choice::{Profile, probabilities};
use errare_core::{Deadline, Watch};
use errare_endgame::{Emulator, PlayerSpec, TablePlayer as _, TableView, Turn, draw};
use errare_tables::Authority;
use rand::Rng;
use shakmaty::{Chess, Move, Position};

use crate::{
    Belief, Chooser, Chosen, EngineList, EngineName, MoveValues, PlayError, PlayerName, Sight,
    drawn::Drawn, predator::PredatorMind, sight::Blind,
};

/// An agent in one game.
pub(crate) struct BoardAgent {
    spec: PlayerSpec,
    sight: Sight,
    mind: Mind,
    /// The last judgement, so that a move made in that position is learnt from at once.
    last: Option<(Chess, MoveValues)>,
    /// Moves to learn from in positions that were not judged yet.
    unstudied: Vec<(Chess, Move)>,
}

/// An agent's memory of the game.
enum Mind {
    /// Nothing: its probabilities depend on the position alone.
    Memoryless,
    /// How competent it has appeared so far.
    Emulator(Emulator),
    /// What its opponent has revealed.
    Predator(Box<PredatorMind>),
}

/// The watch, with only one of this many parts of the remaining time.
pub(crate) fn share(watch: &dyn Watch, parts: u32) -> Deadline<'_> {
    let time = watch.remaining().map_or(Duration::MAX, |time| time / parts);
    Deadline::after(time, watch)
}

/// The share of its time that a Predator gives to the list of moves, so that each move it looks into gets as much.
const LIST_SHARE: u32 = 6;
/// The share of the rest that goes to learning.
const STUDY_SHARE: u32 = 3;

impl BoardAgent {
    /// The state at the beginning of a game.
    pub(crate) fn new(spec: &PlayerSpec, sight: Sight, mind: Option<PredatorMind>) -> BoardAgent {
        let mind = match (spec, mind) {
            (_, Some(mind)) => Mind::Predator(Box::new(mind)),
            (PlayerSpec::Emulator { competence, kappa }, None) => {
                let emulator = Emulator::new(*competence, *kappa);
                Mind::Emulator(emulator.expect("the name was parsed"))
            }
            _ => Mind::Memoryless,
        };
        BoardAgent {
            spec: spec.clone(),
            sight,
            mind,
            last: None,
            unstudied: Vec::new(),
        }
    }

    /// Explains why a position cannot be judged.
    fn explain(&self, blind: Blind, position: &Chess) -> PlayError {
        let player = self.spec.to_string();
        let example = PlayerName::Agent {
            spec: self.spec.clone(),
            engine: Some(EngineName {
                name: "stockfish".to_owned(),
                ..EngineName::default()
            }),
        };
        let example = example.to_string();
        match blind {
            Blind::Failed(error) => error,
            Blind::Missing(endgame) => PlayError::MissingTable {
                player,
                endgame,
                metric: self.metric(),
                example,
            },
            Blind::Beyond => PlayError::BeyondTables {
                player,
                men: position.board().occupied().count(),
                castling: !position.castles().is_empty(),
                example,
            },
        }
    }

    /// The judgement of a position. Players that look further spend a share of their time on it, unless that is too
    /// short.
    fn judge(&self, position: &Chess, watch: &dyn Watch) -> Result<MoveValues, PlayError> {
        let judged = match self.mind {
            Mind::Predator(_) => self.sight.judge(position, &share(watch, LIST_SHARE)),
            _ => self.sight.judge(position, watch),
        };
        let judged = match judged {
            Err(Blind::Failed(PlayError::Stopped(_))) => self.sight.judge(position, watch),
            judged => judged,
        };
        judged.map_err(|blind| self.explain(blind, position))
    }

    fn metric(&self) -> errare_core::Metric {
        let oracle = self.sight.oracle.as_ref();
        oracle.map_or(errare_core::Metric::Dtc, |oracle| oracle.metric())
    }

    fn choose_in_tables(
        &mut self,
        position: &Chess,
        (turn, authority): (&Turn, Authority),
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Drawn, PlayError> {
        let oracle = self.sight.oracle.as_deref();
        let view = TableView {
            oracle: oracle.expect("a turn comes from an oracle"),
            position,
            turn,
        };
        let moves = turn.choices().len();
        let chances = match &mut self.mind {
            Mind::Memoryless => self.spec.chances(view)?.expect("it remembers nothing"),
            Mind::Emulator(emulator) => emulator.probabilities(turn),
            // Syzygy's depths are rounded, so no look-ahead: take the best move.
            Mind::Predator(_) if authority == Authority::Syzygy => {
                let ranks = turn.choices().iter().map(|choice| choice.state.rank());
                let best = ranks.enumerate().min_by_key(|(_, rank)| *rank);
                return Ok(Drawn::certain(best.map_or(0, |(number, _)| number), moves));
            }
            Mind::Predator(hunt) => return hunt.choose_in_tables(view, rng, watch),
        };
        Ok(Drawn::by(chances, rng))
    }

    fn choose_from_list(
        &mut self,
        position: &Chess,
        list: &EngineList,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Drawn, PlayError> {
        let chances = match (&mut self.mind, &self.spec) {
            (Mind::Memoryless, PlayerSpec::Reference { competence, .. }) => {
                probabilities(list.options(), *competence)
            }
            (Mind::Memoryless, _) => return Ok(Drawn::certain(0, list.moves().len())),
            (Mind::Emulator(emulator), _) => emulator.probabilities_among(&list.options()),
            (Mind::Predator(hunt), _) => {
                return hunt.choose_from_list(&self.sight, position, list, watch);
            }
        };
        Ok(Drawn::by(chances, rng))
    }

    /// Updates the memory: an Emulator with its own move, a Predator with its opponent's.
    fn learn(&mut self, position: &Chess, judgement: &MoveValues, played: Move) {
        let Some(number) = judgement.find(played) else {
            return;
        };
        match (&mut self.mind, judgement) {
            (Mind::Emulator(emulator), MoveValues::Tables { turn, .. }) => {
                emulator.observe(turn, number);
            }
            (Mind::Emulator(emulator), MoveValues::Engine(list)) => {
                let options = list.options();
                emulator.observe_among(&Profile::new(options.clone()), options[number].0);
            }
            (Mind::Predator(hunt), MoveValues::Tables { turn, .. }) => {
                let view = TableView {
                    oracle: self.sight.oracle.as_deref().expect("it judged"),
                    position,
                    turn,
                };
                hunt.watch(view, number);
            }
            (Mind::Predator(hunt), MoveValues::Engine(list)) => hunt.learned.observe(list, number),
            (Mind::Memoryless, _) => {}
        }
    }

    /// Learns from a move now if the tables know the position, otherwise later.
    fn note(&mut self, position: &Chess, played: Move) {
        match self.sight.tables(position) {
            Ok(Some(judgement)) => self.learn(position, &judgement, played),
            _ if self.sight.engines.is_some() => self.unstudied.push((position.clone(), played)),
            _ => {}
        }
    }

    /// A random move, with what the tables say about it if they know it.
    fn choose_any(&self, position: &Chess, rng: &mut dyn Rng) -> Result<Chosen, PlayError> {
        let legal = position.legal_moves();
        let even = vec![1.0 / legal.len() as f64; legal.len()];
        let chosen = legal[draw(&even, rng)];
        let judgement = self.sight.tables(position)?;
        let number = judgement
            .as_ref()
            .and_then(|judgement| judgement.find(chosen));
        Ok(match (judgement, number) {
            (Some(judgement), Some(number)) => judgement.chosen(number, &even),
            _ => Chosen {
                probability: Some(1.0 / legal.len() as f64),
                chances: legal.iter().copied().zip(even).collect(),
                ..Chosen::by_rules(chosen)
            },
        })
    }
}

impl Chooser for BoardAgent {
    fn choose_within(
        &mut self,
        position: &Chess,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen, PlayError> {
        if position.legal_moves().is_empty() {
            return Err(PlayError::GameOver);
        }
        if self.spec == PlayerSpec::Random {
            return self.choose_any(position, rng);
        }
        let judgement = self.judge(position, watch)?;
        // With a judgement there is a move in time, so learning and looking further come
        // afterwards.
        if !self.unstudied.is_empty() {
            self.study(&share(watch, STUDY_SHARE))?;
        }
        let drawn = match &judgement {
            MoveValues::Tables {
                turn, authority, ..
            } => self.choose_in_tables(position, (turn, *authority), rng, watch)?,
            MoveValues::Engine(list) => self.choose_from_list(position, list, rng, watch)?,
        };
        self.last = Some((position.clone(), judgement.clone()));
        let mut chosen = judgement.chosen(drawn.number, &drawn.chances);
        chosen.remarks.extend(drawn.remark);
        Ok(chosen)
    }

    fn watch(&mut self, position: &Chess, played: Move) {
        if matches!(self.mind, Mind::Predator(_)) {
            self.note(position, played);
        }
    }

    fn made(&mut self, position: &Chess, played: Move) {
        if !matches!(self.mind, Mind::Emulator(_)) {
            return;
        }
        match self.last.take() {
            Some((before, judgement)) if before == *position => {
                self.learn(position, &judgement, played);
            }
            _ => self.note(position, played),
        }
    }

    fn study(&mut self, watch: &dyn Watch) -> Result<(), PlayError> {
        while let Some((position, played)) = self.unstudied.pop() {
            let list = match self.sight.list(&position, watch) {
                Ok(Some(list)) if self.sight.is_whole(&list) => list,
                Ok(Some(_)) | Err(PlayError::Stopped(_)) => {
                    self.unstudied.push((position, played));
                    return Ok(());
                }
                Ok(None) => continue,
                Err(error) => return Err(error),
            };
            self.learn(&position, &MoveValues::Engine(list), played);
        }
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        match &self.mind {
            Mind::Predator(hunt) => hunt.beliefs(),
            _ => Vec::new(),
        }
    }
}
