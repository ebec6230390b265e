//! Depth and competence move by move, as in figures 5 and 6 of Haworth (2002).

use std::path::Path;

use anyhow::Result;
use errare_endgame::{GameAnalysis, MoveReport};
use shakmaty::Color;

use crate::{
    curves::{self, Curve, Panel},
    words,
};

/// Draws a game.
pub(super) fn draw(path: &Path, analysis: &GameAnalysis) -> Result<()> {
    let name = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
    let (white, black) = (name(&analysis.white.name), name(&analysis.black.name));
    let result = analysis.result.as_deref().unwrap_or("*");
    let panel = |title, y, curve: fn(&GameAnalysis, Color) -> Curve| Panel {
        title,
        x: "move",
        steps: Vec::new(),
        y,
        logarithmic: false,
        curves: Color::ALL
            .map(|color| curve(analysis, color))
            .into_iter()
            .filter(|curve| !curve.points.is_empty())
            .collect(),
    };
    let depths = panel(
        format!("{white} - {black}  {result}"),
        "depth after the move",
        depths,
    );
    let competences = panel(
        "Apparent competence, with its 95 % interval".to_owned(),
        "c",
        competences,
    );
    curves::draw(path, &[depths, competences])
}

/// The move of a ply, for an axis: Black's moves lie between White's.
fn at(m: &MoveReport) -> f64 {
    (m.ply as f64 + 1.0) / 2.0
}

fn moves(analysis: &GameAnalysis, color: Color) -> impl Iterator<Item = &MoveReport> {
    analysis.moves.iter().filter(move |m| m.color == color)
}

/// The depth after a side's moves; a draw has none.
fn depths(analysis: &GameAnalysis, color: Color) -> Curve {
    let depth = |m: &MoveReport| (at(m), m.depth_after.map_or(f64::NAN, f64::from));
    Curve {
        name: format!("after {}", words::side(color)),
        points: moves(analysis, color).map(depth).collect(),
        ..Curve::default()
    }
}

/// A side's apparent competence.
fn competences(analysis: &GameAnalysis, color: Color) -> Curve {
    let mean = |m: &MoveReport| Some((at(m), m.competence?));
    let interval = |m: &MoveReport| Some((at(m), m.competence_interval?));
    Curve {
        name: words::side(color).to_owned(),
        points: moves(analysis, color).filter_map(mean).collect(),
        band: moves(analysis, color).filter_map(interval).collect(),
    }
}
