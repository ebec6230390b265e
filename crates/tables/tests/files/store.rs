//! Finding, listing and removing tables.

use std::{fs, io, path::Path, sync::Arc};

use errare_core::{Fault, FaultKind, Material, Metric};
use errare_tables::{FileError, Layer, Store, StoreError, TableWriter, Value, WriteError, build};
use shakmaty::Color;

use super::sample::{LAYER, endgame};

fn store(directory: &Path) -> Store {
    Store::open(directory, 1 << 20)
}

fn put(store: &Store, endgame: &str, layer: Layer) {
    let mut writer = store.writer(endgame.parse().unwrap(), layer, 2).unwrap();
    for turn in Color::ALL {
        writer.append(turn, &[Value::DRAW, Value::win(9)]).unwrap();
    }
    writer.finish(layer == Layer::Metric(Metric::Dtr)).unwrap();
}

#[test]
fn tables_made_meanwhile_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let (store, other) = (store(directory.path()), store(directory.path()));
    assert!(store.table(endgame(), LAYER).unwrap().is_none());
    put(&other, "KQKR", LAYER);
    let table = store.table(endgame(), LAYER).unwrap().unwrap();
    let again = store.clone().table(endgame(), LAYER).unwrap().unwrap();
    assert!(
        Arc::ptr_eq(&table, &again),
        "opened once, for all clones of the store"
    );
}

/// A file from elsewhere is checked before it becomes a table of the directory.
#[test]
fn only_whole_tables_of_their_name_pass_the_check() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    let [kqk, krk]: [Material; 2] = ["KQK", "KRK"].map(|name| name.parse().unwrap());
    let dtm = Layer::Metric(Metric::Dtm);
    let check = |endgame, layer, content: &[u8]| {
        let checked = store.check(endgame, layer, Arc::new(content.to_vec()));
        assert!(!directory.path().join("KQK.dtm.errare").exists());
        checked
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let other = Store::open(elsewhere.path(), 1 << 20);
    build(&other, &[kqk], &[Metric::Dtm], 1 << 30, &()).unwrap();
    let whole = fs::read(other.path(kqk, dtm)).unwrap();
    check(kqk, dtm, &whole).unwrap();
    for (endgame, layer) in [(krk, dtm), (kqk, LAYER)] {
        let error = check(endgame, layer, &whole).unwrap_err();
        assert!(matches!(error, FileError::Misnamed { .. }), "{error}");
    }
    let error = check(
        kqk,
        dtm,
        b"#!/bin/sh, and nothing that looks like a table of ours",
    )
    .unwrap_err();
    assert!(matches!(error, FileError::Foreign { .. }), "{error}");
    check(kqk, dtm, &whole[..whole.len() - 1]).unwrap_err();
    for place in (0..whole.len()).step_by(whole.len() / 50) {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        let error = check(kqk, dtm, &changed).unwrap_err();
        assert_eq!(error.kind(), FaultKind::Damaged, "{place}: {error}");
    }
    // Two positions are not all of the endgame.
    put(&store, "KRK", dtm);
    let small = fs::read(store.path(krk, dtm)).unwrap();
    check(krk, dtm, &small).unwrap_err();
}

#[test]
fn the_list_is_sorted_and_reports_damage() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    let dtr = Layer::Metric(Metric::Dtr);
    for (endgame, layer) in [
        ("KQKR", dtr),
        ("KQKR", LAYER),
        ("KRK", LAYER),
        ("KBBKN", LAYER),
    ] {
        put(&store, endgame, layer);
    }
    let damaged = store.path("KBBKN".parse().unwrap(), LAYER);
    fs::write(&damaged, b"\x89ERR").unwrap();
    for other in [
        "notes.txt",
        "KQKR.dtc.errare.7-7.partial",
        "KRKQ.dtc.errare",
    ] {
        fs::write(directory.path().join(other), "not listed").unwrap();
    }

    let list = store.list().unwrap();
    let names: Vec<_> = list
        .iter()
        .map(|t| format!("{} {}", t.material, t.layer))
        .collect();
    assert_eq!(names, ["KRK dtc", "KQKR dtc", "KQKR dtr", "KBBKN dtc"]);
    for table in &list[..3] {
        assert_eq!(table.bytes, fs::metadata(&table.path).unwrap().len());
        let description = table.description.as_ref().unwrap();
        assert_eq!(description.separate_dtz50, table.layer == dtr);
        assert_eq!(description.side(Color::Black).counts, [1, 1]);
    }
    assert_eq!(list[3].bytes, 4);
    assert!(matches!(
        list[3].description,
        Err(FileError::Truncated { .. })
    ));
}

#[test]
fn removed_tables_are_gone_damaged_ones_too() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    put(&store, "KQKR", LAYER);
    put(&store, "KRK", LAYER);
    fs::write(store.path(endgame(), Layer::Dtz50), "damage").unwrap();
    assert!(store.table(endgame(), LAYER).unwrap().is_some());
    assert!(store.table(endgame(), Layer::Dtz50).is_err());

    assert!(store.remove(endgame(), &[Metric::Dtm]).unwrap().is_empty());
    let removed = store.remove(endgame(), &Metric::ALL).unwrap();
    assert_eq!(
        removed,
        [LAYER, Layer::Dtz50].map(|layer| store.path(endgame(), layer))
    );
    assert!(store.table(endgame(), LAYER).unwrap().is_none());
    assert_eq!(store.list().unwrap().len(), 1);
    assert!(store.remove(endgame(), &Metric::ALL).unwrap().is_empty());
}

#[test]
fn a_renamed_table_is_not_used() {
    let directory = tempfile::tempdir().unwrap();
    let store = store(directory.path());
    put(&store, "KRK", LAYER);
    fs::rename(
        store.path("KRK".parse().unwrap(), LAYER),
        store.path(endgame(), LAYER),
    )
    .unwrap();
    let message = store.table(endgame(), LAYER).unwrap_err().to_string();
    assert!(
        message.contains("holds KRK dtc, not what its name says"),
        "{message}"
    );
    assert!(store.list().unwrap()[0].description.is_err());
}

#[test]
fn a_missing_directory_holds_no_tables_and_is_made_to_build_in() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("share/errare");
    let store = store(&missing);
    assert!(store.list().unwrap().is_empty());
    assert!(store.table(endgame(), LAYER).unwrap().is_none());
    assert!(store.remove(endgame(), &Metric::ALL).unwrap().is_empty());
    let created = TableWriter::create(store.path(endgame(), LAYER), endgame(), LAYER, 2);
    let Err(WriteError::Write { source, .. }) = created else {
        panic!("there is no directory to write to");
    };
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
    let _lock = store.lock(endgame()).unwrap();
    put(&store, "KQKR", LAYER);
    assert_eq!(store.list().unwrap().len(), 1);
}

#[test]
fn a_directory_that_is_a_file_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("tables");
    fs::write(&file, "").unwrap();
    let error = store(&file).lock(endgame()).unwrap_err();
    assert!(matches!(error, StoreError::Directory { .. }), "{error}");
}
