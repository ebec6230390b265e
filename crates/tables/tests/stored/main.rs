//! Tables built into a store: their statistics, their verification.

mod statistics;
mod verification;

use std::sync::LazyLock;

use errare_core::{Material, Metric};
use errare_tables::{Prober, Store, build};
use tempfile::TempDir;

const MEMORY: u64 = 3 << 30;

/// Endgames with every metric, and KQKR besides.
const BUILT: [&str; 2] = ["KPK", "KRKN"];

/// A directory that all tests read and none changes.
static TABLES: LazyLock<(TempDir, Prober)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 64 << 20);
    build(&store, &BUILT.map(endgame), &Metric::ALL, MEMORY, &()).unwrap();
    build(&store, &[endgame("KQKR")], &[Metric::Dtc], MEMORY, &()).unwrap();
    (directory, Prober::new(store))
});

fn prober() -> &'static Prober {
    &TABLES.1
}

fn store() -> &'static Store {
    prober().store()
}

fn endgame(name: &str) -> Material {
    name.parse().unwrap()
}
