//! `errare tables verify`: recomputes stored tables by other means.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric, Outcome, Plies};
use errare_tables::{
    Check, Expected, Layer, Method, Mismatch, Prober, Sample, ScanError, Store, Verification,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{chosen, word};
use crate::{output, supply::Supply, words};

/// Recomputes every position of the tables of an endgame from its moves
///
/// Moves come from another generator than that which made the tables; what they lead to is looked
/// up in the tables. The first position at which they do not agree is shown, and makes the exit code 1;
/// a table that cannot be read makes it 2, and the others are verified all the same.
///
/// DTR does not follow from the DTR that the moves lead to. Up to four men, and of five if two are
/// pawns, it is recomputed by levels. Of larger tables, and of a sample, it is only held between
/// bounds, one ply apart: what breaks them is wrong, what keeps them may still be a ply off. The
/// output says which.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    /// Check so many random positions of each table instead of all
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// What the random choice depends on [default: different each time]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    supply: Supply,
}

const EXAMPLES: &str = "\
Examples:
  errare tables verify KQKR
  errare tables verify KRPKR --metric dtz --sample 100000 --seed 7";

/// Verifies and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let endgame = arguments.endgame;
    let metrics = &chosen(&arguments.metric)[..];
    let prober = Prober::new(arguments.supply.open(&[endgame], metrics)?);
    let sample = arguments.sample.map(|positions| Sample {
        positions,
        seed: arguments.seed.unwrap_or_else(rand::random),
    });
    if let (Some(sample), false) = (sample, arguments.json) {
        talk!("seed {}", sample.seed);
    }
    let (mut tables, mut unreadable) = (Vec::new(), false);
    for layer in layers(prober.store(), endgame, metrics)? {
        let found = match verified(&prober, endgame, layer, sample) {
            Ok(found) => found,
            Err(error) => {
                talk!("errare: {error:#}");
                unreadable = true;
                continue;
            }
        };
        if !arguments.json {
            write(&mut io::stdout().lock(), endgame, layer, &found)?;
        }
        tables.push(Table::new(layer, found));
    }
    let wrong = tables.iter().any(|table| table.mismatch.is_some());
    if arguments.json {
        output::json(&Answer {
            endgame,
            sample: sample.map(|sample| sample.positions),
            seed: sample.map(|sample| sample.seed),
            tables,
        })?;
    }
    Ok(ExitCode::from(match (unreadable, wrong) {
        (true, _) => 2,
        (false, wrong) => wrong.into(),
    }))
}

/// The tables of these metrics. DTR brings DTZ under the 50-move rule along, where it has a table.
fn layers(store: &Store, material: Material, metrics: &[Metric]) -> Result<Vec<Layer>, ScanError> {
    let mut layers: Vec<Layer> = metrics.iter().copied().map(Layer::from).collect();
    if metrics.contains(&Metric::Dtr)
        && let Some(table) = store.table(material, Metric::Dtr.into())?
        && table.description().separate_dtz50
    {
        layers.push(Layer::Dtz50);
    }
    Ok(layers)
}

/// Verifies one table behind a progress bar.
fn verified(
    prober: &Prober,
    material: Material,
    layer: Layer,
    sample: Option<Sample>,
) -> Result<Verification> {
    let check = Check::new(prober, material, layer, sample)?;
    let style = ProgressStyle::with_template(
        "{prefix} {bar:24} {human_pos} of {human_len} positions, {eta} left",
    )
    .expect("the template is well formed");
    let bar = ProgressBar::new(check.positions()).with_style(style);
    bar.set_prefix(format!("{material} {layer}"));
    let found = check.run(&|positions| bar.inc(positions));
    bar.finish_and_clear();
    Ok(found?)
}

fn write(
    out: &mut impl Write,
    material: Material,
    layer: Layer,
    found: &Verification,
) -> io::Result<()> {
    let Verification {
        method,
        positions,
        mismatch,
    } = found;
    let Some(mismatch) = mismatch else {
        let how = match method {
            Method::Moves => "recomputed from their moves",
            Method::Levels => "recomputed by levels",
            Method::Bounds => "held between bounds (necessary, not sufficient)",
        };
        let positions = words::counted(*positions, "position", "positions");
        return writeln!(out, "{material} {layer}: right, {positions} {how}");
    };
    let Mismatch {
        fen,
        stored,
        expected,
    } = mismatch;
    writeln!(
        out,
        "{material} {layer}: WRONG at {fen}, or after a move: the table says {}, the moves say {}",
        in_words(Expected::from(*stored)),
        in_words(*expected),
    )
}

/// "win in 61 plies", "loss in 16 to 17 plies".
fn in_words(expected: Expected) -> String {
    let outcome = word(expected.least);
    match (expected.least.plies(), expected.greatest.plies()) {
        (Some(least), Some(greatest)) if least == greatest => {
            format!("{outcome} in {least} plies")
        }
        (Some(least), Some(greatest)) => format!("{outcome} in {least} to {greatest} plies"),
        _ => outcome.to_owned(),
    }
}

/// What was verified.
#[derive(Serialize)]
struct Answer {
    endgame: Material,
    sample: Option<u64>,
    seed: Option<u64>,
    tables: Vec<Table>,
}

/// What was found in one table.
#[derive(Serialize)]
struct Table {
    metric: Layer,
    method: Method,
    positions: u64,
    mismatch: Option<Wrong>,
}

#[derive(Serialize)]
struct Wrong {
    fen: String,
    stored: Said,
    expected: Said,
}

/// An outcome with its depth, or the bounds of it.
#[derive(Serialize)]
struct Said {
    outcome: &'static str,
    least_plies: Option<Plies>,
    greatest_plies: Option<Plies>,
}

impl Table {
    fn new(metric: Layer, found: Verification) -> Table {
        let wrong = |mismatch: Mismatch| Wrong {
            fen: mismatch.fen,
            stored: Said::new(mismatch.stored.into()),
            expected: Said::new(mismatch.expected),
        };
        Table {
            metric,
            method: found.method,
            positions: found.positions,
            mismatch: found.mismatch.map(wrong),
        }
    }
}

impl Said {
    fn new(expected: Expected) -> Said {
        Said {
            outcome: word(expected.least),
            least_plies: Outcome::plies(expected.least),
            greatest_plies: expected.greatest.plies(),
        }
    }
}
