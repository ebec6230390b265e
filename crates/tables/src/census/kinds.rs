//! What moves lead to, numbered by the caller.

use errare_core::Outcome;

use crate::Value;

/// How a move leads to the position after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// A piece or a king moves to an empty square.
    Quiet,
    /// A pawn moves forward and does not promote.
    Push,
    /// A capture or promotion.
    Conversion,
}

/// What a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The outcome of the position after the move, for the side then to move.
    pub after: Outcome,
    /// How the move leads there.
    pub step: Step,
    /// Whether it stalemates; told only of moves that stay in the endgame.
    pub stalemate: bool,
}

/// The code, of no outcome, that stands for stalemate.
pub(super) const STALEMATE: u8 = 255;

/// The greatest depth of a table, in plies.
const DEEPEST: u16 = 255;

/// The kinds of all that moves can lead to.
#[derive(Debug)]
pub(super) struct Kinds {
    /// By code of the position after the move.
    quiet: Vec<u16>,
    push: Vec<u16>,
    /// By value: what a push that may be answered en passant leads to, and a conversion.
    push_to: Vec<u16>,
    conversion_to: Vec<u16>,
}

impl Kinds {
    /// Numbers everything once; `palette` has the outcomes of the side that is to move afterwards.
    pub(super) fn new(palette: &[Outcome], kind: impl Fn(Destination) -> u16) -> Kinds {
        let to = |after, step| Destination {
            after,
            step,
            stalemate: false,
        };
        let by_code = |step| {
            let mut kinds: Vec<u16> = palette.iter().map(|&after| kind(to(after, step))).collect();
            kinds.resize(usize::from(STALEMATE) + 1, 0);
            kinds[usize::from(STALEMATE)] = kind(Destination {
                stalemate: true,
                ..to(Outcome::Draw, step)
            });
            kinds
        };
        let by_value = |step| {
            (0..=Value::loss(DEEPEST).to_bits())
                .map(|bits| match Value::from_bits(bits).outcome() {
                    Some(after) => kind(to(after, step)),
                    None => 0,
                })
                .collect()
        };
        Kinds {
            quiet: by_code(Step::Quiet),
            push: by_code(Step::Push),
            push_to: by_value(Step::Push),
            conversion_to: by_value(Step::Conversion),
        }
    }

    #[inline]
    pub(super) fn quiet(&self, code: u8) -> u16 {
        self.quiet[usize::from(code)]
    }

    #[inline]
    pub(super) fn push(&self, code: u8) -> u16 {
        self.push[usize::from(code)]
    }

    #[inline]
    pub(super) fn push_to(&self, value: Value) -> u16 {
        self.push_to[usize::from(value.to_bits())]
    }

    #[inline]
    pub(super) fn conversion_to(&self, value: Value) -> u16 {
        self.conversion_to[usize::from(value.to_bits())]
    }

    /// Whether it matters which draws are stalemates.
    pub(super) fn tell_stalemates(&self, palette: &[Outcome]) -> bool {
        let draw = palette.iter().position(|&o| o == Outcome::Draw);
        let stalemate = usize::from(STALEMATE);
        draw.is_some_and(|draw| {
            self.quiet[draw] != self.quiet[stalemate] || self.push[draw] != self.push[stalemate]
        })
    }
}
