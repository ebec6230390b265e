//! Interrupted and simultaneous builders.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use errare_tables::{Store, Value};
use shakmaty::Color;

use super::sample::{LAYER, assert_same, endgame, outcomes, values, write};

const CACHE_BYTES: u64 = 1 << 20;

/// The files in a directory, without subdirectories.
fn files(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn an_unfinished_table_is_invisible_and_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), CACHE_BYTES);
    let mut writer = store.writer(endgame(), LAYER, 100).unwrap();
    writer.append(Color::White, &[Value::DRAW; 100]).unwrap();
    assert!(store.table(endgame(), LAYER).unwrap().is_none());
    assert_eq!(files(directory.path()).len(), 1);
    drop(writer);
    assert!(files(directory.path()).is_empty());
}

#[test]
fn an_unfinished_table_replaces_no_finished_one() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), CACHE_BYTES);
    let written = values(1000);
    write(&store.path(endgame(), LAYER), &written, 1000).unwrap();
    drop(store.writer(endgame(), LAYER, 1000).unwrap());
    let table = store.table(endgame(), LAYER).unwrap().unwrap();
    assert_same(&outcomes(&table).unwrap(), &written);
}

/// A killed process leaves an unlocked file behind.
#[test]
fn builders_clear_away_what_the_dead_left_but_not_what_the_living_write() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), CACHE_BYTES);
    let left = directory.path().join("KRK.dtm.errare.1-0.partial");
    fs::write(left, [0; 40]).unwrap();
    let mut living = store.writer(endgame(), LAYER, 10).unwrap();
    assert_eq!(files(directory.path()).len(), 2);

    let _lock = Store::open(directory.path(), CACHE_BYTES)
        .lock("KRK".parse().unwrap())
        .unwrap();
    let [kept] = &files(directory.path())[..] else {
        panic!("one of two should be left");
    };
    assert!(kept.starts_with("KQKR.dtc.errare."), "{kept}");
    for turn in Color::ALL {
        living.append(turn, &[Value::DRAW; 10]).unwrap();
    }
    living.finish(false).unwrap();
    assert_eq!(files(directory.path()), ["KQKR.dtc.errare"]);
}

#[test]
fn builders_of_one_endgame_take_turns() {
    let directory = tempfile::tempdir().unwrap();
    let (written, builds) = (values(100_000), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Like separate processes, each has its own store and file handles.
                let store = Store::open(directory.path(), CACHE_BYTES);
                let _lock = store.lock(endgame()).unwrap();
                if store.table(endgame(), LAYER).unwrap().is_none() {
                    write(&store.path(endgame(), LAYER), &written, 1000).unwrap();
                    builds.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

#[test]
fn a_lock_is_of_one_endgame_and_ends_with_its_holder() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), CACHE_BYTES);
    let other = Store::open(directory.path(), CACHE_BYTES);
    let lock = store.lock(endgame()).unwrap();
    assert!(other.try_lock(endgame()).unwrap().is_none());
    assert!(other.try_lock("KRK".parse().unwrap()).unwrap().is_some());
    drop(lock);
    assert!(other.try_lock(endgame()).unwrap().is_some());
}

/// Even without the lock, the last to finish wins, and the table is complete at all times.
#[test]
fn writers_of_one_table_do_not_mix() {
    let directory = tempfile::tempdir().unwrap();
    let written = values(150_000);
    std::thread::scope(|scope| {
        for piece in [1 << 10, 1 << 14, 1 << 17] {
            let (directory, written) = (directory.path(), &written);
            scope.spawn(move || {
                let store = Store::open(directory, CACHE_BYTES);
                write(&store.path(endgame(), LAYER), written, piece).unwrap();
                let table = store.table(endgame(), LAYER).unwrap().unwrap();
                assert_same(&outcomes(&table).unwrap(), written);
            });
        }
    });
    assert_eq!(files(directory.path()), ["KQKR.dtc.errare"]);
}
