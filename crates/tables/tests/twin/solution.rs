//! The depths of all positions of a slice.

use std::collections::BTreeMap;

use errare_core::{Metric, Outcome, Plies};
use errare_tables::{Layer, Value};

use super::{
    depths::{Depths, FIFTY_MOVES, NO_RULE, under_rule, with_plies},
    graph::Graph,
};

/// The depths of the positions of a slice, by slot.
pub(crate) struct Solution(Vec<[Value; Layer::ALL.len()]>);

impl Solution {
    /// Solves the slice with these quiet moves and exits.
    pub(crate) fn new(graph: &Graph, exits: &[Option<Depths>]) -> Solution {
        let [dtm, dtc] = [Metric::Dtm, Metric::Dtc].map(|metric| {
            let exits = exits
                .iter()
                .map(|exit| Some(exit.as_ref()?.outcome(metric)));
            graph.solution(&exits.collect::<Vec<_>>())
        });
        let Levels { dtz, dtr, dtz50 } = Levels::new(graph, exits);
        let depths = |slot| [dtm[slot], dtc[slot], dtz[slot], dtr[slot], dtz50[slot]];
        Solution(
            (0..exits.len())
                .map(|slot| depths(slot).map(Value::from))
                .collect(),
        )
    }

    /// The depths at a slot.
    pub(crate) fn depths(&self, slot: usize) -> Depths {
        Depths(self.0[slot].map(|value| value.outcome().expect("every slot has an outcome")))
    }
}

/// What the levels of DTR give.
struct Levels {
    dtz: Vec<Outcome>,
    dtr: Vec<Outcome>,
    dtz50: Vec<Outcome>,
}

impl Levels {
    /// Level by level, for a rule of *k* = 0, 1, .. plies: dz_k is DTZ with only those zeroing moves
    /// counted that lead to dr <= k, and dr is the first *k* with dz_k <= k. As dz_k never grows
    /// with *k*, that is the least of all max(k, dz_k). Levels at which no move begins to count
    /// change nothing and are left out; the last gives DTZ itself.
    fn new(graph: &Graph, exits: &[Option<Depths>]) -> Levels {
        let by_rule = |slot: usize| exits[slot].map(|exit| exit.outcome(Metric::Dtr));
        let mut begin_to_count: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
        for slot in 0..exits.len() {
            if let Some(Plies(rule)) = by_rule(slot).and_then(Outcome::plies) {
                begin_to_count.entry(rule).or_default().push(slot as u32);
            }
        }

        let mut counted: Vec<_> = exits
            .iter()
            .map(|exit| exit.map(|_| Outcome::Draw))
            .collect();
        let mut dtz = vec![Outcome::Draw; exits.len()];
        let mut dtr = dtz.clone();
        let mut dtz50 = dtz.clone();
        for (rule, slots) in begin_to_count {
            for &slot in &slots {
                counted[slot as usize] = by_rule(slot as usize).map(|exit| under_rule(exit, rule));
            }
            graph.settle(&counted, &mut dtz, slots);
            for (dtr, dtz) in dtr.iter_mut().zip(&dtz) {
                let least = dtr.plies().map_or(NO_RULE, |Plies(plies)| plies);
                *dtr = with_plies(*dtz, |dz| least.min(rule.max(dz)));
            }
            if rule <= FIFTY_MOVES {
                dtz50.clone_from(&dtz);
            }
        }
        assert!(graph.is_solution(&counted, &dtz));
        Levels { dtz, dtr, dtz50 }
    }
}
