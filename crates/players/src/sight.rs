//! What a player sees of a position: tables where there are any, otherwise an engine's list.

use std::sync::Arc;

use errare_core::{Material, Metric, Stopped, Watch};
use errare_endgame::{Choice, Oracle, Turn, destination, exits};
use errare_engine::{EngineError, Engines, Score};
use errare_tables::{Authority, Judge, ProbeError};
use shakmaty::{Chess, Move, Position};

use crate::{EngineList, MoveValues, PlayError};

/// Tables, an engine, both or neither.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Syzygy tables, for positions outside our own. Depths are then in DTZ.
    pub syzygy: Option<Judge>,
    /// The tables.
    pub oracle: Option<Arc<Oracle>>,
    /// The engine.
    pub engines: Option<Arc<Engines>>,
}

/// Why a position cannot be judged.
pub(crate) enum Blind {
    /// No table can cover it, and there is no engine.
    Beyond,
    /// Its table is missing, and there is no engine.
    Missing(Material),
    /// An oracle failed.
    Failed(PlayError),
}

impl Sight {
    /// Syzygy's judgement; `None` if the position is not covered.
    fn syzygy(&self, position: &Chess) -> Option<MoveValues> {
        let judge = self.syzygy.as_ref()?;
        let verdict = judge.verdict_by_syzygy(position).ok()??;
        let choices = verdict.moves.iter().map(|judged| Choice {
            r#move: judged.r#move,
            state: destination(
                judged.after.depths.dtz(),
                Metric::Dtz,
                exits(judged.r#move, Metric::Dtz),
            ),
        });
        let choices: Vec<Choice> = choices.collect();
        let depths = choices.iter().filter_map(|choice| choice.state.depth());
        // The deepest win is unknown; most are within the 50-move rule.
        let deepest = depths.fold(50, u16::max);
        Some(MoveValues::Tables {
            turn: Turn::of(choices, deepest, deepest),
            metric: Metric::Dtz,
            authority: Authority::Syzygy,
        })
    }

    /// The judgement of our tables, or else of Syzygy's; `None` if there is no table for the position.
    pub fn tables(&self, position: &Chess) -> Result<Option<MoveValues>, PlayError> {
        match self.own_tables(position)? {
            None => Ok(self.syzygy(position)),
            judgement => Ok(judgement),
        }
    }

    /// The judgement of our tables; `None` if there is none for the position.
    pub fn own_tables(&self, position: &Chess) -> Result<Option<MoveValues>, PlayError> {
        let Some(oracle) = self.oracle.as_ref().filter(|_| Oracle::covers(position)) else {
            return Ok(None);
        };
        match oracle.turn(position) {
            Ok(turn) => Ok(Some(MoveValues::Tables {
                turn,
                metric: oracle.metric(),
                authority: Authority::Errare,
            })),
            Err(ProbeError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The engine's list, to its full depth or as deep as it gets before the watch stops it; `None` without an engine.
    pub fn list(
        &self,
        position: &Chess,
        watch: &dyn Watch,
    ) -> Result<Option<EngineList>, PlayError> {
        let Some(engines) = &self.engines else {
            return Ok(None);
        };
        watch.check()?;
        let evaluation = match engines.evaluate_within(position, watch) {
            Err(EngineError::Stopped) => return Err(PlayError::Stopped(Stopped)),
            evaluation => evaluation?,
        };
        Ok(Some(EngineList::new(position, &evaluation)))
    }

    /// Did the engine reach its full depth, or find a mate before?
    pub(crate) fn is_whole(&self, list: &EngineList) -> bool {
        let asked = self
            .engines
            .as_ref()
            .map_or(0, |engines| engines.key().depth);
        let mates = |(_, score): &(Move, Score)| matches!(score, Score::Mate(_));
        list.depth() >= asked || list.moves().first().is_some_and(mates)
    }

    /// The judgement of the tables, or else of the engine.
    pub(crate) fn judge(&self, position: &Chess, watch: &dyn Watch) -> Result<MoveValues, Blind> {
        if let Some(judgement) = self.tables(position).map_err(Blind::Failed)? {
            return Ok(judgement);
        }
        match self.list(position, watch).map_err(Blind::Failed)? {
            Some(list) => Ok(MoveValues::Engine(list)),
            None if Oracle::covers(position) && self.oracle.is_some() => {
                Err(Blind::Missing(Material::of(position.board()).0))
            }
            None => Err(Blind::Beyond),
        }
    }
}
