//! `errare markov`: the transition matrix of an endgame.

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};
use errare_endgame::{ChainState, Matrix, Predictor};
use indicatif::HumanCount;
use serde::Serialize;
use shakmaty::Color;

use crate::{
    competence::{Competence, Side, Value},
    model::Model,
    output,
    predict::name,
};

/// Computes the Markov matrix of a player's moves in an endgame
///
/// Entry m_ij is the probability that R_c, to move in a position of state i, moves to state j,
/// averaged over all positions of state i on the full board. States are win 0 (achieved), win 1, ...,
/// draw, drawn (for good: stalemate or a drawn subgame), ..., loss 1, loss 0, from the player's view;
/// j has the depth of the position after the move. Rows without positions are those of an infallible
/// player.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The player's competence: 0 plays at random, inf is infallible
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    skill: Competence,

    /// The player's side
    #[arg(long, default_value = "white")]
    side: Side,

    /// Whether the player may lose value
    #[arg(long, default_value = "keep")]
    value: Value,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Answer in CSV, a line a state
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    model: Model,
}

const EXAMPLES: &str = "\
Examples:
  errare markov KQKR --skill 20 --csv > kqkr.csv
  errare markov KQKR --skill 10 --side black --value risk";

/// A matrix in JSON.
#[derive(Serialize)]
struct Answer {
    endgame: Material,
    metric: Metric,
    kappa: f64,
    skill: Competence,
    side: Side,
    value: Value,
    states: Vec<String>,
    positions: Vec<u64>,
    matrix: Vec<Vec<f64>>,
}

/// Computes and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (endgame, model) = (arguments.endgame, &arguments.model);
    let oracle = model.oracle(&[endgame], &[])?;
    let predictor = Predictor::new(&oracle, endgame, model.kappa, arguments.value.into())?;
    let side: Color = arguments.side.into();
    let matrix = &predictor.matrices(side, &[arguments.skill.0])?[0];
    let mut states: Vec<ChainState> = matrix.states().all().collect();
    if side.is_black() {
        states.reverse();
    }
    let row = |&from: &ChainState| states.iter().map(|&to| matrix.get(from, to)).collect();
    let answer = Answer {
        endgame,
        metric: model.metric,
        kappa: model.kappa.get(),
        skill: arguments.skill,
        side: arguments.side,
        value: arguments.value,
        states: states.iter().map(|&state| name(state, side)).collect(),
        positions: states.iter().map(|&s| matrix.positions(s)).collect(),
        matrix: states.iter().map(row).collect(),
    };
    match () {
        () if arguments.json => output::json(&answer)?,
        () if arguments.csv => csv(&answer)?,
        () => write(&mut anstream::stdout().lock(), &answer, matrix)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn csv(answer: &Answer) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "state,positions,{}", answer.states.join(","))?;
    let rows = answer.states.iter().zip(&answer.positions);
    for ((state, positions), row) in rows.zip(&answer.matrix) {
        write!(out, "{state},{positions}")?;
        for entry in row {
            write!(out, ",{entry}")?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// What the matrix says of each state; the whole of it is for programs.
fn write(out: &mut impl Write, answer: &Answer, matrix: &Matrix) -> io::Result<()> {
    let Answer {
        endgame,
        metric,
        kappa,
        skill,
        side,
        ..
    } = answer;
    let side = crate::words::side((*side).into());
    writeln!(
        out,
        "{endgame} in {metric}, R_{skill} as {side}, kappa {kappa}\n"
    )?;
    let mut table = output::table([
        "from",
        "positions",
        "better",
        "same",
        "worse",
        "most likely to",
    ]);
    for (from, state) in answer.states.iter().enumerate() {
        if answer.positions[from] == 0 {
            continue;
        }
        let row = &answer.matrix[from];
        let percent = |part: &[f64]| format!("{:.2} %", 100.0 * part.iter().sum::<f64>());
        let likely = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
        table.add_row([
            state.clone(),
            HumanCount(answer.positions[from]).to_string(),
            percent(&row[..from]),
            percent(&row[from..=from]),
            percent(&row[from + 1..]),
            likely.map_or_else(String::new, |to| answer.states[to].clone()),
        ]);
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "{}", table.trim_fmt())?;
    let positions: u64 = answer.positions.iter().sum();
    let states = matrix.states().len();
    writeln!(
        out,
        "\n{states} states, {} positions of the full board; --csv and --json have the matrix.",
        HumanCount(positions)
    )
}
