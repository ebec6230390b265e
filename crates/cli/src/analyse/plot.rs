//! Depth and competence move by move, as in figures 5 and 6 of Haworth (2002).

use std::path::Path;

use anyhow::{Result, anyhow};
use errare_endgame::{GameAnalysis, MoveReport};
use plotters::{coord::Shift, prelude::*};
use shakmaty::Color as Side;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 720;
const FONT: (&str, u32) = ("sans-serif", 16);

#[expect(clippy::needless_pass_by_value, reason = "map_err hands it over")]
fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> anyhow::Error {
    anyhow!("{error}")
}

/// Draws a game.
pub(super) fn draw(path: &Path, analysis: &GameAnalysis) -> Result<()> {
    let area = SVGBackend::new(path, (WIDTH, HEIGHT)).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let title = format!(
        "{} - {}  {}",
        or_unknown(&analysis.white.name),
        or_unknown(&analysis.black.name),
        analysis.result.as_deref().unwrap_or("*")
    );
    let area = area.titled(&title, ("sans-serif", 20)).map_err(failed)?;
    let (above, below) = area.split_vertically(HEIGHT / 2 - 16);
    depths(&above, analysis)?;
    competences(&below, analysis)?;
    area.present().map_err(failed)
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

/// The move of a ply, for an axis: Black's moves lie between White's.
fn at(m: &MoveReport) -> f64 {
    (m.ply as f64 + 1.0) / 2.0
}

fn span(analysis: &GameAnalysis) -> std::ops::Range<f64> {
    let first = analysis.moves.first().map_or(0.0, at);
    let last = analysis.moves.last().map_or(1.0, at);
    first..last.max(first + 1.0)
}

fn style(color: Side) -> ShapeStyle {
    match color {
        Side::White => RGBColor(200, 90, 0).stroke_width(2),
        Side::Black => RGBColor(0, 60, 140).stroke_width(2),
    }
}

fn side(color: Side) -> &'static str {
    color.fold_wb("White", "Black")
}

/// The depth after each side's moves.
fn depths(area: &Area<'_>, analysis: &GameAnalysis) -> Result<()> {
    let deepest = analysis.moves.iter().filter_map(|m| m.depth_before).max();
    let ceiling = f64::from(deepest.unwrap_or(0).max(1)) * 1.05;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(span(analysis), 0.0..ceiling)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .label_style(FONT)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .x_desc("move")
        .y_desc("depth after the move")
        .draw()
        .map_err(failed)?;
    for color in Side::ALL {
        let style = style(color);
        // A draw has no depth and breaks the line.
        let moves = analysis.moves.iter().filter(|m| m.color == color);
        let points: Vec<_> = moves.map(|m| (at(m), m.depth_after)).collect();
        let name = format!("after {}", side(color));
        let mut named = false;
        for stretch in points.split(|(_, depth)| depth.is_none()) {
            let line = stretch
                .iter()
                .filter_map(|&(x, y)| Some((x, f64::from(y?))));
            let drawn = chart
                .draw_series(LineSeries::new(line, style))
                .map_err(failed)?;
            if !named {
                named = true;
                drawn
                    .label(&name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
            }
        }
    }
    let mut labels = chart.configure_series_labels();
    labels
        .position(SeriesLabelPosition::UpperRight)
        .label_font(FONT);
    labels
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()
        .map_err(failed)
}

/// The mean and the credible interval of each side's apparent competence.
fn competences(area: &Area<'_>, analysis: &GameAnalysis) -> Result<()> {
    let intervals = analysis.moves.iter().filter_map(|m| m.competence_interval);
    let ceiling = intervals.map(|interval| interval[1]).fold(1.0, f64::max) * 1.05;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(span(analysis), 0.0..ceiling)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .label_style(FONT)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0}"))
        .x_desc("move")
        .y_desc("apparent competence c, 95 %")
        .draw()
        .map_err(failed)?;
    for color in Side::ALL {
        let style = style(color);
        let moves = || analysis.moves.iter().filter(|m| m.color == color);
        let bound =
            |end: usize| moves().filter_map(move |m| Some((at(m), m.competence_interval?[end])));
        let mut band: Vec<_> = bound(0).collect();
        band.extend(bound(1).collect::<Vec<_>>().into_iter().rev());
        if band.is_empty() {
            continue;
        }
        let fill = style.color.mix(0.15).filled();
        chart
            .draw_series([Polygon::new(band, fill)])
            .map_err(failed)?;
        let mean = moves().filter_map(|m| Some((at(m), m.competence?)));
        chart
            .draw_series(LineSeries::new(mean, style))
            .map_err(failed)?
            .label(side(color))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    let mut labels = chart.configure_series_labels();
    labels
        .position(SeriesLabelPosition::UpperRight)
        .label_font(FONT);
    labels
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()
        .map_err(failed)
}
