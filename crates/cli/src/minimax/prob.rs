//! `errare minimax prob`: the move probabilities of A^depth in a chess position.

use std::io;
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::Result;
use errare_minimax::{Alpha, Terminals, Ties};
use serde::Serialize;

use super::search::{self, Arguments, MoveProbability};
use crate::output;

#[derive(Serialize)]
struct Answer<'a> {
    depth: NonZeroU32,
    alpha: Alpha,
    terminals: Terminals,
    ties: Ties,
    leaves: u128,
    nodes: usize,
    certificate: f64,
    error: f64,
    moves: &'a [MoveProbability],
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let Arguments {
        fen,
        depth,
        options,
    } = arguments;
    let mut found = options.search(&search::position(fen)?, *depth)?;
    found
        .moves
        .sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let answer = Answer {
        depth: *depth,
        alpha: options.alpha,
        terminals: options.terminals,
        ties: options.ties,
        leaves: found.shape.leaves(),
        nodes: found.shape.nodes(),
        certificate: found.estimate.certificate(),
        error: found.estimate.error,
        moves: &found.moves,
    };
    if json {
        output::json(&answer)?;
    } else {
        let row =
            |each: &MoveProbability| vec![each.san.clone(), format!("{:.6}", each.probability)];
        let rows = answer.moves.iter().map(row);
        output::rows(&mut io::stdout().lock(), ["move", "probability"], 1, rows)?;
        talk!(
            "{} leaves, {} nodes kept; sum {:.9}, error below {:.1e}",
            answer.leaves,
            answer.nodes,
            answer.certificate,
            answer.error
        );
    }
    Ok(ExitCode::SUCCESS)
}
