//! An Analyser's update, and simulated moves.
//!
//! The KQKR table is read from ERRARE_TABLES or the target directory, and built there if missing.

use std::{env, path::PathBuf, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use errare_choice::{Kappa, Posterior, PriorShape};
use errare_core::Metric;
use errare_endgame::{ExactPredictor, Oracle, TieBreak, Weighting};
use errare_tables::{Prober, Store, build, parse_position};

/// The start of the first game between Browne and BELLE.
const START: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

fn oracle() -> Oracle {
    let fallback = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bench-tables");
    let directory = env::var_os("ERRARE_TABLES").map_or_else(fallback, PathBuf::from);
    let store = Store::open(directory, 256 << 20);
    let kqkr = "KQKR".parse().expect("an endgame");
    build(&store, &[kqkr], &[Metric::Dtc], 3 << 30, &()).expect("KQKR can be built");
    Oracle::new(Prober::new(store), Metric::Dtc)
}

fn analyser(criterion: &mut Criterion) {
    let oracle = oracle();
    let position = parse_position(START).expect("a position");
    let turn = oracle.turn(&position).expect("the table is there");
    let after = {
        let mut after = position;
        let best = turn.choices().iter().find(|choice| turn.is_optimal(choice));
        shakmaty::Position::play_unchecked(&mut after, best.expect("a best move").r#move);
        after
    };
    // A turn with many states: Black to move at the beginning of the game.
    let turn = oracle.turn(&after).expect("the table is there");
    let profile = Weighting::keeping_value().profile(&turn, Kappa::ONE);
    let aversion = profile.best().expect("there is a move");
    let mut posterior = Posterior::new("0(0.01)50".parse().expect("a grid"), &PriorShape::Uniform);
    let states = profile.entries().count();
    criterion.bench_function(
        &format!("analyser update, 5001 points, {states} states"),
        |b| {
            b.iter(|| posterior.observe(&profile, aversion));
        },
    );
    criterion.bench_function("summary of 5001 points", |b| b.iter(|| posterior.summary()));
}

/// Moves of both sides, in games that are not analysed.
fn simulation(criterion: &mut Criterion) {
    let oracle = oracle();
    let position = parse_position(START).expect("a position");
    let exact = ExactPredictor::new(
        &oracle,
        &position,
        Kappa::ONE,
        TieBreak::Uniform,
        3 << 30,
        &(),
    );
    let exact = exact.expect("the graph fits");
    let simulator = exact
        .simulator(&position, 20.0)
        .expect("the position is won");
    let play = |threads| simulator.play(100_000, 7, 100_000, threads, &()).unwrap();
    let moves: u64 = play(2).moves.iter().sum();
    let mut group = criterion.benchmark_group("simulated moves, R_20 against R_inf in KQKR");
    group.throughput(Throughput::Elements(2 * moves));
    for threads in [1, 2] {
        group.bench_function(format!("{threads} threads"), |b| b.iter(|| play(threads)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5));
    targets = analyser, simulation
}
criterion_main!(benches);
