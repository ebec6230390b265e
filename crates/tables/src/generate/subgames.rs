//! Positions of solved subgames that captures and promotions reach.

use std::sync::Arc;

use errare_core::{Army, Material};
use shakmaty::{Color, Piece, Role};

use crate::{
    Layout, Value,
    geometry::{Sq, Symmetry, Word, squares},
    layout::{Placement, side},
};

/// A source of solved subgames.
pub(crate) trait Subgames: Sync {
    /// Why a subgame is unavailable.
    type Error: Send;

    /// One pawn slice of a subgame with one side to move.
    fn load(
        &self,
        material: Material,
        turn: Color,
        pawns: &[Sq],
    ) -> Result<LoadedSlice, Self::Error>;
}

/// A pawn slice of a solved subgame, and the symmetry that maps the requested pawns to the stored
/// ones.
#[derive(Clone)]
pub(crate) struct LoadedSlice {
    pub(crate) slice: Arc<SubgameSlice>,
    pub(crate) symmetry: Symmetry,
}

/// The values of a pawn slice with one side to move, one byte each.
pub(crate) struct SubgameSlice {
    layout: Arc<Layout>,
    number: usize,
    codes: Vec<u8>,
    values: [Value; 256],
}

/// The code of an illegal position.
const ILLEGAL: u8 = 255;

impl SubgameSlice {
    /// A slice from codes, in stored order, that index a palette of fewer than 256 values. Illegal
    /// positions may have any code.
    pub(crate) fn new(
        layout: Arc<Layout>,
        number: usize,
        turn: Color,
        mut codes: Vec<u8>,
        palette: &[Value],
    ) -> SubgameSlice {
        assert!(
            palette.len() <= usize::from(ILLEGAL),
            "one code is for what is illegal"
        );
        let mut values = [Value::NONE; 256];
        values[..palette.len()].copy_from_slice(palette);
        for (pair, codes) in codes.chunks_mut(layout.pair_len()).enumerate() {
            for row in 0..layout.rows.len() {
                let (first, offset) = layout.stored_lanes(row);
                let legal = layout.legal(turn, number, pair, row);
                let stored = Word::MAX.checked_shl(u32::from(first)).unwrap_or(0);
                for lane in squares(stored & !legal) {
                    codes[offset + usize::from(lane - first)] = ILLEGAL;
                }
            }
        }
        SubgameSlice {
            layout,
            number,
            codes,
            values,
        }
    }

    /// Its size in bytes.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }
}

/// How a conversion leads from a pawn slice of an endgame to one of a subgame.
pub(crate) struct Passage {
    /// `None` for bare kings.
    subgame: Option<LoadedSlice>,
    /// For each man of the subgame, its index among the men of the endgame.
    origins: [usize; 3],
    /// Is the endgame's Black the subgame's White?
    flipped: bool,
}

impl Passage {
    /// The passage to the endgame of the remaining men, each given with its index in the endgame
    /// and, for a pawn, its square, after `mover` has made the conversion.
    pub(crate) fn new<S: Subgames>(
        subgames: &S,
        mover: Color,
        left: &[(usize, Piece, Option<Sq>)],
    ) -> Result<Passage, S::Error> {
        let army = |color: Color| {
            let men = left.iter().filter(|(_, man, _)| man.color == color);
            Army::new(men.map(|(_, man, _)| man.role))
        };
        let material = Material::new(army(Color::White), army(Color::Black));
        let flipped = material.army(Color::White) != army(Color::White);
        let mut passage = Passage {
            subgame: None,
            origins: [0; 3],
            flipped,
        };
        if left.is_empty() {
            return Ok(passage);
        }
        let seen = |color: Color| if flipped { !color } else { color };
        let find_all = |wanted: Piece| {
            left.iter().filter(move |(_, man, _)| {
                man.role == wanted.role && seen(man.color) == wanted.color
            })
        };
        let pawns: Vec<Sq> = Color::ALL
            .into_iter()
            .flat_map(|color| find_all(Role::Pawn.of(color)))
            .filter_map(|(_, _, square)| square.map(|square| flip(flipped, square)))
            .collect();
        let loaded = subgames.load(material, seen(!mover), &pawns)?;
        let mut used = Vec::new();
        for (origin, &man) in passage.origins.iter_mut().zip(loaded.slice.layout.men()) {
            let unused = find_all(man).find(|(number, ..)| !used.contains(number));
            let (number, ..) = unused.expect("the subgame has the men that are left");
            used.push(*number);
            *origin = *number;
        }
        passage.subgame = Some(loaded);
        Ok(passage)
    }

    /// The value of the position reached, for the side then to move.
    #[inline]
    pub(crate) fn value(&self, kings: [Sq; 2], men: [Sq; 3]) -> Value {
        let Some(LoadedSlice { slice, symmetry }) = &self.subgame else {
            return if adjacent(kings) {
                Value::NONE
            } else {
                Value::DRAW
            };
        };
        let mut kings = kings.map(|square| flip(self.flipped, square));
        if self.flipped {
            kings.swap(side(Color::White), side(Color::Black));
        }
        let men = self.origins.map(|origin| flip(self.flipped, men[origin]));
        let placement = Placement { kings, men };
        match slice
            .layout
            .find_in_slice(placement, slice.number, *symmetry)
        {
            Some(place) => {
                let code = slice.codes[slice.layout.index_in_slice(place)];
                slice.values[usize::from(code)]
            }
            None => Value::NONE,
        }
    }
}

#[inline]
fn flip(flipped: bool, square: Sq) -> Sq {
    if flipped { square ^ 56 } else { square }
}

fn adjacent([white, black]: [Sq; 2]) -> bool {
    (white & 7).abs_diff(black & 7) <= 1 && (white >> 3).abs_diff(black >> 3) <= 1
}
