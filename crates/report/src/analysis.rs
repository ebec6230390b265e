//! Analysed games, for people and for spreadsheets.

pub mod coach;
pub mod outputs;
pub mod plot;

use std::io::{self, Write};

use errare_core::Mark;
use errare_endgame::{GameAnalysis, MoveReport};
use errare_games::Game;
use errare_service::analyse::AnalyseSettings;

use crate::pgn::Numbering;

/// The moves of the analysed part, marked as in the papers.
pub fn movetext(game: &Game, analysis: &GameAnalysis) -> String {
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

/// What a move lost, with the moves that would have kept it, in the papers' notation.
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

/// The columns of [`Rows`].
const COLUMNS: [&str; 24] = [
    "game",
    "white",
    "black",
    "endgame",
    "ply",
    "move_number",
    "color",
    "player",
    "fen",
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
    "metric",
    "kappa",
    "value",
    "grid",
    "carry",
];

/// Writes moves as CSV, one row each; every row can be used by itself.
pub struct Rows<'a, W: Write> {
    out: csv::Writer<W>,
    settings: &'a AnalyseSettings,
}

impl<'a, W: Write> Rows<'a, W> {
    /// Writes the header.
    pub fn new(out: W, settings: &'a AnalyseSettings) -> io::Result<Rows<'a, W>> {
        let mut out = csv::Writer::from_writer(out);
        out.write_record(COLUMNS)?;
        Ok(Rows { out, settings })
    }

    /// Writes the moves of a game.
    pub fn write(&mut self, analysis: &GameAnalysis) -> io::Result<()> {
        let number = |number: Option<u16>| number.map_or(String::new(), |n| n.to_string());
        let AnalyseSettings {
            model,
            value,
            prior,
            carry,
            ..
        } = self.settings;
        for m in &analysis.moves {
            let player = match m.color {
                errare_core::Colour::White => &analysis.white.name,
                errare_core::Colour::Black => &analysis.black.name,
            };
            self.out.write_record([
                analysis.number.to_string(),
                analysis.white.name.clone(),
                analysis.black.name.clone(),
                m.endgame.clone(),
                m.ply.to_string(),
                m.number.to_string(),
                m.color.to_string(),
                player.clone(),
                m.fen.clone(),
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
                model.metric.to_string(),
                model.kappa.to_string(),
                value.to_string(),
                prior.to_string(),
                carry.to_string(),
            ])?;
        }
        self.out.flush()
    }
}
