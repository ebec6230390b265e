//! A prediction for people, and as CSV.

use std::io::{self, BufWriter, Write};

use indicatif::HumanCount;

use super::{Forecast, Prediction};
use crate::{competence::moves, output, spread::Spread};

pub(super) fn write(out: &mut impl Write, prediction: &Prediction) -> io::Result<()> {
    let Prediction {
        endgame,
        metric,
        kappa,
        opponent,
        ..
    } = prediction;
    for (skill, forecast) in prediction.forecasts() {
        writeln!(
            out,
            "{endgame} in {metric}, R_{skill} against R_{opponent}, kappa {kappa}\n"
        )?;
        write_depths(out, forecast)?;
        if let Some(results) = &forecast.results {
            write_results(out, results)?;
        }
    }
    if let Some(position) = &prediction.position {
        writeln!(out, "{} (ties: {})", position.fen, position.ties)?;
        writeln!(
            out,
            "exactly: {} moves expected, won within {} moves with probability {:.6}",
            moves(position.expected_moves),
            prediction.forecast.win_within.moves,
            position.win_within
        )?;
        if let Some(simulated) = &position.simulated {
            let length = match &simulated.moves {
                None => "none was finished".to_owned(),
                Some(Spread {
                    mean,
                    standard_error,
                    sd,
                    ..
                }) => format!("{mean:.2} ± {standard_error:.2} moves (deviation {sd:.2})"),
            };
            writeln!(
                out,
                "{} games: {length}, won within {} moves in {:.6}; seed {}",
                simulated.games,
                prediction.forecast.win_within.moves,
                simulated.win_within,
                simulated.seed
            )?;
            if simulated.unfinished > 0 {
                writeln!(
                    out,
                    "{} games were broken off; mean and deviation are those of the others",
                    simulated.unfinished
                )?;
            }
        }
    }
    Ok(())
}

fn write_depths(out: &mut impl Write, forecast: &Forecast) -> io::Result<()> {
    let within = format!("won within {}", forecast.win_within.moves);
    let mut table = output::table(["depth", "positions", "expected moves", "deviation"]);
    if let Some(header) = table.header() {
        let mut header = header.clone();
        header.add_cell(comfy_table::Cell::new(within));
        table.set_header(header);
    }
    for (depth, expected) in &forecast.expected_moves {
        let number = |number: &Option<f64>| number.map_or("never".to_owned(), moves);
        table.add_row([
            depth.to_string(),
            HumanCount(forecast.positions[depth]).to_string(),
            number(expected),
            number(&forecast.deviation[depth]),
            format!("{:.4} %", 100.0 * forecast.win_within.from[depth]),
        ]);
    }
    output::numbers_from(&mut table, 0);
    writeln!(out, "{}\n", table.trim_fmt())
}

fn write_results(
    out: &mut impl Write,
    results: &serde_json::Map<String, serde_json::Value>,
) -> io::Result<()> {
    let mut table = output::table(["from", "win", "draw", "loss"]);
    for (state, chances) in results {
        let chance = |result: &str| {
            let chance = chances[result].as_f64().unwrap_or(f64::NAN);
            format!("{:.4} %", 100.0 * chance)
        };
        table.add_row([state.clone(), chance("win"), chance("draw"), chance("loss")]);
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "In the end, by state\n\n{}\n", table.trim_fmt())
}

pub(super) fn csv(prediction: &Prediction) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(
        out,
        "skill,depth,positions,expected_moves,deviation,win_within"
    )?;
    for (skill, forecast) in prediction.forecasts() {
        for (depth, expected) in &forecast.expected_moves {
            let number = |number: &Option<f64>| number.map_or("inf".to_owned(), |n| n.to_string());
            writeln!(
                out,
                "{skill},{depth},{},{},{},{}",
                forecast.positions[depth],
                number(expected),
                number(&forecast.deviation[depth]),
                forecast.win_within.from[depth]
            )?;
        }
    }
    out.flush()
}
