//! Games analysed, for people and for spreadsheets.

use std::io::{self, Write};

use anstyle::Style;
use errare_endgame::{GameAnalysis, PlayerReport};
use errare_games::Game;

use super::pgn;
use crate::{output, pgn::wrap};

/// Writes a game: who played, how competently in each phase, and the moves. What was carried over from
/// earlier games counts in the whole, not in phases.
pub(super) fn write(
    out: &mut impl Write,
    game: &Game,
    analysis: &GameAnalysis,
    carried: bool,
) -> io::Result<()> {
    let bold = Style::new().bold();
    let name = |player: &PlayerReport| match player.name.as_str() {
        "" => "?".to_owned(),
        name => name.to_owned(),
    };
    writeln!(
        out,
        "{bold}Game {}: {} - {}  {}{bold:#}\n",
        analysis.number,
        name(&analysis.white),
        name(&analysis.black),
        analysis.result.as_deref().unwrap_or("*")
    )?;
    let mut table = output::table([
        "endgame",
        "player",
        "moves",
        "ceded",
        "value lost",
        "competence",
        "95 %",
    ]);
    for phase in &analysis.phases {
        for (color, player) in [("White", &phase.white), ("Black", &phase.black)] {
            table.add_row(row(&phase.endgame, color, player));
        }
    }
    if analysis.phases.len() > 1 || carried {
        let whole = if carried { "so far" } else { "all" };
        for (color, player) in [("White", &analysis.white), ("Black", &analysis.black)] {
            table.add_row(row(whole, color, player));
        }
    }
    output::numbers_from(&mut table, 2);
    writeln!(out, "{}\n", table.trim_fmt())?;
    writeln!(out, "{}\n", wrap(&pgn::movetext(game, analysis)))
}

fn row(endgame: &str, color: &str, player: &PlayerReport) -> Vec<String> {
    let [competence, interval] = match player.competence {
        Some(estimate) => [
            format!("{:.2} ± {:.2}", estimate.mean, estimate.sd),
            format!("{:.1} - {:.1}", estimate.low, estimate.high),
        ],
        None if player.moves == 0 => ["-".to_owned(), "-".to_owned()],
        None if player.faultless => ["no error seen".to_owned(), "-".to_owned()],
        None => ["no depth ceded".to_owned(), "-".to_owned()],
    };
    vec![
        endgame.to_owned(),
        color.to_owned(),
        player.moves.to_string(),
        player.ceded.to_string(),
        player.value_losses.to_string(),
        competence,
        interval,
    ]
}

/// Writes one row a move.
pub(super) fn csv(out: impl Write, analysed: &[(&Game, GameAnalysis)]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "game",
        "ply",
        "color",
        "san",
        "mark",
        "value_before",
        "value_after",
        "depth_before",
        "depth_after",
        "ceded",
        "total_ceded",
        "optimal",
        "competence",
    ])?;
    let number = |number: Option<u16>| number.map_or(String::new(), |n| n.to_string());
    for (_, analysis) in analysed {
        for m in &analysis.moves {
            writer.write_record([
                analysis.number.to_string(),
                m.ply.to_string(),
                m.color.char().to_string(),
                m.san.clone(),
                m.mark.map_or(String::new(), |mark| mark.to_string()),
                m.value_before.to_string(),
                m.value_after.to_string(),
                number(m.depth_before),
                number(m.depth_after),
                number(m.ceded),
                m.total_ceded.to_string(),
                m.optimal.join(" "),
                m.competence.map_or(String::new(), |c| c.to_string()),
            ])?;
        }
    }
    writer.flush()
}
