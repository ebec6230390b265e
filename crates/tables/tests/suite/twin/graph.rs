//! The quiet moves of a slice.

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

    /// The inverse lists: for each slot, those whose lists contain it.
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

    /// Where the quiet moves from a slot lead; a slot that two moves lead to is listed twice.
    pub(crate) fn successors(&self, slot: u32) -> &[u32] {
        self.successors.of(slot)
    }

    /// Where the quiet moves to a slot come from.
    pub(crate) fn predecessors(&self, slot: u32) -> &[u32] {
        self.predecessors.of(slot)
    }
}
