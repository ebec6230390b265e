//! Games with their marks and ceded depth.

use std::io::{self, Write};

use errare_core::Mark;
use errare_endgame::{GameAnalysis, MoveReport};
use errare_games::Game;
use shakmaty::san::SanPlus;

use crate::pgn::{Numbering, write_game};

/// Writes a game with what the tables say in comments.
pub(super) fn write(out: &mut impl Write, game: &Game, analysis: &GameAnalysis) -> io::Result<()> {
    let tags = game
        .tags
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let mut numbering = Numbering::from(&game.start);
    let mut reports = analysis.moves.iter().peekable();
    let mut words = Vec::new();
    for (number, (position, m)) in game.plies().enumerate() {
        words.extend(numbering.next());
        words.push(SanPlus::from_move(position, m).to_string());
        if let Some(report) = reports.next_if(|report| report.ply == number + 1)
            && let Some(comment) = comment(report)
        {
            words.push(format!("{{{comment}}}"));
            numbering.interrupt();
        }
    }
    let result = game.result().unwrap_or("*");
    write_game(out, tags, &words.join(" "), result)
}

/// The moves of the analysed part, marked as in the papers.
pub(super) fn movetext(game: &Game, analysis: &GameAnalysis) -> String {
    let mut numbering = Numbering::from(&game.start);
    let mut reports = analysis.moves.iter().peekable();
    let mut words = Vec::new();
    for (number, _) in game.moves.iter().enumerate() {
        let before = numbering.next();
        let Some(report) = reports.next_if(|report| report.ply == number + 1) else {
            numbering.interrupt();
            continue;
        };
        words.extend(before);
        let mark = report.mark.map_or("", Mark::symbol);
        words.push(format!("{}{mark}", report.san));
        if let Some(slip) = slip(report) {
            words.push(format!("{{{slip}}}"));
            numbering.interrupt();
        }
    }
    words.join(" ")
}

/// What is said of a move: how forced it was, or what it ceded.
fn comment(report: &MoveReport) -> Option<String> {
    let mark = report.mark.map(|mark| mark.symbol().to_owned());
    slip(report).or(mark)
}

/// What a move lost, with the moves that would not have.
fn slip(report: &MoveReport) -> Option<String> {
    let better = report.optimal.join(", ");
    match report.ceded {
        Some(0) => None,
        Some(ceded) => Some(format!("+{ceded}/+{}: {better}", report.total_ceded)),
        None => {
            let value = |value| match value {
                1 => "win",
                0 => "draw",
                _ => "loss",
            };
            let [before, after] = [report.value_before, report.value_after].map(value);
            Some(format!("{before} to {after}: {better}"))
        }
    }
}
