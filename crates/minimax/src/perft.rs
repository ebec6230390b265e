//! Counting the leaves of a tree: the yardstick for the speed of everything else.

use rayon::prelude::*;

use crate::game::GamePosition;

/// The number of ways to play `depth` plies. The last ply is counted, not played; the work is shared
/// over the threads of the current pool two plies down.
///
/// ```
/// use errare_minimax::{ConnectFour, perft};
/// use shakmaty::Chess;
///
/// assert_eq!(perft(&Chess::default(), 3), 8902);
/// assert_eq!(perft(&ConnectFour::default(), 3), 343);
/// ```
pub fn perft<G: GamePosition>(position: &G, depth: u32) -> u64 {
    if depth < 4 {
        return count(position, depth);
    }
    let children = |position: &G| -> Vec<G> {
        position
            .moves()
            .into_iter()
            .map(|chosen| position.play(chosen))
            .collect()
    };
    let grandchildren: Vec<G> = children(position).iter().flat_map(children).collect();
    grandchildren
        .par_iter()
        .map(|position| count(position, depth - 2))
        .sum()
}

fn count<G: GamePosition>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.moves().len() as u64,
        _ => position
            .moves()
            .into_iter()
            .map(|chosen| count(&position.play(chosen), depth - 1))
            .sum(),
    }
}
