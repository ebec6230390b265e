//! Correct tables pass, wrong ones fail.

use errare_core::{Metric, Outcome, Plies};
use errare_tables::{
    Check, Layer, Layout, Method, Prober, Store, TableFile, Value, Verification,
    VerificationSample, build,
};
use shakmaty::{Board, Color};

use super::{MEMORY, endgame, prober, store};

fn check(
    prober: &Prober,
    name: &str,
    layer: Layer,
    sample: Option<VerificationSample>,
) -> Verification {
    let check = Check::new(prober, endgame(name), layer, sample).unwrap();
    let verification = check.run(&()).unwrap();
    assert_eq!(verification.method, check.method());
    if verification.mismatch.is_none() {
        assert_eq!(verification.positions, check.positions());
    }
    verification
}

/// All layers; DTZ50 is DTZ in these endgames and has no table.
#[test]
fn built_tables_are_right() {
    for name in ["KQK", "KPK"] {
        for metric in Metric::ALL {
            let Verification {
                method, mismatch, ..
            } = check(prober(), name, metric.into(), None);
            assert_eq!(mismatch, None, "{name} {metric}");
            assert_eq!(method == Method::Levels, metric == Metric::Dtr);
        }
    }
}

/// Four men, with captures into subgames of several levels.
#[test]
fn dtr_of_four_men_is_right_by_levels() {
    let verification = check(prober(), "KRKN", Metric::Dtr.into(), None);
    assert_eq!(verification.method, Method::Levels);
    assert_eq!(verification.mismatch, None);
}

#[test]
fn a_sample_is_part_of_the_table() {
    let sample = VerificationSample {
        positions: 3000,
        seed: 7,
    };
    for metric in Metric::ALL {
        let verification = check(prober(), "KRKN", metric.into(), Some(sample));
        assert_eq!(verification.positions, 3000);
        assert_eq!(verification.mismatch, None);
    }
    let by_bounds = Check::new(prober(), endgame("KRKN"), Metric::Dtr.into(), Some(sample));
    assert_eq!(by_bounds.unwrap().method(), Method::Bounds);
}

#[test]
fn a_sample_of_more_than_there_is_is_all() {
    let sample = VerificationSample {
        positions: u64::MAX,
        seed: 7,
    };
    let all = check(prober(), "KQK", Metric::Dtr.into(), None);
    let sampled = check(prober(), "KQK", Metric::Dtr.into(), Some(sample));
    assert_eq!(sampled, all);
}

/// The values of a table with one side to move.
fn values(table: &TableFile, turn: Color) -> Vec<Value> {
    let positions = table.description().positions as usize;
    let codes = table.codes(turn, 0, positions).unwrap().into_iter();
    codes
        .map(|code| table.palette(turn)[usize::from(code)].into())
        .collect()
}

/// Writes a copy of the tables of KQK with another outcome of one position, White to move.
fn falsify(into: &Store, metric: Metric, board: &str, outcome: Outcome) {
    let layout = Layout::new(endgame("KQK")).unwrap();
    let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
    let index = layout.index(&board, false).unwrap() as usize;
    let layer = Layer::Metric(metric);
    let right = store().table(endgame("KQK"), layer).unwrap().unwrap();
    let mut writer = into.writer(endgame("KQK"), layer, layout.len()).unwrap();
    let mut white = values(&right, Color::White);
    assert_ne!(white[index], outcome.into());
    white[index] = outcome.into();
    writer.append(Color::White, &white).unwrap();
    writer
        .append(Color::Black, &values(&right, Color::Black))
        .unwrap();
    writer.finish(false).unwrap();
}

/// In each metric, a mate in one with a wrong depth.
#[test]
fn a_wrong_value_is_found() {
    const BOARD: &str = "8/8/8/8/8/7Q/2K5/k7";
    let wrong = [
        (Metric::Dtm, Outcome::Win(Plies(3))),
        (Metric::Dtc, Outcome::Draw),
        (Metric::Dtz, Outcome::Loss(Plies(2))),
        (Metric::Dtr, Outcome::Win(Plies(2))),
    ];
    for (metric, outcome) in wrong {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), 16 << 20);
        falsify(&store, metric, BOARD, outcome);
        let found = check(&Prober::new(store), "KQK", metric.into(), None);
        let mismatch = found.mismatch.expect("the value is wrong");
        assert_eq!(mismatch.stored, outcome, "{metric}");
        assert_eq!(mismatch.expected.least, Outcome::Win(Plies(1)), "{metric}");
        assert_eq!(mismatch.fen, format!("{BOARD} w - - 0 1"), "{metric}");
    }
}

/// A table with correct values that counts illegal positions.
#[test]
fn wrong_counts_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 16 << 20);
    for metric in [Metric::Dtm, Metric::Dtr] {
        let right = self::store().table(endgame("KQK"), metric.into());
        let right = right.unwrap().unwrap();
        let positions = right.description().positions;
        let mut writer = store
            .writer(endgame("KQK"), metric.into(), positions)
            .unwrap();
        for turn in Color::ALL {
            // An illegal position repeats the value before it.
            writer.append(turn, &values(&right, turn)).unwrap();
        }
        writer.finish(false).unwrap();
    }
    let prober = Prober::new(store);
    for metric in [Metric::Dtm, Metric::Dtr] {
        let check = Check::new(&prober, endgame("KQK"), metric.into(), None).unwrap();
        let message = check.run(&()).unwrap_err().to_string();
        assert!(message.contains("damaged in its directory"), "{message}");
    }
}

/// A damaged subgame or table is an error, not a mismatch.
#[test]
fn a_damaged_table_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 16 << 20);
    build(&store, &[endgame("KQK")], &[Metric::Dtm], MEMORY, &()).unwrap();
    let path = store.path(endgame("KQK"), Metric::Dtm.into());
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&path, bytes).unwrap();
    let prober = Prober::new(Store::open(directory.path(), 16 << 20));
    let result = Check::new(&prober, endgame("KQK"), Metric::Dtm.into(), None)
        .unwrap()
        .run(&());
    let message = result.unwrap_err().to_string();
    assert!(message.contains("damaged"), "{message}");
    assert!(message.contains("KQK.dtm.errare"), "{message}");
}
