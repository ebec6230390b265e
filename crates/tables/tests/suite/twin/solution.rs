//! The depths of all positions of a slice.

use std::collections::BTreeMap;

use errare_core::{Metric, Outcome, Plies};
use errare_tables::{Layer, Value};

use super::{
    depths::{Depths, FIFTY_MOVES, NO_RULE, under_rule, with_plies},
    graph::Graph,
    recurrence::Recurrence,
};

/// The depths of the positions of a slice, by slot.
pub(crate) struct Solution(Vec<[Value; Layer::ALL.len()]>);

impl Solution {
    /// Solves the slice with these quiet moves and exits.
    pub(crate) fn new(graph: &Graph, exits: &[Option<Depths>]) -> Solution {
        let [dtm, dtc] = [Metric::Dtm, Metric::Dtc].map(|metric| {
            let mut recurrence = Recurrence::new(graph, exits.iter().map(Option::is_some));
            recurrence.decide(decided(exits, metric));
            assert!(recurrence.is_solved());
            recurrence
        });
        let Levels { dtz, dtr, dtz50 } = Levels::new(graph, exits);
        let layers = [dtm.values(), dtc.values(), dtz.values(), &dtr, &dtz50];
        let depths = |slot| layers.map(|layer| Value::from(layer[slot]));
        Solution((0..exits.len()).map(depths).collect())
    }

    /// The depths at a slot.
    pub(crate) fn depths(&self, slot: usize) -> Depths {
        Depths(self.0[slot].map(|value| value.outcome().expect("every slot has an outcome")))
    }
}

/// The exits that win or lose.
fn decided(exits: &[Option<Depths>], metric: Metric) -> impl Iterator<Item = (u32, Outcome)> {
    (0..).zip(exits).filter_map(move |(slot, exit)| {
        let outcome = exit.as_ref()?.outcome(metric);
        (outcome != Outcome::Draw).then_some((slot, outcome))
    })
}

/// DTR, DTZ and DTZ50, level by level.
struct Levels<'a> {
    dtz: Recurrence<'a>,
    dtr: Vec<Outcome>,
    dtz50: Vec<Outcome>,
}

impl Levels<'_> {
    /// Level by level, for a rule of *k* = 0, 1, .. plies: dz_k is DTZ with only those zeroing
    /// moves counted that lead to dr <= k, and dr is the first *k* with dz_k <= k. As dz_k never
    /// grows with *k*, that is the least of all max(k, dz_k). Levels at which no move begins to
    /// count change nothing and are left out; the last gives DTZ itself.
    fn new<'a>(graph: &'a Graph, exits: &[Option<Depths>]) -> Levels<'a> {
        let mut begin_to_count: BTreeMap<Plies, Vec<(u32, Outcome)>> = BTreeMap::new();
        for (slot, dtr) in decided(exits, Metric::Dtr) {
            let rule = dtr.plies().expect("what is decided has a depth");
            let exit = (slot, under_rule(dtr, rule));
            begin_to_count.entry(rule).or_default().push(exit);
        }

        let mut dtz = Recurrence::new(graph, exits.iter().map(Option::is_some));
        let mut dtr = dtz.values().to_vec();
        let mut dtz50 = dtr.clone();
        for (rule, exits) in begin_to_count {
            dtz.decide(exits);
            for (dtr, &dtz) in dtr.iter_mut().zip(dtz.values()) {
                let before = dtr.plies().unwrap_or(NO_RULE);
                *dtr = with_plies(dtz, |dz| before.min(rule.max(dz)));
            }
            if rule <= FIFTY_MOVES {
                dtz50.copy_from_slice(dtz.values());
            }
        }
        assert!(dtz.is_solved());
        Levels { dtz, dtr, dtz50 }
    }
}
