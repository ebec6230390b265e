//! A verdict for people to read.

use std::io::{self, Write};

use anstyle::Style;
use comfy_table::{Cell, Color, Table};
use errare_core::{Metric, Moves};
use errare_tables::{Authority, Category, MoveVerdict, Verdict};
use shakmaty::{Chess, Position};

use crate::{board, output, words};

/// Writes the board, the outcome in words and a table of the moves.
pub(super) fn write(out: &mut impl Write, position: &Chess, verdict: &Verdict) -> io::Result<()> {
    let (turn, clock) = (position.turn(), position.halfmoves());
    let bold = Style::new().bold();
    writeln!(out, "{}", board::draw(position.board()))?;
    writeln!(
        out,
        "{}, {} to move",
        verdict.position.endgame,
        words::side(turn)
    )?;
    writeln!(
        out,
        "{bold}{}{bold:#}",
        words::outcome(&verdict.position, turn)
    )?;
    if let Some(rule) = words::fifty_moves(&verdict.position, clock) {
        writeln!(out, "{rule}")?;
    }
    if verdict.source == Authority::Syzygy {
        writeln!(
            out,
            "From Syzygy tables, which know no other depth than dtz"
        )?;
    }
    if !verdict.moves.is_empty() {
        writeln!(out, "\n{}", table(verdict).trim_fmt())?;
        writeln!(out, "\n{}", legend(verdict.metric))?;
        if verdict.moves.iter().any(|m| m.dtr_may_be_greater) {
            writeln!(out, "~ dtr may be more: to find out would take too long.")?;
        }
    }
    Ok(())
}

/// The moves, best first; depths in winner's moves.
fn table(verdict: &Verdict) -> Table {
    let metrics = Metric::ALL.map(Metric::name);
    let header = ["move", "result"]
        .into_iter()
        .chain(metrics)
        .chain(["ceded"]);
    let mut table = output::table(header);
    table.add_rows(verdict.moves.iter().map(row));
    output::numbers_from(&mut table, 2);
    table
}

fn row(m: &MoveVerdict) -> Vec<Cell> {
    let mark = m.mark.map_or("", |mark| mark.symbol());
    let (result, color) = result(m.after.category.reversed());
    let depth = |metric| m.through.get(metric)?.moves_in(metric);
    let number = |moves: Option<Moves>| Cell::new(moves.map_or("-".to_owned(), |n| n.to_string()));
    let mut row = vec![
        Cell::new(format!("{}{mark}", m.san)),
        Cell::new(result).fg(color),
    ];
    row.extend(Metric::ALL.map(|metric| match depth(metric) {
        Some(moves) if metric == Metric::Dtr && m.dtr_may_be_greater => {
            Cell::new(format!("~{moves}"))
        }
        moves => number(moves),
    }));
    row.push(number(m.ceded));
    row
}

/// What a move leads to, for the side that makes it.
fn result(category: Category) -> (&'static str, Color) {
    match category {
        Category::Win => ("win", Color::Green),
        Category::MaybeWin => ("win?", Color::Green),
        Category::CursedWin => ("cursed win", Color::Yellow),
        Category::Draw => ("draw", Color::Reset),
        Category::BlessedLoss => ("blessed loss", Color::Yellow),
        Category::MaybeLoss => ("loss?", Color::Red),
        Category::Loss => ("loss", Color::Red),
    }
}

fn legend(metric: Metric) -> String {
    format!(
        "Best first in {metric}; depths in moves of the winner.\n\
         ° only legal move, \" only move that keeps the value, ' only optimal move."
    )
}
