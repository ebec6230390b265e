//! Markov matrices: of KQKR, and of KBBKN where `ERRARE_TABLES` names a directory that has it.

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{Oracle, Predictor, Values};
use errare_tables::{Prober, Store, build};
use shakmaty::Color;

const CACHE: u64 = 64 << 20;
const MEMORY: u64 = 1 << 30;

fn measure(criterion: &mut Criterion, name: &str, store: Store) {
    let endgame = name.parse().expect("an endgame");
    let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame, Kappa::ONE, Values::Kept).expect("a table");
    let mut group = criterion.benchmark_group("matrices");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    for several in [1, 51] {
        let competences: Vec<f64> = (0..several).map(f64::from).collect();
        group.bench_function(format!("{name}, {several} at once"), |bencher| {
            bencher.iter(|| {
                let matrices = predictor.matrices(Color::White, &competences, &());
                black_box(matrices.expect("a sound table"))
            });
        });
    }
    group.finish();
}

fn matrices(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = Store::open(directory.path(), CACHE);
    let kqkr = "KQKR".parse().expect("an endgame");
    build(&store, &[kqkr], &[Metric::Dtc], MEMORY, &()).expect("a table");
    measure(criterion, "KQKR", store);

    let given = std::env::var_os("ERRARE_TABLES").map(|path| Store::open(path, CACHE));
    let kbbkn = "KBBKN".parse().expect("an endgame");
    let layer = Metric::Dtc.into();
    match given.filter(|store| matches!(store.table(kbbkn, layer), Ok(Some(_)))) {
        Some(store) => measure(criterion, "KBBKN", store),
        None => println!("KBBKN is left out: ERRARE_TABLES names no directory with its DTC table"),
    }
}

criterion_group!(benches, matrices);
criterion_main!(benches);
