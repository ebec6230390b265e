//! `errare minimax mobility`: measures of mobility beside the probabilities they stand for.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::Result;
use errare_minimax::mobility::{index, median, product, rank_correlation};
use serde::Serialize;

use super::search::{self, Arguments, MoveProbability};
use crate::output;

#[derive(Serialize)]
struct Answer {
    depth: NonZeroU32,
    moves: Vec<MoveAnswer>,
    /// Kendall's τ_b of each measure with the probabilities.
    correlation: Correlation,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(flatten)]
    found: MoveProbability,
    /// The mean numbers of children at levels 1, 2, ...
    children: Vec<f64>,
    median: f64,
    index: Option<f64>,
    product: f64,
}

#[derive(Serialize)]
struct Correlation {
    median: Option<f64>,
    index: Option<f64>,
    product: Option<f64>,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let depth = arguments.depth;
    if depth.get() == 1 {
        anyhow::bail!("at depth 1 all moves are equally likely; mobility needs --depth 2 or more");
    }
    let found = arguments
        .options
        .search(&search::position(&arguments.fen)?, depth)?;
    let error = found.estimate.error;
    let measured = found.moves.into_iter().zip(found.shape.mean_children());
    // A move after which the game always ends too early has no counts to measure.
    let measured = measured.filter(|(_, children)| children.len() + 1 == depth.get() as usize);
    let mut moves: Vec<MoveAnswer> = measured
        .map(|(found, children)| MoveAnswer {
            found,
            median: median(&children),
            index: index(&children),
            product: product(&children),
            children,
        })
        .collect();
    moves.sort_by(|a, b| b.found.probability.total_cmp(&a.found.probability));
    let correlate = |measure: &dyn Fn(&MoveAnswer) -> Option<f64>| {
        let known = moves
            .iter()
            .filter_map(|each| Some((each.found.probability, measure(each)?)));
        let (probabilities, measures): (Vec<f64>, Vec<f64>) = known.unzip();
        rank_correlation(&probabilities, &measures, error)
    };
    let correlation = Correlation {
        median: correlate(&|each| Some(each.median)),
        index: correlate(&|each| each.index),
        product: correlate(&|each| Some(each.product)),
    };
    let answer = Answer {
        depth,
        moves,
        correlation,
    };
    if json {
        output::json(&answer)?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(answer: &Answer) -> Result<()> {
    let head = [
        "move",
        "probability",
        "median",
        "index",
        "product",
        "children a level",
    ];
    let optional = |value: Option<f64>, digits| match value {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    let rows = answer.moves.iter().map(|each| {
        let children: Vec<String> = each
            .children
            .iter()
            .map(|mean| format!("{mean:.1}"))
            .collect();
        vec![
            each.found.san.clone(),
            format!("{:.6}", each.found.probability),
            format!("{:.4}", each.median),
            optional(each.index, 4),
            format!("{:.4}", each.product),
            children.join(" "),
        ]
    });
    let mut out = io::stdout().lock();
    output::rows(&mut out, head, 1, rows)?;
    let Correlation {
        median,
        index,
        product,
    } = &answer.correlation;
    writeln!(
        out,
        "rank correlation with the probability: median {}, index {}, product {}",
        optional(*median, 3),
        optional(*index, 3),
        optional(*product, 3)
    )?;
    Ok(())
}
