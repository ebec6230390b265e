//! Drawing curves of probabilities as SVG.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// One curve, with a value for every label of the axis.
pub(super) struct Curve<'a> {
    pub(super) name: &'a str,
    pub(super) values: &'a [f64],
}

/// More curves could not be told apart.
const MOST_CURVES: usize = 8;
/// More labels could not be read.
const MOST_LABELS: usize = 12;

/// Draws the curves that reach highest.
pub(super) fn draw(path: &Path, axis: &str, labels: &[String], curves: &[Curve<'_>]) -> Result<()> {
    let top = |curve: &Curve<'_>| curve.values.iter().copied().fold(0.0, f64::max);
    let mut highest: Vec<&Curve<'_>> = curves.iter().collect();
    highest.sort_by(|a, b| top(b).total_cmp(&top(a)));
    highest.truncate(MOST_CURVES);
    let ceiling = highest.iter().map(|curve| top(curve)).fold(0.0, f64::max) * 1.05;
    let failed = |error: DrawingAreaErrorKind<_>| anyhow!("{error}");

    let area = SVGBackend::new(path, (800, 480)).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..(labels.len() - 1).max(1) as f64, 0.0..ceiling)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(axis)
        .y_desc("probability")
        .x_labels(labels.len().min(MOST_LABELS))
        .x_label_formatter(&|at| label(labels, *at))
        .draw()
        .map_err(failed)?;
    for (number, curve) in highest.into_iter().enumerate() {
        let style = Palette99::pick(number).stroke_width(2);
        let points = curve
            .values
            .iter()
            .enumerate()
            .map(|(step, value)| (step as f64, *value));
        chart
            .draw_series(LineSeries::new(points, style))
            .map_err(failed)?
            .label(curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()
        .map_err(failed)?;
    area.present().map_err(failed)
}

/// The label of a place on the axis, if it is one of the steps.
fn label(labels: &[String], at: f64) -> String {
    let step = at.round();
    let label = labels
        .get(step as usize)
        .filter(|_| (at - step).abs() < 1e-9);
    label.cloned().unwrap_or_default()
}
