//! The supply of tables.

use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    thread,
};

use errare_core::{Cancel, FaultKind, Material, Metric, Watch};
use errare_service::{Service, Supply, probe};
use errare_tables::Store;

/// Counts builds.
#[derive(Default)]
struct Builds(AtomicU32);

impl Watch for Builds {
    fn begin(&self, stage: &str, _steps: Option<u64>) {
        assert_eq!(stage, "building tables");
        self.0.fetch_add(1, Relaxed);
    }
}

fn kqk() -> Material {
    "KQK".parse().unwrap()
}

#[test]
fn tables_are_built_once_however_many_ask() {
    let directory = tempfile::tempdir().unwrap();
    let supply = Supply::new(Store::open(directory.path(), 1 << 20)).with_memory(1 << 30);
    let builds = Builds::default();
    thread::scope(|scope| {
        for _ in 0..8 {
            let (supply, builds) = (supply.clone(), &builds);
            scope.spawn(move || supply.provide(&[kqk()], &[Metric::Dtm], builds).unwrap());
        }
    });
    assert_eq!(builds.0.into_inner(), 1);
    // And only in the requested metric.
    let tables = supply.store().list().unwrap();
    let layers: Vec<String> = tables.iter().map(|table| table.layer.to_string()).collect();
    assert_eq!(layers, ["dtm"]);
}

#[test]
fn a_build_can_be_stopped_and_forbidden() {
    let directory = tempfile::tempdir().unwrap();
    let supply = Supply::new(Store::open(directory.path(), 1 << 20)).with_memory(1 << 30);
    let stop = Cancel::default();
    stop.cancel();
    let error = supply.provide(&[kqk()], &[Metric::Dtm], &stop).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Stopped);

    let service = Service {
        tables: supply.without_building(),
    };
    let request = probe::Request::new("8/8/8/8/8/2k5/7Q/K7 w - - 0 1");
    let error = probe::answer(&service, &request, &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Missing);
    assert!(service.tables.store().list().unwrap().is_empty());
}

#[test]
fn a_position_that_is_none_is_a_bad_request() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service {
        tables: Supply::new(Store::open(directory.path(), 1 << 20)),
    };
    let error = probe::answer(&service, &probe::Request::new("nonsense"), &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::BadRequest);
}
