//! `errare minimax bench`: the time of `prob` over that of counting the leaves of the same trees.

use errare_service::minimax::bench;

use crate::prelude::*;

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

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let request = bench::Request {
        tolerance: arguments.tol,
        repeat: arguments.repeat,
        deep: arguments.deep,
    };
    let timings = watched(|watch| bench::answer(&request, watch))?;
    output::show(&timings, json)
}
