//! The positions of one side in a hunt, and the ends of play.
//!
//! Nodes are numbered in the order of their depths. Behind the nodes of each side come the ends of
//! play, so that the values of all that moves lead to stand in one array.

/// How play in the graph can end: what is left of it is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The prey has won, or converted into a win.
    PreyWins,
    /// Drawn for good, or converted into a draw; where only wins are followed, any draw.
    Drawn,
    /// The hunter has won; where draws are followed, any position that the hunter wins.
    HunterWins,
}

impl End {
    pub(super) const COUNT: usize = 3;

    /// By its value for the prey.
    pub(super) fn of(value: i32) -> End {
        match value {
            1.. => End::PreyWins,
            0 => End::Drawn,
            _ => End::HunterWins,
        }
    }
}

/// Positions with one side to move.
#[derive(Debug)]
pub(super) struct Nodes {
    /// By node: where its position is stored.
    pub(super) indices: Vec<u32>,
    /// By node: how many positions of the full board it stands for.
    pub(super) orbits: Vec<u8>,
    /// By depth: where its nodes begin; and where all end.
    pub(super) levels: Vec<usize>,
    /// By node: where its moves begin; and where all end.
    pub(super) starts: Vec<u64>,
    /// Of each move: the node of the other side, or an end.
    pub(super) targets: Vec<u32>,
    /// Of each move: the number of the state that it leads to.
    pub(super) states: Vec<u8>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The moves of a node: targets and numbers of states.
    #[inline]
    pub(super) fn moves(&self, node: usize) -> (&[u32], &[u8]) {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        (&self.targets[range.clone()], &self.states[range])
    }

    /// The nodes of a depth.
    pub(super) fn level(&self, depth: usize) -> std::ops::Range<usize> {
        match self.levels.get(depth + 1) {
            Some(&end) => self.levels[depth]..end,
            None => 0..0,
        }
    }

    /// How many depths there are, 0 included.
    pub(super) fn depths(&self) -> usize {
        self.levels.len() - 1
    }

    /// Values of all nodes and ends, zero as yet.
    pub(super) fn values(&self) -> Vec<f64> {
        vec![0.0; self.len() + End::COUNT]
    }
}
