//! The one recurrence of all metrics.
//!
//! A position is worth the best of its options for the side to move: a win before a draw before a
//! loss, the shortest win, the longest loss. An option is a quiet move, worth the position it leads
//! to, one ply deeper and with sides exchanged; or the *exit*, the best of the zeroing moves, whose
//! worth is known beforehand and differs between metrics. Mate and stalemate are exits too.
//!
//! By induction on the depth the recurrence has only one solution, so the order in which positions
//! are settled affects only speed, and [`Recurrence::is_solved`] is proof.

use errare_core::{Outcome, Plies};

use super::{depths::one_ply_before, graph::Graph};

/// The recurrence over a slice, and its solution so far.
pub(crate) struct Recurrence<'a> {
    graph: &'a Graph,
    exits: Vec<Option<Outcome>>,
    values: Vec<Outcome>,
    /// How many options of each position do not lose.
    not_losing: Vec<u8>,
}

impl Recurrence<'_> {
    /// The recurrence with all exits drawn; `has_exit` says which positions have one.
    pub(crate) fn new(graph: &Graph, has_exit: impl Iterator<Item = bool>) -> Recurrence<'_> {
        let exits: Vec<_> = has_exit
            .map(|has_exit| has_exit.then_some(Outcome::Draw))
            .collect();
        let options = |(slot, exit): (u32, &Option<Outcome>)| {
            let options = graph.successors(slot).len() + usize::from(exit.is_some());
            u8::try_from(options).expect("no position has more than 218 moves")
        };
        Recurrence {
            graph,
            values: vec![Outcome::Draw; exits.len()],
            not_losing: (0..).zip(&exits).map(options).collect(),
            exits,
        }
    }

    /// The outcome at each slot.
    pub(crate) fn values(&self) -> &[Outcome] {
        &self.values
    }

    /// Is every position worth its best option?
    pub(crate) fn is_solved(&self) -> bool {
        (0..)
            .zip(&self.values)
            .all(|(slot, &value)| self.best_option(slot) == value)
    }

    fn best_option(&self, slot: u32) -> Outcome {
        let quiet = self.graph.successors(slot).iter();
        quiet
            .map(|&successor| one_ply_before(self.values[successor as usize]))
            .chain(self.exits[slot as usize])
            .max_by_key(|outcome| outcome.preference())
            .unwrap_or(Outcome::Draw)
    }

    /// Gives drawn exits these outcomes and solves the recurrence again. That only adds or shortens
    /// wins and losses, and positions take their new values ply by ply.
    pub(crate) fn decide(&mut self, exits: impl IntoIterator<Item = (u32, Outcome)>) {
        let mut due_at = vec![Vec::new()];
        for (slot, exit) in exits {
            self.exits[slot as usize] = Some(exit);
            self.not_losing[slot as usize] -= u8::from(exit.sign() < 0);
            due_at[0].push(slot);
        }
        let mut ply = 0;
        while ply < due_at.len() {
            for slot in std::mem::take(&mut due_at[ply]) {
                let old_value = self.values[slot as usize];
                if depth(old_value).is_some_and(|depth| depth <= ply) {
                    continue;
                }
                let value = self.best_option(slot);
                let Some(depth) = depth(value).filter(|_| value != old_value) else {
                    continue;
                };
                due_at.resize_with(due_at.len().max(depth + 2), Vec::new);
                if depth > ply {
                    due_at[depth].push(slot);
                    continue;
                }
                self.values[slot as usize] = value;
                for &predecessor in self.graph.predecessors(slot) {
                    let not_losing = &mut self.not_losing[predecessor as usize];
                    *not_losing -= u8::from(value.sign() > old_value.sign());
                    if value.sign() < 0 || *not_losing == 0 {
                        due_at[ply + 1].push(predecessor);
                    }
                }
            }
            ply += 1;
        }
    }
}

fn depth(outcome: Outcome) -> Option<usize> {
    outcome.plies().map(|Plies(plies)| usize::from(plies))
}
