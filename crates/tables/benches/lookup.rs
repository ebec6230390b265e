//! Reading positions from a table's file: at random from cached blocks, at random from blocks that
//! must be decoded, and all of them at once.

use std::{hint::black_box, sync::Arc};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use errare_core::Metric;
use errare_tables::{BlockCache, Layer, TableFile, TableWriter, Value};
use shakmaty::Color;

const POSITIONS: u64 = 1 << 22;

/// Long runs broken by noise, about as compressible as a table.
fn values(seed: u64) -> Vec<Value> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state >> 40
    };
    let mut depth = 1;
    (0..POSITIONS)
        .map(|_| {
            if next() % 8 == 0 {
                depth = (next() % 31) as u16;
            }
            Value::win(2 * depth + 1)
        })
        .collect()
}

/// Indices all over the table.
fn indices() -> impl Iterator<Item = u64> {
    const STRIDE: u64 = 2_654_435_761;
    (1..).map(|i: u64| i.wrapping_mul(STRIDE) % POSITIONS)
}

fn lookup(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("KQKR.dtc.errare");
    let (material, layer) = (
        "KQKR".parse().expect("an endgame"),
        Layer::Metric(Metric::Dtc),
    );
    let mut writer = TableWriter::create(&path, material, layer, POSITIONS).expect("a new file");
    for turn in Color::ALL {
        writer
            .append(turn, &values(turn as u64))
            .expect("room for the table");
    }
    writer.finish(false).expect("a finished table");
    let open = |cache_bytes| {
        TableFile::open(&path, Arc::new(BlockCache::new(cache_bytes))).expect("a table")
    };

    let table = open(4 * POSITIONS);
    for turn in Color::ALL {
        for index in (0..POSITIONS).step_by(1 << 10) {
            table.outcome(turn, index).expect("a position");
        }
    }
    let mut random = indices();
    criterion.bench_function("lookup/warm", |bencher| {
        bencher.iter_batched(
            || random.next().expect("endless"),
            |index| table.outcome(black_box(Color::White), index),
            BatchSize::SmallInput,
        );
    });

    let table = open(0);
    criterion.bench_function("lookup/cold", |bencher| {
        bencher.iter_batched(
            || random.next().expect("endless"),
            |index| table.outcome(black_box(Color::White), index),
            BatchSize::SmallInput,
        );
    });

    let mut group = criterion.benchmark_group("bulk");
    group
        .throughput(Throughput::Elements(POSITIONS))
        .sample_size(20);
    group.bench_function("read", |bencher| {
        bencher.iter(|| table.codes(Color::White, 0, POSITIONS as usize));
    });
}

criterion_group!(benches, lookup);
criterion_main!(benches);
