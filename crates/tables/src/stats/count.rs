//! Counting the entries of a table.

use errare_core::Watch;
use rayon::prelude::*;
use shakmaty::Color;

use crate::{
    Scan, ScanError,
    geometry::squares,
    layout::{Place, side},
    scan::{Part, ScanRow},
};

/// The number of entries of a kind, by how many positions of the board they stand for (see
/// [`Layout::reflection`](crate::Layout)).
#[derive(Debug, Clone, Copy)]
pub(super) struct CountTally {
    /// Entries that stand for all their images.
    whole: u64,
    /// Entries that are stored along with their reflection, or are their own.
    reflected: u64,
    /// Entries that are their own reflection.
    invariant: u64,
    /// The index of the first entry.
    first: u64,
}

impl CountTally {
    const NONE: CountTally = CountTally {
        whole: 0,
        reflected: 0,
        invariant: 0,
        first: u64::MAX,
    };

    /// Is there any entry?
    pub(super) fn occurs(&self) -> bool {
        self.first != u64::MAX
    }

    /// The index of the first entry.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number of positions of the whole board.
    pub(super) fn on_board(&self, symmetries: u64) -> u64 {
        symmetries * self.whole + symmetries / 2 * self.reflected
    }

    /// The number of positions up to symmetry, counting only one of a position and its reflection.
    /// By Burnside's lemma it is an eighth of the sum of all positions and of those that a symmetry
    /// leaves unchanged, 4 for each invariant entry, which is the same.
    pub(super) fn up_to_symmetry(&self) -> u64 {
        self.whole + (self.reflected + self.invariant) / 2
    }

    fn add(&mut self, kind: Kind, index: u64) {
        match kind {
            Kind::Whole => self.whole += 1,
            Kind::Reflected => self.reflected += 1,
            Kind::Invariant => {
                self.reflected += 1;
                self.invariant += 1;
            }
        }
        self.first = self.first.min(index);
    }

    fn merge(&mut self, other: &CountTally) {
        self.whole += other.whole;
        self.reflected += other.reflected;
        self.invariant += other.invariant;
        self.first = self.first.min(other.first);
    }
}

/// What an entry stands for.
#[derive(Clone, Copy)]
enum Kind {
    Whole,
    Reflected,
    Invariant,
}

/// The number of positions with each outcome.
pub(super) struct Counts {
    /// By side to move and code.
    pub(super) sides: [Vec<CountTally>; 2],
    /// Positions in which White does better if Black is to move.
    pub(super) mutual_zugzwangs: CountTally,
}

impl Counts {
    /// Counts a whole table.
    pub(super) fn of(scan: &Scan, watch: &dyn Watch) -> Result<Counts, ScanError> {
        let stage = format!("counting {}", scan.layout.material());
        watch.begin(&stage, Some(scan.layout.len()));
        // The value of each code for White: 1 for a win, -1 for a loss.
        let values = Color::ALL.map(|turn| {
            let palette = scan.table.palette(turn).iter();
            let for_white = |sign: i32| turn.fold_wb(sign, -sign);
            palette.map(|outcome| for_white(outcome.sign())).collect()
        });
        scan.parts()
            .try_fold(
                || Counts::none(scan),
                |mut counts, part| {
                    watch.check()?;
                    let part = part?;
                    counts.add_part(scan, &part, &values);
                    watch.advance(part.len());
                    Ok(counts)
                },
            )
            .try_reduce(|| Counts::none(scan), |one, other| Ok(one.merge(&other)))
    }

    fn none(scan: &Scan) -> Counts {
        Counts {
            sides: Color::ALL.map(|turn| vec![CountTally::NONE; scan.table.palette(turn).len()]),
            mutual_zugzwangs: CountTally::NONE,
        }
    }

    fn add_part(&mut self, scan: &Scan, part: &Part<'_>, values: &[Vec<i32>; 2]) {
        for row in part.rows() {
            if row.reflected {
                self.add_row(scan, &row, values, |place| {
                    if scan.layout.reflection(place) == place {
                        Kind::Invariant
                    } else {
                        Kind::Reflected
                    }
                });
            } else {
                self.add_row(scan, &row, values, |_| Kind::Whole);
            }
        }
    }

    fn add_row(
        &mut self,
        scan: &Scan,
        row: &ScanRow<'_>,
        values: &[Vec<i32>; 2],
        kind: impl Fn(Place) -> Kind,
    ) {
        for turn in Color::ALL {
            let tallies = &mut self.sides[side(turn)];
            for lane in squares(row.legal[side(turn)]) {
                let code = usize::from(row.code(turn, lane));
                tallies[code].add(kind(row.place(lane)), row.index(lane));
            }
        }
        let value = |turn, lane| values[side(turn)][usize::from(row.code(turn, lane))];
        for lane in squares(row.legal[0] & row.legal[1]) {
            let index = row.index(lane);
            if value(Color::White, lane) < value(Color::Black, lane)
                && first_of_colours(scan, index)
            {
                self.mutual_zugzwangs.add(kind(row.place(lane)), index);
            }
        }
    }

    fn merge(mut self, other: &Counts) -> Counts {
        for (tallies, others) in self.sides.iter_mut().zip(&other.sides) {
            for (tally, other) in tallies.iter_mut().zip(others) {
                tally.merge(other);
            }
        }
        self.mutual_zugzwangs.merge(&other.mutual_zugzwangs);
        self
    }
}

/// Is the position with colours swapped, which is also a mutual zugzwang, in another endgame or not
/// stored before this one?
fn first_of_colours(scan: &Scan, index: u64) -> bool {
    let class = |index| scan.layout.class(index);
    let exchanged = scan.layout.exchanged(index);
    exchanged.is_none_or(|exchanged| class(index) <= class(exchanged))
}
