//! Drawing curves as SVG, one panel beneath the other, to be read in print.

use std::{ops::Range, path::Path};

use anyhow::{Result, anyhow};
use plotters::{
    coord::ranged1d::{AsRangedCoord, ValueFormatter},
    prelude::*,
};

use crate::files;

/// A panel: axes and curves.
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: &'static str,
    /// What stands at 0, 1, 2 ... of the horizontal axis, if not numbers.
    pub(crate) steps: Vec<String>,
    pub(crate) y: &'static str,
    /// Whether the vertical axis is logarithmic; then all values are positive.
    pub(crate) logarithmic: bool,
    pub(crate) curves: Vec<Curve>,
}

/// A curve. A point that is not a number breaks it.
#[derive(Default)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// What is shaded around it: x, least and greatest y.
    pub(crate) band: Vec<(f64, [f64; 2])>,
}

impl Curve {
    /// All points that axes have to hold.
    fn extent(&self) -> impl Iterator<Item = (f64, f64)> {
        let band = self.band.iter().flat_map(|&(x, ys)| ys.map(|y| (x, y)));
        self.points.iter().copied().chain(band)
    }
}

/// Labels of an axis at most: more could not be read.
const MOST_LABELS: usize = 12;
const WIDTH: u32 = 900;
const HEIGHT: u32 = 480;
/// More curves could not be told apart.
pub(crate) const MOST_CURVES: usize = 6;
/// Colours that stay apart and dark enough in print.
const COLORS: [RGBColor; MOST_CURVES] = [
    RGBColor(200, 90, 0),
    RGBColor(0, 60, 140),
    RGBColor(0, 120, 70),
    RGBColor(150, 0, 90),
    RGBColor(90, 90, 90),
    RGBColor(120, 80, 20),
];
/// Curves are told apart in black and white too: by dashes.
const DASHES: [(i32, i32); 4] = [(0, 0), (8, 4), (3, 3), (12, 3)];

/// Draws panels, beneath each other.
pub(crate) fn draw(path: &Path, panels: &[Panel]) -> Result<()> {
    files::write(
        path,
        &svg(panels).map_err(|error| anyhow!("cannot draw: {error}"))?,
    )
}

fn svg(panels: &[Panel]) -> Result<String, String> {
    let mut svg = String::new();
    let height = HEIGHT * panels.len() as u32;
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    let text = |error: DrawingAreaErrorKind<_>| error.to_string();
    area.fill(&WHITE).map_err(text)?;
    for (area, panel) in area.split_evenly((panels.len(), 1)).iter().zip(panels) {
        let (xs, ys) = (range(panel, |point| point.0), range(panel, |point| point.1));
        let drawn = if panel.logarithmic {
            draw_panel(
                area,
                panel,
                xs,
                ((ys.start / 1.2).max(1e-9)..ys.end * 1.2).log_scale(),
            )
        } else {
            draw_panel(area, panel, xs, 0.0..ys.end * 1.05)
        };
        drawn?;
    }
    area.present().map_err(text)?;
    drop(area);
    Ok(svg)
}

/// From the least to the greatest coordinate; never empty.
fn range(panel: &Panel, coordinate: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
    let all = || {
        panel
            .curves
            .iter()
            .flat_map(Curve::extent)
            .map(|point| coordinate(&point))
    };
    let (least, greatest) = (
        all().fold(f64::MAX, f64::min),
        all().fold(f64::MIN, f64::max),
    );
    match () {
        () if least > greatest => 0.0..1.0,
        () if least == greatest => least..least + 1.0,
        () => least..greatest,
    }
}

/// What stands at a place of the axis, if it is one of the steps.
fn step(steps: &[String], at: f64) -> String {
    let nearest = at.round();
    let step = steps
        .get(nearest as usize)
        .filter(|_| (at - nearest).abs() < 1e-9);
    step.cloned().unwrap_or_default()
}

fn draw_panel<Y>(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    panel: &Panel,
    xs: Range<f64>,
    ys: Y,
) -> Result<(), String>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let text = |error: DrawingAreaErrorKind<_>| error.to_string();
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        // The last label may be a word.
        .margin_right(if panel.steps.is_empty() { 16 } else { 48 })
        .caption(&panel.title, ("sans-serif", 20))
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(xs, ys)
        .map_err(text)?;
    let number = |number: &f64| match number.abs() {
        1e5.. => format!("{number:.0e}"),
        2.0.. | 0.0 => format!("{number:.0}"),
        _ => format!("{number:.2}"),
    };
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(panel.x)
        .y_desc(panel.y)
        .label_style(("sans-serif", 14))
        .x_labels(match panel.steps.len() {
            0 => MOST_LABELS,
            steps => steps.min(MOST_LABELS),
        })
        .x_label_formatter(&|at| match panel.steps[..] {
            [] => number(at),
            _ => step(&panel.steps, *at),
        })
        .y_label_formatter(&number)
        .draw()
        .map_err(text)?;
    for (number, curve) in panel.curves.iter().enumerate() {
        let style = COLORS[number % COLORS.len()].stroke_width(2);
        let edge = |end: usize| curve.band.iter().map(move |&(x, ys)| (x, ys[end]));
        let band: Vec<_> = edge(0).chain(edge(1).rev()).collect();
        let shade = style.color.mix(0.15).filled();
        chart
            .draw_series([Polygon::new(band, shade)])
            .map_err(text)?;
        let stretches = curve.points.split(|point| point.1.is_nan());
        for (first, stretch) in stretches.enumerate() {
            let points = stretch.iter().copied();
            let drawn = match DASHES[number % DASHES.len()] {
                (0, _) => chart.draw_series(LineSeries::new(points, style)),
                (size, gap) => chart.draw_series(DashedLineSeries::new(points, size, gap, style)),
            };
            let drawn = drawn.map_err(text)?;
            if first == 0 {
                drawn
                    .label(curve.name.as_str())
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
            }
        }
    }
    // Away from where curves end.
    let rises =
        |curve: &Curve| curve.points.first().map(|p| p.1) < curve.points.last().map(|p| p.1);
    let corner = match panel.curves.iter().any(rises) {
        true => SeriesLabelPosition::UpperLeft,
        false => SeriesLabelPosition::UpperRight,
    };
    chart
        .configure_series_labels()
        .position(corner)
        .label_font(("sans-serif", 14))
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()
        .map_err(text)
}
