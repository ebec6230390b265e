//! `errare minimax bench`: the time of `prob` over that of counting the leaves of the same trees.

use std::io;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use errare_minimax::{Alpha, Shape, Terminals, Ties, perft, probabilities};
use rayon::ThreadPoolBuilder;
use serde::Serialize;
use shakmaty::Chess;

use super::search;
use crate::output;

#[derive(Args)]
pub(super) struct Arguments {
    /// The error allowed in the sum of all probabilities.
    #[arg(long, default_value = "1e-6")]
    tol: f64,
    /// Repetitions; the best time of each counts.
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Include start position depth 7: 3.2 billion leaves.
    #[arg(long)]
    deep: bool,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const QUIET: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// Trees from small to large: the positions that move generators are commonly tested with.
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

#[derive(Serialize)]
struct Timing {
    position: &'static str,
    depth: u32,
    leaves: u64,
    threads: usize,
    /// Seconds to count the leaves.
    perft: f64,
    /// Seconds to compute the probabilities.
    prob: f64,
    ratio: f64,
    error: f64,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let trees = TREES.into_iter().chain(arguments.deep.then_some(DEEP));
    let mut timings = Vec::new();
    for (name, fen, depth) in trees {
        let position = search::position(fen)?;
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
            timings.push(pool.install(|| time(name, &position, depth, threads, arguments))?);
        }
    }
    if json {
        output::json(&timings)?;
    } else {
        print(&timings)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn time(
    name: &'static str,
    position: &Chess,
    depth: u32,
    threads: usize,
    arguments: &Arguments,
) -> Result<Timing> {
    let mut timing = Timing {
        position: name,
        depth,
        leaves: 0,
        threads,
        perft: f64::INFINITY,
        prob: f64::INFINITY,
        ratio: 0.0,
        error: 0.0,
    };
    // Counting and computing take turns, so that a busy moment of the machine hits both.
    for _ in 0..arguments.repeat {
        let started = Instant::now();
        timing.leaves = perft(position, depth);
        timing.perft = timing.perft.min(started.elapsed().as_secs_f64());
        let started = Instant::now();
        let shape = Shape::of(position, depth.try_into()?, Terminals::Recognised);
        let estimate = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, arguments.tol);
        timing.prob = timing.prob.min(started.elapsed().as_secs_f64());
        timing.error = estimate.error;
        ensure!(
            shape.leaves() == timing.leaves.into(),
            "{name} at depth {depth}: leaves were lost"
        );
    }
    timing.ratio = timing.prob / timing.perft;
    Ok(timing)
}

fn print(timings: &[Timing]) -> Result<()> {
    let head = [
        "position", "depth", "leaves", "threads", "perft ms", "prob ms", "ratio", "error",
    ];
    let rows = timings.iter().map(|timing| {
        vec![
            timing.position.to_owned(),
            timing.depth.to_string(),
            timing.leaves.to_string(),
            timing.threads.to_string(),
            format!("{:.3}", timing.perft * 1e3),
            format!("{:.3}", timing.prob * 1e3),
            format!("{:.2}", timing.ratio),
            format!("{:.1e}", timing.error),
        ]
    });
    Ok(output::rows(&mut io::stdout().lock(), head, 1, rows)?)
}
