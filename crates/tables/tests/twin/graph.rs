//! The quiet moves of a slice, and the one recurrence of all metrics solved over them.
//!
//! A position is worth the best of its options to the side to move: a win to a draw to a loss, the
//! shortest win, the longest loss. An option is a quiet move, worth what it leads to, one ply
//! deeper and with sides exchanged; or the *exit*, the best of the zeroing moves, whose worth is
//! known beforehand and is where the metrics differ. Mate and stalemate are exits too.
//!
//! By induction on the depth the recurrence has one solution only, so the order in which positions
//! are settled is a matter of speed, and [`Graph::is_solution`] is proof.

use errare_core::{Outcome, Plies};

use super::depths::one_ply_before;

/// Slots and the quiet moves between them.
pub(crate) struct Graph {
    successors: Lists,
    predecessors: Lists,
}

/// A list of slots for each slot, all in one vector.
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        &self.items[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// The lists of those in whose list a slot is.
    fn reversed(&self) -> Lists {
        let slots = self.starts.len() - 1;
        let mut starts = vec![0; slots + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for slot in 0..slots {
            starts[slot + 1] += starts[slot];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; self.items.len()];
        for slot in 0..slots as u32 {
            for &item in self.of(slot) {
                let end = &mut ends[item as usize];
                items[*end as usize] = slot;
                *end += 1;
            }
        }
        Lists { starts, items }
    }
}

impl Graph {
    /// The graph of the moves from each slot.
    pub(crate) fn new(slots: usize, mut moves: impl FnMut(usize, &mut Vec<u32>)) -> Graph {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for slot in 0..slots {
            moves(slot, &mut items);
            starts.push(u32::try_from(items.len()).expect("fewer than 2^32 moves"));
        }
        let successors = Lists { starts, items };
        let predecessors = successors.reversed();
        Graph {
            successors,
            predecessors,
        }
    }

    /// What a position's options are worth.
    fn options<'a>(
        &'a self,
        slot: u32,
        exits: &[Option<Outcome>],
        values: &'a [Outcome],
    ) -> impl Iterator<Item = Outcome> + 'a {
        let quiet = self.successors.of(slot).iter();
        let exit = exits[slot as usize];
        let quiet = quiet.map(|&successor| one_ply_before(values[successor as usize]));
        exit.into_iter().chain(quiet)
    }

    /// The best option of a position; a draw if there is none.
    fn best(&self, slot: u32, exits: &[Option<Outcome>], values: &[Outcome]) -> Outcome {
        self.options(slot, exits, values)
            .max_by_key(|outcome| outcome.preference())
            .unwrap_or(Outcome::Draw)
    }

    /// Solves the recurrence.
    pub(crate) fn solution(&self, exits: &[Option<Outcome>]) -> Vec<Outcome> {
        let mut values = vec![Outcome::Draw; exits.len()];
        let slots = 0..exits.len() as u32;
        let with_exit = slots.filter(|&slot| exits[slot as usize].is_some());
        self.settle(exits, &mut values, with_exit.collect());
        assert!(self.is_solution(exits, &values));
        values
    }

    /// Solves the recurrence, given that `values` solve it for exits that are draws in the slots
    /// `changed`; so that wins and losses are only added or made shorter. Positions take their final
    /// value ply by ply.
    pub(crate) fn settle(
        &self,
        exits: &[Option<Outcome>],
        values: &mut [Outcome],
        changed: Vec<u32>,
    ) {
        let mut due_at = vec![changed];
        let mut last_due = vec![0u16; values.len()];
        let mut ply = 0;
        while ply < due_at.len() {
            for slot in std::mem::take(&mut due_at[ply]) {
                let value = self.best(slot, exits, values);
                if value == values[slot as usize] {
                    continue;
                }
                let settles_at = depth(value).expect("nothing decided becomes a draw");
                due_at.resize_with(due_at.len().max(settles_at + 2), Vec::new);
                if settles_at > ply {
                    due_at[settles_at].push(slot);
                    continue;
                }
                values[slot as usize] = value;
                for &before in self.predecessors.of(slot) {
                    let is_due = last_due[before as usize] > ply as u16
                        || depth(values[before as usize]).is_some_and(|depth| depth <= ply + 1);
                    // A won successor loses only where every other option does too.
                    let changes = || {
                        value.sign() < 0
                            || self
                                .options(before, exits, values)
                                .all(|option| option.sign() < 0)
                    };
                    if !is_due && changes() {
                        last_due[before as usize] = ply as u16 + 1;
                        due_at[ply + 1].push(before);
                    }
                }
            }
            ply += 1;
        }
    }

    /// Whether every position is worth its best option.
    pub(crate) fn is_solution(&self, exits: &[Option<Outcome>], values: &[Outcome]) -> bool {
        (0..)
            .zip(values)
            .all(|(slot, &value)| self.best(slot, exits, values) == value)
    }
}

fn depth(outcome: Outcome) -> Option<usize> {
    outcome.plies().map(|Plies(plies)| usize::from(plies))
}
