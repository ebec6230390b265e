//! The driver against a real engine, which must be installed.

use errare_engine::{EngineSettings, Evaluation, PositionOutcome, find};

use crate::{evaluate, run, settings, start};

const POSITIONS: [&str; 3] = [
    "r1br2k1/pp2ppbp/5npB/q1p5/3PP2P/2P2N2/P2Q1PP1/2R1KB1R w K - 1",
    "8/5pk1/6p1/7p/1R5P/6P1/r4PK1/8 b - - 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0",
];

fn stockfish(depth: u8) -> EngineSettings {
    let path = find(None).unwrap_or_else(|error| panic!("these tests need an engine: {error}"));
    settings(path, depth)
}

fn evaluations(outcomes: Vec<PositionOutcome<usize>>) -> Vec<Evaluation> {
    let evaluation = |outcome: PositionOutcome<usize>| {
        assert!(outcome.earlier.is_empty());
        outcome.result.expect("an evaluation")
    };
    outcomes.into_iter().map(evaluation).collect()
}

#[test]
fn it_says_who_it_is() {
    let engine = start(&stockfish(8)).expect("an engine");
    assert_eq!(engine.key().name, "Stockfish");
    assert!(engine.key().net.ends_with(".nnue"), "{}", engine.key());
}

#[test]
fn evaluations_do_not_depend_on_workers_or_on_what_came_before() {
    let settings = stockfish(6);
    let alone: Vec<Evaluation> = POSITIONS
        .iter()
        .map(|fen| evaluate(&settings, fen).expect("an evaluation"))
        .collect();
    for workers in 1..=2 {
        let together = evaluations(run(&settings, workers, &POSITIONS, POSITIONS.len()));
        assert_eq!(together, alone, "{workers} workers");
        let blobs = |all: &[Evaluation]| all.iter().map(Evaluation::encode).collect::<Vec<_>>();
        assert_eq!(blobs(&together), blobs(&alone));
    }
}

/// A search to depth 8 contains the one to depth 6: same moves, same order, same scores.
#[test]
fn a_deeper_search_contains_the_shallower_one() {
    for fen in POSITIONS {
        let shallow = evaluate(&stockfish(6), fen).expect("an evaluation");
        let deep = evaluate(&stockfish(8), fen).expect("an evaluation");
        assert_eq!(deep.iterations().len(), 8);
        for (a, b) in shallow.iterations().iter().zip(deep.iterations()) {
            let ranking = |all: &Evaluation, iteration: &errare_engine::Iteration| {
                let lines = iteration.ranking.iter();
                lines
                    .map(|line| (all.moves()[usize::from(line.index)], line.score))
                    .collect::<Vec<_>>()
            };
            assert_eq!(ranking(&shallow, a), ranking(&deep, b), "depth {}", a.depth);
        }
    }
}
