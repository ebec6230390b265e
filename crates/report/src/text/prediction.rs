//! Predictions by depth.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use errare_core::grouped;
use errare_endgame::{Resistance, ResultChances};
use errare_service::{
    model::ValueRule,
    predict::{Answer, Forecast, PlayerState, PredictOpponent, exact},
    spread::Spread,
};

use super::{Text, moves, table};

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Answer {
            endgame,
            opponent,
            value,
            ..
        } = self;
        let (metric, kappa) = (self.metric(), self.model.kappa);
        let anchors = self.compare.iter().map(|compared| &compared.anchor);
        let mut anchors = [&self.anchor].into_iter().chain(anchors);
        for (skill, forecast) in self.forecasts() {
            writeln!(
                out,
                "{endgame} in {metric}, R_{skill} against {}, kappa {kappa}: {}",
                opponent.words(),
                value.words()
            )?;
            if *value == ValueRule::Keep {
                writeln!(out, "--value risk lets players throw results away too")?;
            }
            if let Some(anchor) = anchors.next().into_iter().flatten().next() {
                writeln!(out, "c = {}: {}", anchor.competence, anchor.text)?;
            }
            if *value == ValueRule::Keep && !has_lengths(forecast) {
                writeln!(
                    out,
                    "from some positions a win takes more than 10^9 moves, too many to compute lengths"
                )?;
            }
            if is_hunter(opponent) {
                let within = &forecast.win_within.moves;
                let against = for_time(*within);
                match () {
                    () if has_lengths(forecast) => {
                        write!(out, "expected moves are against {FOR_LENGTH}, ")?;
                    }
                    () if !forecast.win.is_empty() => {
                        write!(out, "wins in the end are against {FOR_LENGTH}, ")?;
                    }
                    () => {}
                }
                writeln!(out, "wins within {within} moves against {against}")?;
            }
            writeln!(out)?;
            write_depths(out, forecast)?;
            if let Some(results) = &forecast.results {
                write_results(out, results)?;
            }
        }
        if let Some(position) = &self.position {
            write_position(out, position, self.forecast.win_within.moves)?;
        }
        Ok(())
    }
}

/// The hunter that makes a win long, or, where the value is at risk, unlikely.
const FOR_LENGTH: &str = "the hunter for length";

/// The hunter that makes a win in time unlikely.
fn for_time(moves: u32) -> String {
    match moves {
        50 => "the hunter for the 50-move rule".to_owned(),
        _ => format!("the hunter for {moves} moves"),
    }
}

/// Is it the hunter, which pursues each objective with another policy?
fn is_hunter(opponent: &PredictOpponent) -> bool {
    matches!(opponent, PredictOpponent::Resistance(Resistance::Hunter))
}

fn write_position(out: &mut dyn Write, position: &exact::Answer, in_time: u32) -> io::Result<()> {
    let ties = match is_hunter(&position.opponent) {
        true => String::new(),
        false => format!(" (ties: {})", position.ties),
    };
    let (fen, opponent) = (&position.fen, position.opponent.words());
    writeln!(out, "{fen} against {opponent}{ties}")?;
    let (expected, in_the_end) = (position.expected_moves, position.win);
    if is_hunter(&position.opponent) {
        let lasting = match (expected, in_the_end) {
            (Some(n), _) => format!("{} moves against {FOR_LENGTH}; ", moves(n)),
            (None, Some(p)) => format!("{} in the end against {FOR_LENGTH}; ", percent(p)),
            (None, None) => String::new(),
        };
        let in_time_percent = percent(position.win_within);
        let against = for_time(in_time);
        writeln!(
            out,
            "exactly: {lasting}{in_time_percent} within {in_time} moves against {against}"
        )?;
    } else {
        writeln!(
            out,
            "exactly: {}won within {in_time} moves with probability {:.6}{}",
            expected.map_or(String::new(), |n| format!("{} moves expected, ", moves(n))),
            position.win_within,
            in_the_end.map_or(String::new(), |p| format!(", in the end {p:.6}")),
        )?;
    }
    let Some(simulated) = &position.simulated else {
        return Ok(());
    };
    let length = match &simulated.moves {
        None => "none was finished".to_owned(),
        Some(Spread {
            mean,
            standard_error: Some(error),
            sd: Some(sd),
            ..
        }) => format!("{mean:.2} ± {error:.2} moves (deviation {sd:.2})"),
        Some(Spread { mean, .. }) => format!("{mean:.2} moves"),
    };
    let play = match is_hunter(&position.opponent) {
        true => format!(" against {FOR_LENGTH}"),
        false => String::new(),
    };
    writeln!(
        out,
        "{} games{play}: {length}, won within {in_time} moves in {:.6}; seed {}",
        simulated.games, simulated.win_within, simulated.seed
    )?;
    if simulated.unfinished > 0 {
        writeln!(
            out,
            "{} games were abandoned; mean and deviation are those of the others",
            simulated.unfinished
        )?;
    }
    Ok(())
}

/// Are there expected lengths? With value at risk play may never end.
fn has_lengths(forecast: &Forecast) -> bool {
    forecast.expected_moves.values().any(Option::is_some)
}

fn write_depths(out: &mut dyn Write, forecast: &Forecast) -> io::Result<()> {
    let within = format!("won within {}", forecast.win_within.moves);
    let has_lengths = has_lengths(forecast);
    let has_deviations = forecast.deviation.values().any(Option::is_some);
    let mut head = vec!["depth", "positions"];
    if has_lengths {
        head.push("expected moves");
    }
    if has_deviations {
        head.push("deviation");
    }
    head.push(&within);
    // Otherwise the table of results has it.
    let in_the_end = forecast.results.is_none() && !forecast.win.is_empty();
    if in_the_end {
        head.push("won in the end");
    }
    let number = |number: &Option<f64>| number.map_or("never".to_owned(), moves);
    let rows = forecast.expected_moves.iter().map(|(depth, expected)| {
        let mut row = vec![depth.to_string(), grouped(forecast.positions[depth])];
        if has_lengths {
            row.push(number(expected));
        }
        if has_deviations {
            row.push(number(&forecast.deviation[depth]));
        }
        row.push(percent(forecast.win_within.from[depth]));
        if in_the_end {
            row.push(percent(forecast.win[depth]));
        }
        row
    });
    table(out, head, 0, rows)?;
    writeln!(out)
}

fn percent(chance: f64) -> String {
    format!("{:.4} %", 100.0 * chance)
}

fn write_results(
    out: &mut dyn Write,
    results: &BTreeMap<PlayerState, ResultChances>,
) -> io::Result<()> {
    writeln!(out, "In the end, by state\n")?;
    let rows = results.iter().map(|(state, results)| {
        vec![
            state.to_string(),
            percent(results.win),
            percent(results.draw),
            percent(results.loss),
        ]
    });
    table(out, ["from", "win", "draw", "loss"], 1, rows)?;
    writeln!(out)
}
