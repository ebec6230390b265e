//! Tables: statistics, files, and verification results.

use std::io::{self, Write};

use bytesize::ByteSize;
use comfy_table::{Cell, Color};
use errare_core::{Material, Metric, Moves, Outcome, Plies, grouped};
use errare_service::tables::{
    build::Built,
    list::{TableEntry, TableState},
    verify::{OutcomeBounds, Verified},
};
use errare_tables::{Deepest, Layer, Method, SideStatistics, Statistics};

use super::{Text, or_dash, table};
use crate::words;

/// Tables that were solved together.
impl Text for [Built] {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(first) = self.first() else {
            return Ok(());
        };
        let metrics: Vec<_> = self.iter().map(|table| table.metric.to_string()).collect();
        let bytes = ByteSize(self.iter().map(|table| table.bytes).sum());
        writeln!(
            out,
            "{:<6} {:<11} {:>13} positions  {:>11} in {:.2} s",
            first.endgame,
            metrics.join(" "),
            grouped(first.positions),
            bytes.display().iec().to_string(),
            first.solve.wall + first.write.wall,
        )
    }
}

impl Text for Statistics {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Statistics {
            material,
            metric,
            white,
            black,
        } = self;
        writeln!(out, "{material} in {metric}\n")?;
        let count = |name: &str, count: fn(&SideStatistics) -> u64| {
            vec![
                name.to_owned(),
                grouped(count(white)),
                grouped(count(black)),
            ]
        };
        let deepest = |name: &str,
                       of: fn(&SideStatistics) -> Option<&Deepest>,
                       say: fn(&Deepest) -> String| {
            let cell = |side| or_dash(of(side), say);
            vec![name.to_owned(), cell(white), cell(black)]
        };
        let rows = [
            count("legal", |side| side.legal),
            count("wins", |side| side.wins),
            count("draws", |side| side.draws),
            count("losses", |side| side.losses),
            count("wins up to symmetry", |side| side.unique.wins),
            count("draws up to symmetry", |side| side.unique.draws),
            count("losses up to symmetry", |side| side.unique.losses),
            deepest("deepest win", |side| side.deepest_win.as_ref(), depth),
            deepest(
                "positions as deep",
                |side| side.deepest_win.as_ref(),
                as_deep,
            ),
            deepest("deepest loss", |side| side.deepest_loss.as_ref(), depth),
            deepest(
                "positions as deep",
                |side| side.deepest_loss.as_ref(),
                as_deep,
            ),
        ];
        table(out, ["", "White to move", "Black to move"], 1, rows)?;
        writeln!(
            out,
            "\nMutual zugzwangs up to symmetry: {}",
            grouped(white.mutual_zugzwangs)
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
}

/// "31 moves (61 plies)".
fn depth(deepest: &Deepest) -> String {
    let moves = words::counted(deepest.moves.0.into(), "move", "moves");
    let plies = words::counted(deepest.plies.0.into(), "ply", "plies");
    format!("{moves} ({plies})")
}

fn as_deep(deepest: &Deepest) -> String {
    grouped(deepest.positions)
}

impl Text for Vec<TableEntry> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let endgames = || self.chunk_by(|one, other| one.endgame == other.endgame);
        let rows = endgames().map(|files| {
            let positions = files
                .iter()
                .find_map(|file| Some(file.content.as_ref()?.positions));
            let bytes = files.iter().map(|file| file.bytes).sum();
            let mut row = vec![
                Cell::new(files[0].endgame),
                Cell::new(positions.map_or("?".to_owned(), grouped)),
                Cell::new(words::bytes(bytes)),
            ];
            row.extend(Metric::ALL.map(|metric| depths(files, metric)));
            row
        });
        let head = ["endgame", "positions", "size"].into_iter();
        table(out, head.chain(Metric::ALL.map(Metric::name)), 1, rows)?;
        writeln!(
            out,
            "\n{} for {}, {}. Depths: moves of the deepest win of White / of Black.",
            words::counted(self.len() as u64, "table", "tables"),
            words::counted(endgames().count() as u64, "endgame", "endgames"),
            words::bytes(self.iter().map(|file| file.bytes).sum()),
        )
    }
}

/// The deepest wins of White and Black, as "35/19".
fn depths(files: &[TableEntry], metric: Metric) -> Cell {
    let find = |layer| files.iter().find(|file| file.metric == layer);
    // DTR is useless without DTZ50, where that has a table.
    let dtz50 = find(Layer::Dtz50).filter(|file| metric == Metric::Dtr && file.content.is_none());
    let Some(file) = dtz50.or(find(metric.into())) else {
        return Cell::new("");
    };
    let Some(content) = &file.content else {
        let word = match file.state {
            TableState::Unreadable => "unreadable",
            TableState::Newer => "newer",
            TableState::Good | TableState::Damaged => "damaged",
        };
        return Cell::new(word).fg(Color::Red);
    };
    let moves = |plies: Option<Plies>| {
        let moves = plies.and_then(|plies| Outcome::Win(plies).moves_in(metric));
        or_dash(moves, |Moves(moves)| moves.to_string())
    };
    Cell::new(format!(
        "{}/{}",
        moves(content.white.deepest_win),
        moves(content.black.deepest_win)
    ))
}

/// Writes the result of verifying one table.
pub fn verified(out: &mut dyn Write, endgame: Material, found: &Verified) -> io::Result<()> {
    let metric = found.metric;
    let Some(wrong) = &found.mismatch else {
        let how = match found.method {
            Method::Moves => "recomputed from their moves",
            Method::Levels => "recomputed by levels",
            Method::Bounds => "held between bounds (necessary, not sufficient)",
        };
        let positions = words::counted(found.positions, "position", "positions");
        return writeln!(out, "{endgame} {metric}: right, {positions} {how}");
    };
    writeln!(
        out,
        "{endgame} {metric}: WRONG at {}, or after a move: the table says {}, the moves say {}",
        wrong.fen,
        in_words(&wrong.stored),
        in_words(&wrong.expected),
    )
}

/// "win in 61 plies", "loss in 16 to 17 plies".
fn in_words(said: &OutcomeBounds) -> String {
    let outcome = &said.outcome;
    match (said.least_plies, said.greatest_plies) {
        (Some(least), Some(greatest)) if least == greatest => {
            format!("{outcome} in {least} plies")
        }
        (Some(least), Some(greatest)) => format!("{outcome} in {least} to {greatest} plies"),
        _ => outcome.clone(),
    }
}
