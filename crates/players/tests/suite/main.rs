//! Players by name, at boards and in matches.

mod agents;
mod matches;
mod names;

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use errare_core::{Metric, parse_position};
use errare_endgame::Oracle;
use errare_players::{Hired, Means};
use errare_tables::{Prober, Store, build};
use shakmaty::Chess;

/// Tables of three men and of KQKR, in a directory of this run.
static TABLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap().keep();
    let store = Store::open(&directory, 1 << 24);
    let endgames = ["KQK", "KRK", "KPK"].map(|name| name.parse().unwrap());
    build(&store, &endgames, &[Metric::Dtc], 1 << 30, &()).unwrap();
    directory
});

fn position(fen: &str) -> Chess {
    parse_position(fen).unwrap()
}

/// The means of players in tests: some tables, and the usual engine.
fn means() -> Means {
    let prober = Prober::new(Store::open(&*TABLES, 1 << 24));
    Means {
        oracle: Some(Arc::new(Oracle::new(prober, Metric::Dtc))),
        ..Means::default()
    }
}

fn hire(name: &str) -> Hired {
    name.parse::<errare_players::PlayerName>()
        .unwrap()
        .hire(&means())
        .unwrap()
}
