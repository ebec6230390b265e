//! Destinations of moves, numbered by the caller.

use errare_core::Outcome;

use crate::Value;

/// The kind of step that a move takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CensusStep {
    /// A piece or a king moves to an empty square.
    Quiet,
    /// A pawn moves forward and does not promote.
    Push,
    /// A capture or promotion.
    Conversion,
}

/// The destination of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Destination {
    /// The outcome of the position after the move, for the side then to move.
    pub after: Outcome,
    /// The kind of step.
    pub step: CensusStep,
    /// Does it stalemate? Reported only for moves within the endgame.
    pub stalemate: bool,
}

/// A code that no outcome has, used for stalemate.
pub(super) const STALEMATE: u8 = 255;

/// The greatest depth of a table, in plies.
const DEEPEST: u16 = 255;

/// The kinds of all destinations.
#[derive(Debug)]
pub(super) struct Kinds {
    /// By code of the position after the move.
    quiet: Vec<u16>,
    push: Vec<u16>,
    /// By value: the kinds of pushes that may be answered en passant, and of conversions.
    push_to: Vec<u16>,
    conversion_to: Vec<u16>,
}

impl Kinds {
    /// Numbers all destinations once; `palette` has the outcomes of the side that is to move
    /// afterwards.
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
            quiet: by_code(CensusStep::Quiet),
            push: by_code(CensusStep::Push),
            push_to: by_value(CensusStep::Push),
            conversion_to: by_value(CensusStep::Conversion),
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

    /// Must stalemates be told from other draws?
    pub(super) fn tell_stalemates(&self, palette: &[Outcome]) -> bool {
        let draw = palette.iter().position(|&o| o == Outcome::Draw);
        let stalemate = usize::from(STALEMATE);
        draw.is_some_and(|draw| {
            self.quiet[draw] != self.quiet[stalemate] || self.push[draw] != self.push[stalemate]
        })
    }
}
