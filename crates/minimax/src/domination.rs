//! Domination: a move that leaves the opponent no more choice, and the player no less, at any
//! level.
//!
//! If one move strictly dominates another, and α is at least 2, it is chosen with a higher
//! probability (theorem 6.2, which does not say that α must exceed 1).
//!
//! Reference: Levene & Fenner, section 6.

use std::cmp::Ordering;

use crate::LevelRegular;

/// How two moves compare at one level: `Greater` if the first has the better number of children,
/// which is the smaller at min-nodes (odd levels) and the greater at max-nodes.
pub fn compare_at(level: usize, first: u32, second: u32) -> Ordering {
    if level % 2 == 1 {
        second.cmp(&first)
    } else {
        first.cmp(&second)
    }
}

/// How two moves of trees of the same depth compare: `Greater` if the first strictly dominates,
/// `Equal` if they are alike, `None` if neither dominates the other.
///
/// ```
/// use errare_minimax::{LevelRegular, domination};
/// use std::cmp::Ordering;
///
/// let moves = LevelRegular::parse_moves("[2 3][3 2][1 2]")?;
/// assert_eq!(domination(&moves[0], &moves[1]), Some(Ordering::Greater)); // example 1
/// assert_eq!(domination(&moves[0], &moves[2]), None); // example 2
/// # Ok::<(), errare_minimax::ParseTreeError>(())
/// ```
pub fn domination(first: &LevelRegular, second: &LevelRegular) -> Option<Ordering> {
    let levels = first.0.iter().zip(&second.0).zip(1..);
    let mut compared = levels.map(|((&a, &b), level)| compare_at(level, a, b));
    compared.try_fold(Ordering::Equal, |so_far, here| match (so_far, here) {
        (_, Ordering::Equal) => Some(so_far),
        (Ordering::Equal, _) => Some(here),
        _ => (so_far == here).then_some(here),
    })
}
