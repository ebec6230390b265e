//! `errare difficulty`: how hard endgames are to win.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::Material;
use errare_endgame::{CurvePoint, Difficulty, Predictor, Values};

use crate::{
    competence::{Side, moves},
    curves::{self, Curve, Panel},
    model::Model,
    output,
};

/// Says how difficult endgames are to win for a fallible player against an infallible one
///
/// For players R_c of growing competence c: the expected length of the deepest wins and the chance to
/// win them within so many moves. c* is the competence beyond which the expected depth falls with
/// every move, whatever the depth (theorem 7 of Haworth 2002); w*_d, in JSON, the same for depths up
/// to d; and "even chance" the least c that wins the deepest wins within the moves given as often as
/// not.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required = true)]
    endgames: Vec<Material>,

    /// The side that wins
    #[arg(long, default_value = "white")]
    side: Side,

    /// Within how many moves the win is to be achieved
    #[arg(long, value_name = "N", default_value_t = 50)]
    moves: u32,

    /// Draw length and chance against competence, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Answer in CSV: the curves, a line a competence
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    model: Model,
}

const EXAMPLES: &str = "\
Examples:
  errare difficulty KQKR
  errare difficulty KQKR KRKN KBNK KBBKN --plot difficulty.svg
  errare difficulty KQKR --kappa 0 --json";

/// The curve shown to people has a point for each so many of competence.
const SHOWN_STEP: f64 = 10.0;

/// Longer play is not drawn: the random player's 1e21 moves would leave no room for what matters.
const LONGEST_DRAWN: f64 = 1e5;

/// Computes and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let model = &arguments.model;
    let oracle = model.oracle(&arguments.endgames, &[])?;
    let mut found = Vec::new();
    for &endgame in &arguments.endgames {
        let predictor = Predictor::new(&oracle, endgame, model.kappa, Values::Kept)?;
        let side = arguments.side.into();
        match Difficulty::of(&predictor, model.metric, side, arguments.moves)? {
            Some(difficulty) => found.push(difficulty),
            None => talk!("errare: this side has no win in {endgame}"),
        }
    }
    if found.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    if let Some(path) = &arguments.plot {
        curves::draw(path, &panels(&found, arguments.moves))?;
    }
    match () {
        () if arguments.json => output::json(&found)?,
        () if arguments.csv => csv(&found)?,
        () => write(&mut anstream::stdout().lock(), &found)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut impl Write, found: &[Difficulty]) -> io::Result<()> {
    let mut table = output::table(["endgame", "deepest", "c*", "at depth", "even chance"]);
    for difficulty in found {
        let c = |c: Option<f64>| c.map_or("-".to_owned(), |c| format!("{c:.2}"));
        table.add_row([
            difficulty.endgame.to_string(),
            difficulty.deepest.to_string(),
            c(difficulty.c_star),
            difficulty
                .hardest_depth
                .map_or("-".to_owned(), |d| d.to_string()),
            c(difficulty.even_chance),
        ]);
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "{}\n", table.trim_fmt())?;
    for difficulty in found {
        writeln!(out, "{}\n", difficulty.verdict())?;
        let mut table = output::table(["c", "expected moves", "in time", "of all wins", "in time"]);
        let shown = |point: &&CurvePoint| point.competence % SHOWN_STEP == 0.0;
        for point in difficulty.curve.iter().filter(shown) {
            let percent = |chance: f64| format!("{:.2} %", 100.0 * chance);
            table.add_row([
                point.competence.to_string(),
                moves(point.expected_moves),
                percent(point.win_within),
                moves(point.mean_moves),
                percent(point.mean_win_within),
            ]);
        }
        output::numbers_from(&mut table, 0);
        writeln!(out, "{}\n", table.trim_fmt())?;
    }
    let moves = found[0].moves;
    writeln!(
        out,
        "Expected moves from the deepest wins, and from all wins; in time is within {moves} moves."
    )
}

fn csv(found: &[Difficulty]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(
        out,
        "endgame,competence,expected_moves,win_within,mean_moves,mean_win_within"
    )?;
    for difficulty in found {
        for point in &difficulty.curve {
            let CurvePoint {
                competence,
                expected_moves,
                win_within,
                mean_moves,
                mean_win_within,
            } = point;
            writeln!(
                out,
                "{},{competence},{expected_moves},{win_within},{mean_moves},{mean_win_within}",
                difficulty.endgame
            )?;
        }
    }
    out.flush()
}

fn panels(found: &[Difficulty], moves: u32) -> [Panel; 2] {
    let curves = |value: &dyn Fn(&CurvePoint) -> f64| {
        let curve = |difficulty: &Difficulty| Curve {
            name: difficulty.endgame.to_string(),
            points: difficulty
                .curve
                .iter()
                .map(|point| (point.competence, value(point)))
                .filter(|point| point.1 <= LONGEST_DRAWN)
                .collect(),
            ..Curve::default()
        };
        found.iter().map(curve).collect()
    };
    [
        Panel {
            title: "Expected moves from the deepest wins, R_c against the infallible".to_owned(),
            x: "competence c",
            steps: Vec::new(),
            y: "moves",
            logarithmic: true,
            curves: curves(&|point| point.expected_moves),
        },
        Panel {
            title: format!("Chance to win the deepest wins within {moves} moves"),
            x: "competence c",
            steps: Vec::new(),
            y: "probability",
            logarithmic: false,
            curves: curves(&|point| point.win_within),
        },
    ]
}
