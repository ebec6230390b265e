//! The moves of the positions of one row.

use crate::{
    geometry::{Sq, Symmetry},
    layout::LANES,
};

/// The stored index of the position after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Successor(u32);

impl Successor {
    /// Not in the table: another endgame, or a position with an en-passant right.
    pub const ELSEWHERE: Successor = Successor(u32::MAX);

    /// The largest table has fewer than 2^29 positions.
    #[inline]
    pub(super) fn new(index: usize, symmetry: Symmetry) -> Successor {
        Successor((index as u32) << 3 | u32::from(symmetry.0))
    }

    /// The index of the stored position.
    #[inline]
    pub const fn index(self) -> u32 {
        self.0 >> 3
    }

    /// The symmetry that maps the position after the move to the stored one.
    #[inline]
    pub const fn symmetry(self) -> Symmetry {
        Symmetry((self.0 & 7) as u8)
    }
}

/// More than any position with three men a side besides the king has: three queens have 89 moves.
const MOST_MOVES: usize = 128;

/// For each lane, the kinds of its moves and their destinations.
pub(super) struct MoveLists {
    len: [u8; LANES],
    kinds: Box<[[u16; MOST_MOVES]; LANES]>,
    successors: Box<[[Successor; MOST_MOVES]; LANES]>,
    /// Was any successor listed?
    told: bool,
}

impl MoveLists {
    pub(super) fn new() -> MoveLists {
        MoveLists {
            len: [0; LANES],
            kinds: Box::new([[0; MOST_MOVES]; LANES]),
            successors: Box::new([[Successor::ELSEWHERE; MOST_MOVES]; LANES]),
            told: false,
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = [0; LANES];
    }

    #[inline]
    pub(super) fn push(&mut self, lane: Sq, kind: u16) {
        let lane = usize::from(lane & 63);
        let number = usize::from(self.len[lane]);
        self.kinds[lane][number] = kind;
        self.len[lane] += 1;
    }

    #[inline]
    pub(super) fn push_with_successor(&mut self, lane: Sq, kind: u16, successor: Successor) {
        let index = usize::from(lane & 63);
        self.successors[index][usize::from(self.len[index])] = successor;
        self.told = true;
        self.push(lane, kind);
    }

    pub(super) fn kinds(&self, lane: Sq) -> &[u16] {
        let lane = usize::from(lane);
        &self.kinds[lane][..usize::from(self.len[lane])]
    }

    pub(super) fn successors(&self, lane: Sq) -> &[Successor] {
        let lane = usize::from(lane);
        let len = if self.told { self.len[lane] } else { 0 };
        &self.successors[lane][..usize::from(len)]
    }
}
