//! Dots with error bars, drawn as SVG, for files and pages.

use anyhow::{Result, anyhow};
use plotters::{coord::Shift, prelude::*};

/// A value with its interval, and what it is compared with.
pub(crate) struct Dot {
    pub(crate) x: f64,
    pub(crate) low: f64,
    pub(crate) value: f64,
    pub(crate) high: f64,
    pub(crate) projected: Option<f64>,
}

/// Dots over one axis.
pub(crate) struct Panel<'a> {
    pub(crate) x: &'a str,
    pub(crate) y: &'a str,
    pub(crate) dots: Vec<Dot>,
    /// Values that are marked by a line across.
    pub(crate) levels: Vec<f64>,
}

const WIDTH: u32 = 800;
const HEIGHT: u32 = 300;
/// Labels of an axis at most.
const MOST_LABELS: usize = 11;
const COMPARED: RGBColor = RGBColor(170, 60, 0);

/// Draws panels one below the other; those without dots are left out.
pub(crate) fn svg(panels: &[Panel]) -> Result<String> {
    let panels: Vec<&Panel> = panels
        .iter()
        .filter(|panel| !panel.dots.is_empty())
        .collect();
    let mut text = String::new();
    let rows = panels.len().max(1);
    {
        let size = (WIDTH, HEIGHT * rows as u32);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let failed = |error: DrawingAreaErrorKind<_>| anyhow!("cannot draw: {error}");
        area.fill(&WHITE).map_err(failed)?;
        for (part, panel) in area.split_evenly((rows, 1)).iter().zip(panels) {
            draw(part, panel).map_err(failed)?;
        }
        area.present().map_err(failed)?;
    }
    Ok(text)
}

fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    panel: &Panel,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let dots = &panel.dots;
    let [left, right] = ends(dots.iter().map(|dot| dot.x));
    let compared = dots.iter().filter_map(|dot| dot.projected);
    let bars = dots.iter().flat_map(|dot| [dot.low, dot.value, dot.high]);
    let [low, high] = ends(bars.chain(compared).chain(panel.levels.iter().copied()));
    let (aside, above) = (room(left, right), room(low, high));
    let (left, right) = (left - aside, right + aside);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(left..right, low - above..high + above)?;
    // Between whole numbers, as those of games, there is nothing to be labelled.
    let whole = dots.iter().all(|dot| dot.x.fract() == 0.0);
    let labels = if whole {
        (right - left) as usize
    } else {
        MOST_LABELS
    };
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(labels.clamp(1, MOST_LABELS))
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .x_desc(panel.x)
        .y_desc(panel.y)
        .draw()?;
    let across = panel
        .levels
        .iter()
        .map(|&level| PathElement::new([(left, level), (right, level)], COMPARED.stroke_width(1)));
    chart.draw_series(across)?;
    let bars = dots
        .iter()
        .map(|dot| PathElement::new([(dot.x, dot.low), (dot.x, dot.high)], BLACK.stroke_width(2)));
    chart.draw_series(bars)?;
    let circle = |dot: &Dot| Circle::new((dot.x, dot.value), 4, BLACK.filled());
    chart.draw_series(dots.iter().map(circle))?;
    let line = dots.iter().filter_map(|dot| Some((dot.x, dot.projected?)));
    let mut line: Vec<(f64, f64)> = line.collect();
    line.sort_by(|a, b| a.0.total_cmp(&b.0));
    chart.draw_series(LineSeries::new(line, COMPARED.stroke_width(2)))?;
    Ok(())
}

/// "6", "0.25".
fn number(number: &f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

/// Some space beside what is drawn.
fn room(low: f64, high: f64) -> f64 {
    if high > low {
        0.05 * (high - low)
    } else {
        0.5 * high.abs().max(1e-6)
    }
}
