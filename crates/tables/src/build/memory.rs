//! Estimates the memory of a solution before it starts.

use errare_core::Material;

use super::subgames::SUBGAME_CACHE;
use crate::{Layout, generate::slices_at_a_time, layout::LANES};

/// Write buffers, the compressor and the program itself.
const OVERHEAD: u64 = 96 << 20;

/// How many slices of an endgame to solve at a time, and the memory needed: as many as keep the
/// threads busy, if the memory suffices.
pub(super) fn slices_within(layout: &Layout, by_the_rule: bool, allowed: u64) -> (usize, u64) {
    let needed = |slices| (slices, memory_needed(layout, by_the_rule, slices));
    let mut choices = (1..=slices_at_a_time(layout)).rev().map(needed);
    choices
        .find(|&(_, bytes)| bytes <= allowed)
        .unwrap_or_else(|| needed(1))
}

/// An upper bound of the memory for solving an endgame; DTR needs more than the other metrics.
fn memory_needed(layout: &Layout, by_the_rule: bool, slices_at_a_time: usize) -> u64 {
    let rows_a_slice = (layout.kings.pairs.len() * layout.rows.len()) as u64;
    let set = 8 * rows_a_slice;
    let depths = LANES as u64 * rows_a_slice;
    let half = 3 * set + depths;

    // Both sides: values, exits, four frontiers each.
    let mut working = 2 * (2 * half + 4 * (set + set / 32));
    let mut result = 2 * half;
    if by_the_rule {
        // Levels of wins and losses, and changes of rows (72 bytes each) in one ply.
        working += 2 * (2 * depths + 72 * rows_a_slice / 4);
        // DTZ and DTZ50 in addition to DTR.
        result *= 3;
    }

    let slices = layout.pawns.slices.len() as u64;
    let at_a_time = (slices_at_a_time as u64).min(slices);
    let threads = (rayon::current_num_threads() as u64).min(at_a_time);
    let kept = kept_slices(layout) as u64 * 2 * half;
    working * threads + result * at_a_time + kept + subgames(layout.material()) + OVERHEAD
}

/// The maximum number of slices kept as targets of pushes: those of two stages and the current one.
fn kept_slices(layout: &Layout) -> usize {
    if layout.pawns.stages.len() == 1 {
        return 0;
    }
    let three = layout.pawns.stages.windows(3).map(|stages| {
        let slices = |range: &std::ops::Range<usize>| range.len();
        stages.iter().map(slices).sum()
    });
    three.max().unwrap_or(layout.pawns.slices.len())
}

/// The bytes of subgames in memory at once.
fn subgames(material: Material) -> u64 {
    let slices = |subgame: &Material| Layout::new(*subgame).map_or(0, |layout| layout.slice_len());
    let all: u64 = material
        .subgames()
        .iter()
        .map(|subgame| slices(subgame) as u64)
        .sum();
    all.min(SUBGAME_CACHE)
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    #[test]
    fn five_men_fit_in_3_gib_whatever_the_threads() {
        const GIB: u64 = 1 << 30;
        for threads in [1, 2, 16, 128] {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                for name in ["KRPKR", "KPPKP", "KQPKQ", "KBBKN"] {
                    let layout = Layout::new(name.parse().unwrap()).unwrap();
                    let (slices, needed) = slices_within(&layout, true, 3 * GIB);
                    assert!(
                        slices > 0 && needed <= 3 * GIB,
                        "{name} {threads}: {needed}"
                    );
                    let (all, _) = slices_within(&layout, true, u64::MAX);
                    assert_eq!(all, slices_at_a_time(&layout));
                    let (least, needed) = slices_within(&layout, true, 0);
                    assert!(least == 1 && needed > 0);
                }
            });
        }
    }
}
