//! Whole tables: indexing positions, generating a four-man endgame, and looking positions up in it,
//! with a plain array of outcomes for comparison.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use errare_core::{Material, Metric, Outcome};
use errare_tables::{Layout, Prober, Scan, Store, build};
use shakmaty::{Chess, Position};
use tempfile::TempDir;

const MEMORY: u64 = 1 << 30;

fn endgame() -> Material {
    "KQKR".parse().expect("an endgame")
}

fn store(cache: u64) -> (TempDir, Store) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path(), cache);
    (directory, store)
}

/// A directory with KQKR in DTC.
fn built(cache: u64) -> (TempDir, Prober) {
    let (directory, store) = store(cache);
    build(&store, &[endgame()], &[Metric::Dtc], MEMORY, &()).expect("a table");
    (directory, Prober::new(store))
}

/// Positions from all over the table, in no order.
fn positions(prober: &Prober) -> Vec<(Chess, Outcome)> {
    const EVERY: usize = 37;
    const STRIDE: usize = 40_503;
    let scan = Scan::new(prober.store(), endgame(), Metric::Dtc.into()).expect("a table");
    let some: Vec<_> = scan
        .positions()
        .step_by(EVERY)
        .collect::<Result<_, _>>()
        .expect("a sound table");
    (0..some.len())
        .map(|i| some[i * STRIDE % some.len()].clone())
        .collect()
}

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generation");
    let layout = Layout::new(endgame()).expect("a layout");
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .throughput(Throughput::Elements(2 * layout.len()));
    for metric in Metric::ALL {
        // The subgames exist already, so only KQKR is measured.
        let (_directory, store) = store(0);
        let subgames = endgame().subgames();
        build(&store, &subgames, &[metric], MEMORY, &()).expect("subgames");
        group.bench_function(format!("KQKR {metric}"), |bencher| {
            bencher.iter_batched(
                || {
                    store
                        .remove(endgame(), &Metric::ALL)
                        .expect("a writable directory")
                },
                |_| build(&store, &[endgame()], &[metric], MEMORY, &()).expect("a table"),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn lookups(criterion: &mut Criterion) {
    let (_directory, prober) = built(64 << 20);
    let positions = positions(&prober);
    let layout = Layout::new(endgame()).expect("a layout");
    let mut group = criterion.benchmark_group("position");
    group.throughput(Throughput::Elements(positions.len() as u64));

    group.bench_function("index", |bencher| {
        bencher.iter(|| {
            for (position, _) in &positions {
                black_box(layout.index(position.board(), false));
            }
        });
    });
    group.bench_function("probe warm", |bencher| {
        bencher.iter(|| {
            for (position, outcome) in &positions {
                let found = prober.outcome(position, Metric::Dtc).expect("a table");
                assert_eq!(found, *outcome);
            }
        });
    });
    let (_directory, cold) = built(0);
    let few = &positions[..256];
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("probe cold", |bencher| {
        bencher.iter(|| {
            for (position, outcome) in few {
                let found = cold.outcome(position, Metric::Dtc).expect("a table");
                assert_eq!(found, *outcome);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, generation, lookups);
criterion_main!(benches);
