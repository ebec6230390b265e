//! The oracle: what every move of a position leads to, according to the endgame tables.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use errare_core::{Material, Metric, Outcome};
use errare_tables::{MAX_MEN, ProbeError, Prober};
use shakmaty::{Chess, Color, Move, Position};

use crate::{
    Turn, destination, exits,
    turn::{Choice, DeepestStates},
};

/// Knows the value of every move in one metric. Any number of threads may share it.
#[derive(Debug)]
pub struct Oracle {
    prober: Prober,
    metric: Metric,
    deepest: RwLock<HashMap<Material, [u16; 2]>>,
}

impl Oracle {
    /// An oracle on these tables, in this metric.
    pub fn new(prober: Prober, metric: Metric) -> Oracle {
        Oracle {
            prober,
            metric,
            deepest: RwLock::default(),
        }
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The tables.
    pub fn prober(&self) -> &Prober {
        &self.prober
    }

    /// Can there be a table for a position?
    pub fn covers(position: &Chess) -> bool {
        (3..=MAX_MEN).contains(&position.board().occupied().count())
            && position.castles().is_empty()
    }

    /// The outcome of a position in the metric.
    pub fn outcome(&self, position: &Chess) -> Result<Outcome, ProbeError> {
        self.prober.outcome(position, self.metric)
    }

    /// The moves of a position, sorted by name, with the states they lead to. Empty if the game is
    /// over.
    pub fn turn(&self, position: &Chess) -> Result<Turn, ProbeError> {
        let mut choices = Vec::new();
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let exits = exits(m, self.metric);
            let state = destination(self.outcome(&after)?, self.metric, exits);
            choices.push(Choice { r#move: m, state });
        }
        choices.sort_by_key(|choice| name_order(choice.r#move));
        let (material, flipped) = Material::of(position.board());
        let [white, black] = self.deepest_wins(material)?;
        let white_moves = (position.turn() == Color::White) != flipped;
        let (win, loss) = if white_moves {
            (white, black)
        } else {
            (black, white)
        };
        Ok(Turn::new(choices, DeepestStates { win, loss }))
    }

    /// The deepest wins of the endgame's White and Black, in moves. In metrics that continue
    /// through conversions, those of the subgames count as well, since a move may lead there.
    pub fn deepest_wins(&self, material: Material) -> Result<[u16; 2], ProbeError> {
        let known = self.deepest.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&deepest) = known.get(&material) {
            return Ok(deepest);
        }
        drop(known);
        let mut deepest = [0; 2];
        match self.metric {
            Metric::Dtc | Metric::Dtz => deepest = self.deepest_of(material)?,
            Metric::Dtm | Metric::Dtr => {
                for endgame in Material::closure([material]) {
                    let most = self.deepest_of(endgame)?.into_iter().max().unwrap_or(0);
                    deepest = deepest.map(|depth| depth.max(most));
                }
            }
        }
        let mut known = self.deepest.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(material, deepest);
        Ok(deepest)
    }

    /// The deepest wins of White and of Black in one table.
    fn deepest_of(&self, material: Material) -> Result<[u16; 2], ProbeError> {
        // Losing a piece may lead to bare kings, which have no table and no wins.
        if material.men() <= 2 {
            return Ok([0; 2]);
        }
        let layer = self.metric.into();
        let table = self.prober.store().table(material, layer)?;
        let table = table.ok_or_else(|| ProbeError::Missing {
            material,
            layer,
            directory: self.prober.store().directory().to_owned(),
        })?;
        let depth = |outcome: Outcome| outcome.moves_in(self.metric).map_or(0, |moves| moves.0);
        Ok(Color::ALL.map(|winner| {
            let wins = table.palette(winner).iter().filter(|o| o.sign() > 0);
            let losses = table.palette(!winner).iter().filter(|o| o.sign() < 0);
            wins.chain(losses).map(|&o| depth(o)).max().unwrap_or(0)
        }))
    }
}

/// Sort key: the move in UCI notation.
fn name_order(m: Move) -> impl Ord {
    let square = |square: shakmaty::Square| (square.file(), square.rank());
    let promotion = m.promotion().map(|role| role.char());
    (m.from().map(square), square(m.to()), promotion)
}
