//! The exact hunter: KQKR solved for one c, and a choice once it is solved.
//!
//! The KQKR table is read from ERRARE_TABLES or the target directory, and built there if missing.

use std::{env, path::PathBuf, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{Hunt, Hunter, Oracle, Prey, Resistance, Scope, TableView};
use errare_tables::{Prober, Store, build};
use shakmaty::Color;

/// BB2-12b of Haworth (2002), table 1: Black to move.
const START: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";

fn oracle() -> Oracle {
    let fallback = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-tables");
    let directory = env::var_os("ERRARE_TABLES").map_or_else(fallback, PathBuf::from);
    let store = Store::open(directory, 256 << 20);
    let kqkr = "KQKR".parse().expect("an endgame");
    build(&store, &[kqkr], &[Metric::Dtc], 3 << 30, &()).expect("KQKR can be built");
    Oracle::new(Prober::new(store), Metric::Dtc)
}

fn hunter(criterion: &mut Criterion) {
    let oracle = oracle();
    let prey = Prey {
        competence: 20.0,
        kappa: Kappa::ONE,
    };
    criterion.bench_function("KQKR solved for c = 20", |b| {
        b.iter(|| {
            let kqkr = "KQKR".parse().expect("an endgame");
            let hunt = Hunt::new(&oracle, kqkr, Color::White, Scope::Wins, 3 << 30, &());
            let hunt = hunt.expect("it fits");
            hunt.lengths(prey, Resistance::Hunter, &())
                .expect("it settles")
        });
    });
    let position = parse_position(START).expect("a position");
    let turn = oracle.turn(&position).expect("the table is there");
    let view = TableView {
        oracle: &oracle,
        position: &position,
        turn: &turn,
    };
    let hunter = Hunter::of(20.0);
    hunter.worths(view, 0, &()).expect("it can be solved");
    criterion.bench_function("a warm choice", |b| {
        b.iter(|| hunter.worths(view, 0, &()).expect("it is solved"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5));
    targets = hunter
}
criterion_main!(benches);
