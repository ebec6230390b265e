//! `errare uci`, as programs that run engines speak to it.

mod client;
mod commands;
mod duel;
mod fuzz;
mod options;
mod play;
#[path = "../program/mod.rs"]
mod program;
#[path = "../python/mod.rs"]
mod python;
mod session;

use std::sync::LazyLock;

use errare_testing::scratch_directory;

/// The queen wins.
const WON: &str = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";

/// A directory with the tables of queen, rook and pawn against king, in DTC and DTM.
static TABLES: LazyLock<String> = LazyLock::new(|| {
    let directory = scratch_directory();
    let built = program::errare()
        .args([
            "tables", "build", "KPK", "--metric", "dtc", "--metric", "dtm",
        ])
        .arg("--tables")
        .arg(&directory)
        .output()
        .expect("it starts");
    assert!(built.status.success(), "{built:?}");
    directory.to_str().expect("it is text").to_owned()
});
