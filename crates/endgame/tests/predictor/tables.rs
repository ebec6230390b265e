//! Tables that all tests share, built when first needed.

use std::{path::PathBuf, sync::LazyLock};

use errare_core::{Material, Metric};
use errare_endgame::Oracle;
use errare_tables::{Prober, Store, build};

static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(errare_testing::scratch_directory);

/// An endgame by its name.
pub(crate) fn endgame(name: &str) -> Material {
    name.parse().unwrap()
}

/// An oracle that knows an endgame.
pub(crate) fn oracle(name: &str, metric: Metric) -> Oracle {
    let store = Store::open(&*DIRECTORY, 64 << 20);
    build(&store, &[endgame(name)], &[metric], 2 << 30, &()).unwrap();
    Oracle::new(Prober::new(store), metric)
}
