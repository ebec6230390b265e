//! Random samples of a table.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

use crate::{FileError, Scan, geometry::bit, layout::side, scan::ScanEntry};

/// A random sample of a table, determined by the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerificationSample {
    /// The number of positions; a position may be drawn twice.
    pub positions: u64,
    /// The seed.
    pub seed: u64,
}

/// Positions drawn at a time.
const PART: u64 = 1 << 20;

impl VerificationSample {
    /// Legal positions, drawn uniformly from those stored; those of a part in stored order.
    pub(super) fn parts(
        self,
        scan: &Scan,
    ) -> impl Iterator<Item = Result<Vec<ScanEntry>, FileError>> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        (0..self.positions)
            .step_by(PART as usize)
            .map(move |start| draw(scan, PART.min(self.positions - start), &mut rng))
    }
}

fn draw(scan: &Scan, positions: u64, rng: &mut ChaCha8Rng) -> Result<Vec<ScanEntry>, FileError> {
    let mut drawn = Vec::new();
    while (drawn.len() as u64) < positions {
        let index = rng.random_range(0..scan.layout.len());
        let turn = Color::from_white(rng.random());
        let place = scan.layout.place_at(index);
        let legal = scan.layout.legal(turn, place.slice, place.pair, place.row);
        if legal & bit(place.lane) != 0 {
            drawn.push((index, side(turn)));
        }
    }
    drawn.sort_unstable();
    let entry = |(index, side): (u64, usize)| {
        let turn = Color::ALL[side];
        Ok(ScanEntry {
            place: scan.layout.place_at(index),
            turn,
            outcome: scan.table.outcome(turn, index)?,
        })
    };
    drawn.into_iter().map(entry).collect()
}
