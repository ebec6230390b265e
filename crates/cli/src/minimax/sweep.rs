//! `errare minimax sweep`: how move probabilities change with depth, or with alpha.

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use errare_minimax::Alpha;
use serde::Serialize;

use super::search::{self, Depths, Options};
use crate::{
    curves::{self, Curve, MOST_CURVES, Panel},
    output,
};

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    fen: String,
    /// The depths, both ends included.
    #[arg(long, value_parser = search::depths, required_unless_present = "alphas")]
    depths: Option<Depths>,
    /// Several alphas instead, at one depth: 2,3,10,continuous.
    #[arg(long, value_delimiter = ',', requires = "depth", conflicts_with_all = ["depths", "alpha"])]
    alphas: Vec<Alpha>,
    /// The depth at which alpha varies.
    #[arg(long, value_parser = search::depth, conflicts_with = "depths")]
    depth: Option<NonZeroU32>,
    /// Draw the likeliest moves to this SVG file.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print CSV: one row a move and step.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    options: Options,
}

#[derive(Serialize)]
struct Answer {
    steps: Vec<Step>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct Step {
    depth: NonZeroU32,
    alpha: Alpha,
    leaves: u128,
    certificate: f64,
    error: f64,
}

#[derive(Serialize)]
struct MoveAnswer {
    uci: String,
    san: String,
    /// One probability a step.
    probabilities: Vec<f64>,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let position = search::position(&arguments.fen)?;
    for (depth, alpha) in steps(arguments) {
        arguments
            .options
            .consent
            .check(&position, depth, alpha, 1)?;
    }
    let mut answer = Answer {
        steps: Vec::new(),
        moves: Vec::new(),
    };
    for (depth, alpha) in steps(arguments) {
        let options = Options {
            alpha,
            ..arguments.options.clone()
        };
        let found = options.search(&position, depth)?;
        answer.steps.push(Step {
            depth,
            alpha,
            leaves: found.shape.leaves(),
            certificate: found.estimate.certificate(),
            error: found.estimate.error,
        });
        if answer.moves.is_empty() {
            let empty = found.moves.iter().map(|each| MoveAnswer {
                uci: each.uci.clone(),
                san: each.san.clone(),
                probabilities: Vec::new(),
            });
            answer.moves = empty.collect();
        }
        for (each, found) in answer.moves.iter_mut().zip(found.moves) {
            each.probabilities.push(found.probability);
        }
    }
    let last = |each: &MoveAnswer| *each.probabilities.last().expect("there is a step");
    answer.moves.sort_by(|a, b| last(b).total_cmp(&last(a)));
    if let Some(path) = &arguments.plot {
        curves::draw(path, &[panel(arguments, &answer)])?;
        talk!("drawn to {}", path.display());
    }
    if json {
        output::json(&answer)?;
    } else if arguments.csv {
        print_csv(&answer)?;
    } else {
        print(arguments, &answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The searches: either depths with one alpha, or alphas at one depth.
fn steps(arguments: &Arguments) -> Vec<(NonZeroU32, Alpha)> {
    match (&arguments.depths, arguments.depth) {
        (Some(depths), _) => depths
            .0
            .iter()
            .map(|&depth| (depth, arguments.options.alpha))
            .collect(),
        (None, Some(depth)) => arguments
            .alphas
            .iter()
            .map(|&alpha| (depth, alpha))
            .collect(),
        (None, None) => unreachable!("the command line requires one of the two"),
    }
}

fn labels(arguments: &Arguments, answer: &Answer) -> (&'static str, Vec<String>) {
    if arguments.depths.is_some() {
        (
            "depth",
            answer
                .steps
                .iter()
                .map(|step| step.depth.to_string())
                .collect(),
        )
    } else {
        (
            "alpha",
            answer
                .steps
                .iter()
                .map(|step| step.alpha.to_string())
                .collect(),
        )
    }
}

fn print(arguments: &Arguments, answer: &Answer) -> Result<()> {
    let (axis, labels) = labels(arguments, answer);
    let labels: Vec<String> = labels
        .iter()
        .map(|label| format!("{axis} {label}"))
        .collect();
    let mut head = vec!["move"];
    head.extend(labels.iter().map(String::as_str));
    let rows = answer.moves.iter().map(|each| {
        let probabilities = each.probabilities.iter().map(|value| format!("{value:.6}"));
        std::iter::once(each.san.clone())
            .chain(probabilities)
            .collect()
    });
    Ok(output::rows(&mut io::stdout().lock(), head, 1, rows)?)
}

fn print_csv(answer: &Answer) -> Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["uci", "san", "depth", "alpha", "probability"])?;
    for each in &answer.moves {
        for (step, probability) in answer.steps.iter().zip(&each.probabilities) {
            let (depth, alpha) = (step.depth.to_string(), step.alpha.to_string());
            let probability = probability.to_string();
            out.write_record([&each.uci, &each.san, &depth, &alpha, &probability])?;
        }
    }
    Ok(out.flush()?)
}

/// The curves that reach highest.
fn panel(arguments: &Arguments, answer: &Answer) -> Panel {
    let (axis, steps) = labels(arguments, answer);
    let top = |each: &MoveAnswer| each.probabilities.iter().copied().fold(0.0, f64::max);
    let mut highest: Vec<&MoveAnswer> = answer.moves.iter().collect();
    highest.sort_by(|a, b| top(b).total_cmp(&top(a)));
    highest.truncate(MOST_CURVES);
    let curve = |each: &MoveAnswer| Curve {
        name: each.san.clone(),
        points: (0..)
            .map(f64::from)
            .zip(each.probabilities.iter().copied())
            .collect(),
        ..Curve::default()
    };
    Panel {
        title: "Random minimaxing".to_owned(),
        x: axis,
        steps,
        y: "probability",
        logarithmic: false,
        curves: highest.into_iter().map(curve).collect(),
    }
}
