//! `errare minimax tree`: exact probabilities in a small tree.

use std::io;
use std::process::ExitCode;

use crate::output;
use anyhow::{Context, Result, bail};
use clap::Args;
use errare_minimax::{Alpha, LevelRegular, Ties, Tree, exact_probabilities};
use serde::Serialize;

#[derive(Args)]
pub(super) struct Arguments {
    /// Nested lists, a number being a node with that many leaves: "((3 3)(2 2 2))".
    tree: String,
    /// Read one list of child counts a move instead: "[2 3][3 2]".
    #[arg(long)]
    level_regular: bool,
    /// How many scores a leaf can have, or `continuous`, the limit of ever more.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// Of several best moves: `all` counts every one, `uniform` takes one at random.
    #[arg(long, default_value = "all")]
    ties: Ties,
}

/// Exact arithmetic with more leaves takes minutes: numbers of as many digits, or polynomials of that
/// degree.
const MOST_LEAVES: u64 = 4096;
/// A number is kept for each of the scores.
const MOST_SCORES: u32 = 1 << 16;

#[derive(Serialize)]
struct Answer {
    alpha: Alpha,
    ties: Ties,
    leaves: u64,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    probability: String,
    value: f64,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let tree = if arguments.level_regular {
        LevelRegular::root(&LevelRegular::parse_moves(&arguments.tree)?)
    } else {
        arguments.tree.parse::<Tree>()?
    };
    let leaves = tree.leaves();
    if leaves > MOST_LEAVES {
        bail!("the tree has {leaves} leaves; exact fractions are for trees of up to {MOST_LEAVES}");
    }
    if let Some(scores) = arguments.alpha.scores()
        && scores > MOST_SCORES
    {
        bail!("exact fractions are for up to {MOST_SCORES} scores; write --alpha continuous");
    }
    let exact = exact_probabilities(&tree, arguments.alpha, arguments.ties);
    let moves = exact.iter().map(|probability| {
        let value =
            num_traits::ToPrimitive::to_f64(probability).context("a fraction beyond range")?;
        Ok(MoveAnswer {
            probability: probability.to_string(),
            value,
        })
    });
    let moves = moves.collect::<Result<Vec<_>>>()?;
    let answer = Answer {
        alpha: arguments.alpha,
        ties: arguments.ties,
        leaves,
        moves,
    };
    if json {
        output::json(&answer)?;
    } else {
        let rows = answer.moves.iter().zip(1..).map(|(each, number)| {
            vec![
                number.to_string(),
                each.probability.clone(),
                format!("{:.6}", each.value),
            ]
        });
        output::rows(
            &mut io::stdout().lock(),
            ["move", "probability", "value"],
            0,
            rows,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
