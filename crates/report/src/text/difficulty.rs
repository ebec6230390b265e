//! How difficult endgames are to win.

use std::io::{self, Write};

use errare_endgame::CurvePoint;
use errare_service::{anchor::Anchor, difficulty::Endgame};

use super::{Text, moves, or_dash, table};

/// Step of c between rows.
const STEP: f64 = 10.0;

impl Text for Vec<Endgame> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let c = |c: Option<f64>| or_dash(c, |c| format!("{c:.2}"));
        let rows = self.iter().map(|endgame| {
            let difficulty = &endgame.difficulty;
            let depth = difficulty.hardest_depth;
            vec![
                difficulty.endgame.to_string(),
                difficulty.deepest.to_string(),
                c(difficulty.c_star),
                or_dash(depth, |depth| depth.to_string()),
                c(difficulty.even_chance),
                c(endgame.risk.even_chance),
            ]
        });
        let head = [
            "endgame",
            "deepest",
            "c*",
            "at depth",
            "even chance",
            "at risk",
        ];
        table(out, head, 1, rows)?;
        writeln!(out)?;
        for endgame in self {
            write_curve(out, endgame)?;
        }
        let moves = self[0].difficulty.moves;
        writeln!(
            out,
            "Expected moves from the deepest wins, and from all wins; in time is within\n\
             {moves} moves. Moves that lose value are never played, except in the columns\n\
             \"at risk\", where they are played as their preference says."
        )
    }
}

fn write_curve(out: &mut dyn Write, endgame: &Endgame) -> io::Result<()> {
    let difficulty = &endgame.difficulty;
    writeln!(out, "{}", difficulty.verdict())?;
    if let Some(anchor) = &endgame.anchor {
        writeln!(out, "c = {}: {}.", anchor.competence, anchor.text)?;
    }
    if let Some(anchor) = &endgame.risk.anchor {
        let Anchor { competence, text } = anchor;
        writeln!(
            out,
            "With value at risk that takes c = {competence}: {text}."
        )?;
    }
    writeln!(out)?;
    let percent = |chance: f64| format!("{:.2} %", 100.0 * chance);
    let shown = |point: &&CurvePoint| point.competence % STEP == 0.0;
    let rows = difficulty.curve.iter().filter(shown).map(|point| {
        let risk = endgame.risk.curve.iter();
        let mut risk = risk.filter(|risk| risk.competence == point.competence);
        let risk = risk.next();
        vec![
            point.competence.to_string(),
            moves(point.expected_moves),
            percent(point.win_within),
            or_dash(risk, |risk| percent(risk.win_within)),
            moves(point.mean_moves),
            percent(point.mean_win_within),
            or_dash(risk, |risk| percent(risk.mean_win_within)),
        ]
    });
    let head = [
        "c",
        "expected moves",
        "in time",
        "at risk",
        "of all wins",
        "in time",
        "at risk",
    ];
    table(out, head, 0, rows)?;
    writeln!(out)?;
    if endgame.hunter.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "Against the infallible player and against the best resistance there is, position\n\
         by position (the table above averages over the positions of a depth)\n"
    )?;
    let rows = endgame.hunter.iter().flat_map(|point| {
        let opponents = [("best", &point.best), ("hunter", &point.hunter)];
        opponents.map(|(name, resisted)| {
            vec![
                point.competence.to_string(),
                name.to_owned(),
                resisted.expected_moves.map_or("too many".to_owned(), moves),
                percent(resisted.win_within),
                resisted.mean_moves.map_or("too many".to_owned(), moves),
                percent(resisted.mean_win_within),
            ]
        })
    });
    let head = [
        "c",
        "against",
        "expected moves",
        "in time",
        "of all wins",
        "in time",
    ];
    table(out, head, 2, rows)?;
    writeln!(out)
}
