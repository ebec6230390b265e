//! Histograms of depths in block characters.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use errare_core::{Moves, grouped};
use errare_tables::Statistics;

/// The length of the longest bar, in characters.
const LONGEST: u64 = 50;

/// A character filled by this many eighths from the left.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Draws the number of wins and losses of each depth.
pub fn write(out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
    let Statistics { white, black, .. } = statistics;
    for (name, side) in [("White", white), ("Black", black)] {
        for (what, depths) in [("won", &side.win_depths), ("lost", &side.loss_depths)] {
            if !depths.is_empty() {
                writeln!(out, "\n{name} to move, {what}, by number of moves")?;
                draw(out, depths)?;
            }
        }
    }
    Ok(())
}

fn draw(out: &mut impl Write, depths: &BTreeMap<Moves, u64>) -> io::Result<()> {
    let most = depths.values().copied().max().unwrap_or(0);
    for (moves, &positions) in depths {
        let bar = bar(positions, most);
        writeln!(out, "{:>5} {bar} {}", moves.0, grouped(positions))?;
    }
    Ok(())
}

/// A bar proportional to the count; a count above zero is always visible.
fn bar(positions: u64, most: u64) -> String {
    let eighths = (8 * LONGEST * positions).div_ceil(most) as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(5, 100), "██▌");
        assert_eq!(bar(100, 100).chars().count(), 50);
    }
}
