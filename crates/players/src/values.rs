//! An oracle's judgement of all moves of a position: by tables or by an engine.

use errare_core::{Mark, Metric};
use errare_endgame::Turn;
use errare_tables::Authority;
use shakmaty::Move;

use crate::{Basis, Ceded, Chosen, EngineList};

/// All moves of a position with their values.
#[derive(Debug, Clone)]
pub enum MoveValues {
    /// By endgame tables.
    Tables {
        /// The moves.
        turn: Turn,
        /// The metric of their depths.
        metric: Metric,
        /// Which tables: ours or Syzygy.
        authority: Authority,
    },
    /// By an engine.
    Engine(EngineList),
}

impl MoveValues {
    /// The moves, in the oracle's order.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            MoveValues::Tables { turn, .. } => turn.choices().iter().map(|c| c.r#move).collect(),
            MoveValues::Engine(list) => list.moves().iter().map(|(m, _)| *m).collect(),
        }
    }

    /// The index of a move.
    pub fn find(&self, m: Move) -> Option<usize> {
        match self {
            MoveValues::Tables { turn, .. } => turn.find(m),
            MoveValues::Engine(list) => list.find(m),
        }
    }

    /// The basis of the judgement.
    pub fn source(&self) -> Basis {
        match self {
            MoveValues::Tables { metric, .. } => Basis::Tables(*metric),
            MoveValues::Engine(list) => Basis::Engine {
                depth: list.depth(),
            },
        }
    }

    /// How forced a move is.
    pub fn mark(&self, number: usize) -> Option<Mark> {
        match self {
            MoveValues::Tables { turn, .. } => turn.mark(&turn.choices()[number]),
            MoveValues::Engine(list) => list.mark(),
        }
    }

    /// What a move gives away.
    pub fn ceded(&self, number: usize) -> Ceded {
        match self {
            MoveValues::Tables { turn, .. } => match turn.ceded(&turn.choices()[number]) {
                Some(moves) => Ceded::Moves(moves),
                None => Ceded::Result,
            },
            MoveValues::Engine(list) => Ceded::Pawns(list.ceded(number)),
        }
    }

    /// The choice of the move at an index, by a player with these probabilities.
    pub(crate) fn chosen(self, number: usize, chances: &[f64]) -> Chosen {
        let moves = self.moves();
        Chosen {
            r#move: moves[number],
            probability: chances.get(number).copied(),
            chances: moves.iter().copied().zip(chances.iter().copied()).collect(),
            mark: self.mark(number),
            ceded: Some(self.ceded(number)),
            source: self.source(),
            judgement: Some(self),
            remarks: Vec::new(),
        }
    }

    /// The choice of the move at an index, by a player that leaves nothing to chance.
    pub(crate) fn certain(self, number: usize) -> Chosen {
        let mut chances = vec![0.0; self.moves().len()];
        chances[number] = 1.0;
        self.chosen(number, &chances)
    }
}
