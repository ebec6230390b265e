//! Reference endgame players on real tables.

mod browne_belle;
mod emulation;
mod matches;
mod names;
mod predation;
mod simulation;
mod theorems;

use std::sync::LazyLock;

use errare_core::{Material, Metric};
use errare_endgame::Oracle;
use errare_tables::{Prober, Store, build};

/// A directory that all tests read and none modifies.
static ORACLE: LazyLock<Oracle> = LazyLock::new(|| {
    let store = Store::open(errare_testing::shared_tables(), 64 << 20);
    let memory = 3 << 30;
    build(
        &store,
        &[endgame("KQKR")],
        &[Metric::Dtc, Metric::Dtm],
        memory,
        &(),
    )
    .unwrap();
    build(
        &store,
        &[endgame("KRKN"), endgame("KPKP")],
        &[Metric::Dtc],
        memory,
        &(),
    )
    .unwrap();
    Oracle::new(Prober::new(store), Metric::Dtc)
});

/// In DTC.
fn oracle() -> &'static Oracle {
    &ORACLE
}

fn endgame(name: &str) -> Material {
    name.parse().unwrap()
}
