//! The verdict on a position and its moves.

use std::io::{self, Write};

use anstyle::Style;
use comfy_table::{Cell, Color};
use errare_core::{Metric, Moves};
use errare_service::probe::{Answer, ProbedMove};
use errare_tables::{Authority, Category};
use shakmaty::{Chess, Position};

use super::{or_dash, table};
use crate::{board, words};

/// Writes the board, the outcome in words and a table of the moves.
pub fn probe(out: &mut dyn Write, position: &Chess, verdict: &Answer) -> io::Result<()> {
    let (turn, clock) = (position.turn(), position.halfmoves());
    let bold = Style::new().bold();
    writeln!(
        out,
        "{}",
        board::draw(position.board(), errare_core::Colour::White, false)
    )?;
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
        writeln!(out, "From Syzygy tables, which only know dtz")?;
    }
    if !verdict.moves.is_empty() {
        writeln!(out)?;
        let metrics = Metric::ALL.map(Metric::name);
        let header = ["move", "result"]
            .into_iter()
            .chain(metrics)
            .chain(["ceded"]);
        table(out, header, 2, verdict.moves.iter().map(row))?;
        writeln!(out, "\n{}", legend(verdict.metric))?;
        if verdict.moves.iter().any(|m| m.dtr_at_most.is_some()) {
            writeln!(
                out,
                "~ lower bound of dtr: the exact value would take too long."
            )?;
        }
        if !verdict.certain {
            writeln!(
                out,
                "Time ran out before it was certain which move is best."
            )?;
        }
    }
    Ok(())
}

/// A move with its depths in moves of the winner.
fn row(m: &ProbedMove) -> Vec<Cell> {
    let mark = m.mark.map_or("", |mark| mark.symbol());
    let (result, color) = result(m.after.category.reversed());
    let number = |moves: Option<Moves>| Cell::new(or_dash(moves, |n| n.to_string()));
    let mut row = vec![
        Cell::new(format!("{}{mark}", m.san)),
        Cell::new(result).fg(color),
    ];
    row.extend(Metric::ALL.map(|metric| match m.through.get(metric) {
        Some(moves) if metric == Metric::Dtr && m.dtr_at_most.is_some() => {
            Cell::new(format!("~{moves}"))
        }
        moves => number(moves),
    }));
    row.push(number(m.ceded));
    row
}

/// The result of a move for the side that makes it.
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
