//! Compares the time of `prob` with that of counting the leaves of the same trees.

use std::time::Instant;

use errare_core::{FaultKind, Watch};
use errare_minimax::{Alpha, Shape, Terminals, Ties, perft, probabilities};
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::search;
use crate::Error;

/// Settings of the benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxBenchRequest))]
pub struct Request {
    /// The error allowed in the sum of all probabilities.
    pub tolerance: f64,
    /// Repetitions; the best time of each counts.
    pub repeat: u32,
    /// Include depth 7 from the start: 3.2 billion leaves?
    pub deep: bool,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const QUIET: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// Trees from small to large: the usual test positions of move generators.
const TREES: [(&str, &str, u32); 9] = [
    ("start", START, 1),
    ("start", START, 2),
    ("start", START, 3),
    ("start", START, 5),
    ("start", START, 6),
    ("middlegame", MIDDLEGAME, 4),
    ("middlegame", MIDDLEGAME, 5),
    ("quiet", QUIET, 5),
    ("endgame", ENDGAME, 7),
];
const DEEP: (&str, &str, u32) = ("start", START, 7);

/// The timing of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Timing {
    /// The position, by name.
    pub position: String,
    /// The number of plies.
    pub depth: u32,
    /// The leaves of the tree.
    pub leaves: u64,
    /// The number of threads.
    pub threads: usize,
    /// Seconds to count the leaves.
    pub perft: f64,
    /// Seconds to compute the probabilities.
    pub prob: f64,
    /// `prob` divided by `perft`.
    pub ratio: f64,
    /// A bound of the sum of the probabilities' errors.
    pub error: f64,
}

/// Measures all trees.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Vec<Timing>, Error> {
    let trees = TREES.into_iter().chain(request.deep.then_some(DEEP));
    let mut timings = Vec::new();
    for (name, fen, depth) in trees {
        let position = search::position(fen)?;
        for threads in [1, 2] {
            watch.check()?;
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| Error::new(FaultKind::Internal, error.to_string()))?;
            timings.push(pool.install(|| time(name, &position, depth, threads, request))?);
        }
    }
    Ok(timings)
}

fn time(
    name: &str,
    position: &Chess,
    depth: u32,
    threads: usize,
    request: &Request,
) -> Result<Timing, Error> {
    let mut timing = Timing {
        position: name.to_owned(),
        depth,
        leaves: 0,
        threads,
        perft: f64::INFINITY,
        prob: f64::INFINITY,
        ratio: 0.0,
        error: 0.0,
    };
    let plies = depth.try_into().expect("the trees have a depth");
    // Counting and computing alternate, so that a busy moment of the machine affects both.
    for _ in 0..request.repeat {
        let started = Instant::now();
        timing.leaves = perft(position, depth);
        timing.perft = timing.perft.min(started.elapsed().as_secs_f64());
        let started = Instant::now();
        let shape = Shape::of(position, plies, Terminals::Recognised);
        let estimate = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, request.tolerance);
        timing.prob = timing.prob.min(started.elapsed().as_secs_f64());
        timing.error = estimate.error;
        if shape.leaves() != timing.leaves.into() {
            return Err(Error::new(
                FaultKind::Internal,
                format!("{name} at depth {depth}: leaves were lost"),
            ));
        }
    }
    timing.ratio = timing.prob / timing.perft;
    Ok(timing)
}
