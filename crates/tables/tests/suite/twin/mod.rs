//! The slow, obviously right twin of the generator.
//!
//! It shares only the vocabulary with the generator: shakmaty enumerates positions and makes moves,
//! the least of all symmetric images is stored, and each metric is the solution of one recurrence
//! over lists of successors. An endgame is solved slice by slice, a slice being the positions that
//! share their pawns; the subgames of its zeroing moves are solved on the way.
//!
//! DTR is computed by definition, level by level, not by the one-pass rule of Haworth (2001),
//! *Depth by the rule*, ICGA Journal 24(3), which overlooks that a line may trade depth by the rule
//! for distance to the next zeroing move.

mod depths;
mod graph;
mod place;
mod recurrence;
mod solution;

use std::collections::HashMap;

use errare_core::Material;
use shakmaty::{Chess, Color, Move, Position, Role};

pub(crate) use self::depths::Depths;
use self::{
    graph::Graph,
    place::{Place, Slice, Slots, pawns_and_slot},
    solution::Solution,
};

/// The depths of a position, if they are known beforehand.
type Given = Box<dyn Fn(&Chess) -> Option<Depths> + Send>;

/// Outcomes of positions, each solved when it is first asked for.
pub(crate) struct Twin {
    slices: HashMap<Slice, Solution>,
    given: Given,
}

impl Twin {
    /// A twin that solves everything itself.
    pub(crate) fn new() -> Twin {
        Twin::given(|_| None)
    }

    /// A twin given the depths of some positions, ignoring en-passant rights: those of the
    /// subgames, for example, to see whether an endgame is right if they are.
    pub(crate) fn given(given: impl Fn(&Chess) -> Option<Depths> + Send + 'static) -> Twin {
        Twin {
            slices: HashMap::new(),
            given: Box::new(given),
        }
    }

    /// The depths of a position without castling rights. A capture en passant is one more option
    /// beside the position without that right, if the latter has any moves.
    pub(crate) fn depths(&mut self, position: &Chess) -> Depths {
        let en_passant = position.en_passant_moves();
        let has_other_moves = || position.legal_moves().len() > en_passant.len();
        let without_right = en_passant.is_empty() || has_other_moves();
        let stored = without_right.then(|| self.stored(position));
        en_passant
            .into_iter()
            .map(|m| self.depths_of_zeroing(position, m))
            .chain(stored)
            .reduce(Depths::best)
            .expect("a move or a stored position")
    }

    /// What a zeroing move is worth.
    fn depths_of_zeroing(&mut self, position: &Chess, m: Move) -> Depths {
        let mut target = position.clone();
        target.play_unchecked(m);
        self.depths(&target).before_zeroing(m)
    }

    /// The depths of a position, ignoring en passant.
    fn stored(&mut self, position: &Chess) -> Depths {
        if let Some(depths) = (self.given)(position) {
            return depths;
        }
        let Some(Place { slice, slot }) = Place::of(position.board(), position.turn()) else {
            return Depths::DRAW;
        };
        if !self.slices.contains_key(&slice) {
            let solution = self.solve(slice);
            self.slices.insert(slice, solution);
        }
        self.slices[&slice].depths(slot)
    }

    fn solve(&mut self, slice: Slice) -> Solution {
        let slots = Slots::new(slice);
        let mut exits = vec![None; slots.len()];
        let graph = Graph::new(slots.len(), |slot, successors| {
            let Some(position) = slots.position(slot) else {
                return;
            };
            let moves = position.legal_moves();
            if moves.is_empty() {
                let is_mate = position.is_check();
                exits[slot] = Some(if is_mate { Depths::MATE } else { Depths::DRAW });
            }
            for m in moves {
                if m.is_zeroing() {
                    let option = self.depths_of_zeroing(&position, m);
                    exits[slot] = exits[slot].into_iter().chain([option]).reduce(Depths::best);
                } else {
                    let mut target = position.clone();
                    target.play_unchecked(m);
                    let (_, successor) = pawns_and_slot(target.board(), target.turn());
                    successors.push(successor as u32);
                }
            }
        });
        Solution::new(&graph, &exits)
    }
}

/// Every legal position of an endgame up to symmetry, both sides to move, no en-passant rights.
pub(crate) fn positions(material: Material) -> impl Iterator<Item = Chess> {
    Slice::all(material)
        .map(Slots::new)
        .flat_map(|slots| (0..slots.len()).filter_map(move |slot| slots.position(slot)))
}

/// Every position of an endgame up to symmetry in which a capture en passant is legal.
pub(crate) fn en_passant_positions(material: Material) -> impl Iterator<Item = Chess> {
    let has_pawns = |color| material.army(color).count(Role::Pawn) > 0;
    let both_have_pawns = Color::ALL.into_iter().all(has_pawns);
    positions(material)
        .take_while(move |_| both_have_pawns)
        .flat_map(|position| {
            let moves = position.legal_moves().into_iter();
            moves.filter_map(move |m| {
                let after = position.clone().play(m).expect("the move is legal");
                after.legal_ep_square().map(|_| after)
            })
        })
}
