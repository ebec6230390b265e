//! What is written is what is read.

use std::{collections::HashMap, sync::Arc};

use errare_core::{Outcome, Plies};
use errare_tables::{BlockCache, Store, TableFile, TableWriter, Value, WriteError};
use proptest::prelude::*;
use shakmaty::Color;

use super::sample::{LAYER, assert_same, bytes, endgame, open, outcomes, values, write};

/// Positions per block, as in the writer.
const BLOCK_LEN: usize = 1 << 15;

/// Enough for several blocks, the last of them not full.
const SEVERAL_BLOCKS: usize = 3 * BLOCK_LEN + 1000;

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::NONE),
        Just(Value::DRAW),
        (0..60u16).prop_map(Value::win),
        (0..60u16).prop_map(Value::loss),
        Just(Value::loss(32_766)),
    ]
}

/// Runs of equal values, as in tables.
fn any_side() -> impl Strategy<Value = Vec<Value>> {
    let runs = prop::collection::vec((any_value(), 1..3000usize), 1..150);
    runs.prop_map(|runs| {
        let values = runs
            .into_iter()
            .flat_map(|(v, n)| std::iter::repeat_n(v, n));
        values.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_values_in_any_pieces(mut white in any_side(), mut black in any_side(), piece in 1..100_000usize) {
        let positions = white.len().max(black.len());
        white.resize(positions, Value::NONE);
        black.resize(positions, Value::DRAW);
        let written = [white, black];
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("KQKR.dtc.errare");
        write(&path, &written, piece).unwrap();
        let table = TableFile::open(&path, Arc::new(BlockCache::new(1 << 20))).unwrap();
        assert_same(&outcomes(&table).unwrap(), &written);
    }
}

#[test]
fn a_file_describes_itself() {
    let written = values(SEVERAL_BLOCKS);
    let table = open(bytes(&written)).unwrap();
    let description = table.description();
    assert_eq!(description.material, endgame());
    assert_eq!(description.layer, LAYER);
    assert_eq!(
        description.producer,
        concat!("errare ", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(description.positions, SEVERAL_BLOCKS as u64);
    for (turn, values) in Color::ALL.into_iter().zip(&written) {
        let mut counts = HashMap::new();
        for outcome in values.iter().filter_map(|value| value.outcome()) {
            *counts.entry(outcome).or_insert(0) += 1;
        }
        let side = description.side(turn);
        assert_eq!(side.legal(), counts.values().sum::<u64>());
        assert_eq!(side.deepest_win(), Some(Plies(61)));
        assert_eq!(side.deepest_loss(), Some(Plies(19)));
        let described = side
            .palette
            .iter()
            .copied()
            .zip(side.counts.iter().copied());
        assert_eq!(described.collect::<HashMap<_, _>>(), counts);
    }
}

#[test]
fn codes_are_given_in_the_order_of_appearance() {
    let win = Value::win(3);
    let values = vec![
        Value::NONE,
        win,
        Value::DRAW,
        win,
        Value::NONE,
        Value::loss(0),
    ];
    let table = open(bytes(&[values.clone(), values])).unwrap();
    let palette = [
        Outcome::Win(Plies(3)),
        Outcome::Draw,
        Outcome::Loss(Plies(0)),
    ];
    assert_eq!(table.palette(Color::Black), palette);
    // An illegal position has the code of its predecessor, or of the first legal position.
    assert_eq!(table.codes(Color::Black, 0, 6).unwrap(), [0, 0, 1, 0, 0, 2]);
}

#[test]
fn parts_are_read_across_blocks() {
    let table = open(bytes(&values(SEVERAL_BLOCKS))).unwrap();
    for turn in Color::ALL {
        let all = table.codes(turn, 0, SEVERAL_BLOCKS).unwrap();
        for (start, len) in [
            (0, 0),
            (0, 1),
            (BLOCK_LEN - 1, 2),
            (BLOCK_LEN + 99, 2 * BLOCK_LEN),
            (BLOCK_LEN, 2 * BLOCK_LEN),
        ] {
            let part = table.codes(turn, start as u64, len).unwrap();
            assert_eq!(part, all[start..start + len], "{start} {len}");
        }
    }
}

#[test]
fn positions_beyond_the_end_are_an_error() {
    let table = open(bytes(&values(1000))).unwrap();
    let message = table.outcome(Color::White, 1000).unwrap_err().to_string();
    assert!(
        message.contains("has 1000 positions and none at 1000"),
        "{message}"
    );
    assert!(table.codes(Color::White, 990, 11).is_err());
    assert!(table.codes(Color::White, u64::MAX, 2).is_err());
    assert_eq!(table.codes(Color::White, 990, 10).unwrap().len(), 10);
}

#[test]
fn a_side_without_legal_positions_can_be_stored() {
    let written = [vec![Value::NONE; 100], vec![Value::win(1); 100]];
    let table = open(bytes(&written)).unwrap();
    assert_eq!(table.description().side(Color::White).legal(), 0);
    assert_same(&outcomes(&table).unwrap(), &written);
}

#[test]
fn a_side_has_256_outcomes_and_no_more() {
    let wins = |n: u16| -> Vec<Value> { (0..n).map(Value::win).collect() };
    let written = [wins(256), wins(256)];
    assert_same(
        &outcomes(&open(bytes(&written)).unwrap()).unwrap(),
        &written,
    );

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KQKR.dtc.errare");
    let error = write(&path, &[wins(257), wins(257)], 300).unwrap_err();
    assert!(matches!(
        error,
        WriteError::TooManyOutcomes {
            turn: Color::White,
            ..
        }
    ));
    assert!(!path.exists());
}

#[test]
fn as_many_values_as_positions_are_needed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KQKR.dtc.errare");
    let mut writer = TableWriter::create(&path, endgame(), LAYER, 10).unwrap();
    writer.append(Color::White, &[Value::DRAW; 10]).unwrap();
    let error = writer.append(Color::White, &[Value::DRAW]).unwrap_err();
    assert!(matches!(
        error,
        WriteError::Length {
            expected: 10,
            given: 11,
            ..
        }
    ));
    writer.append(Color::Black, &[Value::DRAW; 9]).unwrap();
    let error = writer.finish(false).unwrap_err();
    assert!(matches!(
        error,
        WriteError::Length {
            turn: Color::Black,
            given: 9,
            ..
        }
    ));
}

/// More blocks than the cache holds, read by several threads in different orders.
#[test]
fn threads_share_a_bounded_cache() {
    const CACHE_BYTES: u64 = 5 * BLOCK_LEN as u64;
    const POSITIONS: u64 = 20 * BLOCK_LEN as u64;
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), CACHE_BYTES);
    let written = values(POSITIONS as usize);
    write(&store.path(endgame(), LAYER), &written, usize::MAX).unwrap();
    std::thread::scope(|scope| {
        for step in [7919, 104_729, 611_953, 1_299_709] {
            let (store, written) = (&store, &written);
            scope.spawn(move || {
                let table = store.table(endgame(), LAYER).unwrap().unwrap();
                for i in 0..2000 {
                    let index = i * step % POSITIONS;
                    for (turn, values) in Color::ALL.into_iter().zip(written) {
                        let outcome = table.outcome(turn, index).unwrap();
                        let expected = values[index as usize].outcome();
                        assert!(expected.is_none_or(|expected| expected == outcome));
                    }
                }
            });
        }
    });
    assert!(store.cached_bytes() > 0);
    assert!(store.cached_bytes() <= CACHE_BYTES);
}
