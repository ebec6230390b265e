//! Tables built into a store: their statistics, their verification, verdicts from them.

mod building;
mod statistics;
mod verdicts;
mod verification;

use std::sync::LazyLock;

use errare_core::{Material, Metric};
use errare_tables::{Prober, Store, build};

const MEMORY: u64 = 3 << 30;

/// Endgames with every metric.
const BUILT: [&str; 2] = ["KPK", "KRKN"];

/// A directory that tests may add to, but in which none changes anything.
static TABLES: LazyLock<Prober> = LazyLock::new(|| {
    let store = Store::open(errare_testing::shared_tables(), 64 << 20);
    build(&store, &BUILT.map(endgame), &Metric::ALL, MEMORY, &()).unwrap();
    build(&store, &[endgame("KBPK")], &Metric::ALL, MEMORY, &()).unwrap();
    for (name, metric) in [("KQKR", Metric::Dtc), ("KPKP", Metric::Dtz)] {
        build(&store, &[endgame(name)], &[metric], MEMORY, &()).unwrap();
    }
    Prober::new(store)
});

fn prober() -> &'static Prober {
    &TABLES
}

fn store() -> &'static Store {
    prober().store()
}

fn endgame(name: &str) -> Material {
    name.parse().unwrap()
}
