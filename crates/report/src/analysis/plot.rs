//! Depth and competence move by move, as in figures 5 and 6 of Haworth (2002).

use errare_core::{Colour, Metric};
use errare_endgame::{GameAnalysis, MoveReport};

use crate::plot::{DrawError, PlotCurve, PlotMark, PlotPanel, PlotShape, svg};

/// Draws a game as SVG.
///
/// Top: the distance to the win after each move, White's wins upward and Black's downward, draws at 0; slips, lost
/// results and conversions are marked. Bottom: the apparent competence of both sides with its 95 % interval.
pub fn draw(analysis: &GameAnalysis, metric: Metric) -> Result<String, DrawError> {
    svg(&[depths(analysis, metric), competences(analysis)])
}

fn name(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// The move number of a ply on the axis: Black's moves lie between White's.
fn at(m: &MoveReport) -> f64 {
    let half = if m.color == Colour::White { 0.0 } else { 0.5 };
    f64::from(m.number) + half
}

/// The distance to the win after a move: positive if White wins, negative if Black does.
fn signed(m: &MoveReport) -> f64 {
    let side = if m.color == Colour::White { 1.0 } else { -1.0 };
    f64::from(m.value_after) * side * m.depth_after.map_or(0.0, f64::from)
}

fn depths(analysis: &GameAnalysis, metric: Metric) -> PlotPanel {
    let moves = &analysis.moves;
    let to = match metric {
        Metric::Dtm => "moves to mate (dtm)",
        Metric::Dtc => "moves to mate or conversion (dtc)",
        Metric::Dtz => "moves to a zeroing move (dtz)",
        Metric::Dtr => "moves by the rule (dtr)",
    };
    let wins = |sign: f64| moves.iter().any(|m| signed(m) * sign > 0.0);
    let who = match (wins(1.0), wins(-1.0)) {
        (true, true) => "White wins above, Black below",
        (true, false) => "White wins",
        (false, true) => "Black wins",
        (false, false) => "drawn throughout",
    };
    let marked = |name: &str, shape, test: &dyn Fn(&MoveReport) -> bool| PlotMark {
        name: name.to_owned(),
        shape,
        points: moves
            .iter()
            .filter(|m| test(m))
            .map(|m| (at(m), signed(m)))
            .collect(),
    };
    let slip = |m: &MoveReport| m.ceded.is_some_and(|ceded| ceded > 0);
    let converts = |m: &MoveReport| m.depth_after == Some(0);
    let stages = analysis.phases.iter().filter_map(|phase| {
        let first = moves.iter().find(|m| m.ply == phase.first_ply)?;
        Some((at(first), phase.endgame.clone()))
    });
    PlotPanel {
        title: format!(
            "{} - {}  {}: {who}",
            name(&analysis.white.name),
            name(&analysis.black.name),
            analysis.result.as_deref().unwrap_or("*")
        ),
        x: "move".to_owned(),
        y: to.to_owned(),
        two_sided: true,
        curves: vec![PlotCurve {
            name: "depth after the move".to_owned(),
            points: moves.iter().map(|m| (at(m), signed(m))).collect(),
            ..PlotCurve::default()
        }],
        marks: vec![
            marked("White slips", PlotShape::Triangle, &|m| {
                slip(m) && m.color == Colour::White
            }),
            marked("Black slips", PlotShape::Triangle, &|m| {
                slip(m) && m.color == Colour::Black
            }),
            marked("result lost", PlotShape::Cross, &|m| m.ceded.is_none()),
            marked("conversion or mate", PlotShape::Ring, &converts),
        ],
        stages: stages.collect(),
        ..PlotPanel::default()
    }
}

fn competences(analysis: &GameAnalysis) -> PlotPanel {
    let curve = |color: Colour| {
        let moves = || analysis.moves.iter().filter(move |m| m.color == color);
        let mean = |m: &MoveReport| Some((at(m), m.competence?));
        let interval = |m: &MoveReport| Some((at(m), m.competence_interval?));
        let side = match color {
            Colour::White => &analysis.white,
            Colour::Black => &analysis.black,
        };
        PlotCurve {
            name: format!("{} ({color})", name(&side.name)),
            points: moves().filter_map(mean).collect(),
            band: moves().filter_map(interval).collect(),
        }
    };
    PlotPanel {
        title: "Apparent competence with its 95 % interval".to_owned(),
        x: "move".to_owned(),
        y: "c".to_owned(),
        curves: [Colour::White, Colour::Black]
            .map(curve)
            .into_iter()
            .filter(|curve| !curve.points.is_empty())
            .collect(),
        ..PlotPanel::default()
    }
}
