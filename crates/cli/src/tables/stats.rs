//! `errare tables stats`: how many positions are won, drawn and lost, and how deep.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use comfy_table::Table;
use errare_core::{Material, Metric};
use errare_tables::{Deepest, SideStatistics, Statistics, statistics};
use indicatif::HumanCount;

use super::histogram;
use crate::{output, supply::Supply, words};

/// Counts the positions of an endgame: won, drawn, lost, the deepest, mutual zugzwangs
///
/// Counts are of the positions of the whole board; those up to symmetry count one of all positions
/// that turning and reflecting the board makes of each other: eight without pawns, two with them. A
/// win is one of the side to move. In a mutual zugzwang either side would rather not have the move.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The metric: dtm, dtc, dtz or dtr
    #[arg(long, default_value = "dtm")]
    metric: Metric,

    /// Draw how many positions there are of each depth
    #[arg(long, conflicts_with = "json")]
    histogram: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    supply: Supply,
}

const EXAMPLES: &str = "\
Examples:
  errare tables stats KQKR --metric dtc
  errare tables stats KRKN --histogram
  errare tables stats KPK --metric dtz --json";

/// Counts and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (endgame, metric) = (arguments.endgame, arguments.metric);
    let store = arguments.supply.open(&[endgame], &[metric])?;
    let statistics = statistics(&store, endgame, metric)?;
    if arguments.json {
        output::json(&statistics)?;
    } else {
        let mut out = anstream::stdout().lock();
        write(&mut out, &statistics)?;
        if arguments.histogram {
            histogram::write(&mut out, &statistics)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut impl Write, statistics: &Statistics) -> io::Result<()> {
    let Statistics {
        material,
        metric,
        white,
        black,
    } = statistics;
    writeln!(out, "{material} in {metric}\n")?;
    writeln!(out, "{}", table(white, black).trim_fmt())?;
    writeln!(
        out,
        "\nMutual zugzwangs up to symmetry: {}",
        HumanCount(white.mutual_zugzwangs)
    )?;
    for (name, side) in [("White", white), ("Black", black)] {
        for (what, deepest) in [("win", &side.deepest_win), ("loss", &side.deepest_loss)] {
            if let Some(deepest) = deepest {
                writeln!(out, "{name}'s deepest {what}: {}", deepest.fen)?;
            }
        }
    }
    Ok(())
}

fn table(white: &SideStatistics, black: &SideStatistics) -> Table {
    let mut table = output::table(["", "White to move", "Black to move"]);
    let mut row = |name: &str, cell: &dyn Fn(&SideStatistics) -> String| {
        table.add_row([name.to_owned(), cell(white), cell(black)]);
    };
    let count = |count: u64| HumanCount(count).to_string();
    row("legal", &|side| count(side.legal));
    row("wins", &|side| count(side.wins));
    row("draws", &|side| count(side.draws));
    row("losses", &|side| count(side.losses));
    row("wins up to symmetry", &|side| count(side.unique.wins));
    row("draws up to symmetry", &|side| count(side.unique.draws));
    row("losses up to symmetry", &|side| count(side.unique.losses));
    row("deepest win", &|side| depth(side.deepest_win.as_ref()));
    row("deepest loss", &|side| depth(side.deepest_loss.as_ref()));
    output::numbers_from(&mut table, 1);
    table
}

/// "31 moves (61 plies), 16 positions".
fn depth(deepest: Option<&Deepest>) -> String {
    deepest.map_or("-".to_owned(), |deepest| {
        let moves = words::counted(deepest.moves.0.into(), "move", "moves");
        let plies = words::counted(deepest.plies.0.into(), "ply", "plies");
        let positions = words::counted(deepest.positions, "position", "positions");
        format!("{moves} ({plies}), {positions}")
    })
}
