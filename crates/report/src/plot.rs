//! SVG plots, panels below each other, legible on paper as well.
//!
//! Panels share their horizontal axis. The legend is between title and axes, so that it covers no data; curves differ in
//! colour and dashes, marks in colour and shape.

use std::ops::Range;

use plotters::{
    coord::{
        Shift,
        ranged1d::{AsRangedCoord, ValueFormatter},
    },
    element::{DashedPathElement, DynElement},
    prelude::*,
};

/// A panel: axes, curves and marks.
#[derive(Debug, Clone, Default)]
pub struct PlotPanel {
    /// The title.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// Labels for 0, 1, 2 ... on the horizontal axis, instead of numbers.
    pub steps: Vec<String>,
    /// The label of the vertical axis.
    pub y: String,
    /// Is the vertical axis logarithmic? Then all values must be positive.
    pub logarithmic: bool,
    /// Do values below 0 belong to the other side? They are labelled without a sign.
    pub two_sided: bool,
    /// The curves.
    pub curves: Vec<PlotCurve>,
    /// Marked points.
    pub marks: Vec<PlotMark>,
    /// Positions on the horizontal axis where a stage begins, with its name.
    pub stages: Vec<(f64, String)>,
}

/// A curve. NaN breaks it.
#[derive(Debug, Clone, Default)]
pub struct PlotCurve {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// The shaded band around it: x, lowest and highest y.
    pub band: Vec<(f64, [f64; 2])>,
}

/// Marked points of one kind.
#[derive(Debug, Clone)]
pub struct PlotMark {
    /// Their name.
    pub name: String,
    /// Their shape.
    pub shape: PlotShape,
    /// Their positions.
    pub points: Vec<(f64, f64)>,
}

/// The shape of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotShape {
    /// A triangle.
    Triangle,
    /// A cross.
    Cross,
    /// A ring.
    Ring,
}

impl PlotCurve {
    /// All points that the axes must include.
    fn extent(&self) -> impl Iterator<Item = (f64, f64)> {
        let band = self.band.iter().flat_map(|&(x, ys)| ys.map(|y| (x, y)));
        self.points.iter().copied().chain(band)
    }
}

/// Maximum number of labels on an axis; more would be illegible.
const MOST_LABELS: usize = 12;
const WIDTH: u32 = 900;
const HEIGHT: u32 = 480;
/// The height of title and legend.
const HEAD: u32 = 64;
/// Maximum number of curves; more could not be told apart.
pub(crate) const MOST_CURVES: usize = 6;
/// Colours that remain distinct and dark enough in print.
const COLORS: [RGBColor; MOST_CURVES] = [
    RGBColor(200, 90, 0),
    RGBColor(0, 60, 140),
    RGBColor(0, 120, 70),
    RGBColor(150, 0, 90),
    RGBColor(90, 90, 90),
    RGBColor(120, 80, 20),
];
/// Dashes that distinguish curves in black and white.
const DASHES: [(i32, i32); 4] = [(0, 0), (8, 4), (3, 3), (12, 3)];
/// The approximate width of a letter of the legend.
const LETTER: i32 = 7;
const STAGE: RGBColor = RGBColor(120, 120, 120);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A drawing failed, which indicates a bug.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw: {0}")]
pub struct DrawError(String);

fn failed(error: impl std::fmt::Display) -> DrawError {
    DrawError(error.to_string())
}

/// Draws panels below each other.
pub fn svg(panels: &[PlotPanel]) -> Result<String, DrawError> {
    let mut svg = String::new();
    let height = HEIGHT * panels.len() as u32;
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let xs = range(panels.iter().flat_map(extent).map(|point| point.0));
    for (area, panel) in area.split_evenly((panels.len(), 1)).iter().zip(panels) {
        let (head, body) = area.split_vertically(HEAD);
        draw_head(&head, panel)?;
        let ys = range(extent(panel).map(|point| point.1));
        if panel.logarithmic {
            let ys = ((ys.start / 1.2).max(1e-9)..ys.end * 1.2).log_scale();
            draw_body(&body, panel, xs.clone(), ys)?;
        } else {
            let room = 0.05 * (ys.end - ys.start.min(0.0));
            let low = if ys.start < 0.0 { ys.start - room } else { 0.0 };
            draw_body(&body, panel, xs.clone(), low..ys.end.max(0.0) + room)?;
        }
    }
    area.present().map_err(failed)?;
    drop(area);
    Ok(svg)
}

/// All points that the axes must include.
fn extent(panel: &PlotPanel) -> impl Iterator<Item = (f64, f64)> {
    let marks = panel
        .marks
        .iter()
        .flat_map(|mark| mark.points.iter().copied());
    panel.curves.iter().flat_map(PlotCurve::extent).chain(marks)
}

/// The range of values; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let [least, greatest] = values
        .filter(|value| value.is_finite())
        .fold([f64::MAX, f64::MIN], |[least, greatest], value| {
            [least.min(value), greatest.max(value)]
        });
    match () {
        () if least > greatest => 0.0..1.0,
        () if least == greatest => least..least + 1.0,
        () => least..greatest,
    }
}

/// The label at a position of the axis, if it is one of the steps.
fn step(steps: &[String], at: f64) -> String {
    let nearest = at.round();
    let step = steps
        .get(nearest as usize)
        .filter(|_| (at - nearest).abs() < 1e-9);
    step.cloned().unwrap_or_default()
}

fn color(number: usize) -> RGBColor {
    COLORS[number % COLORS.len()]
}

/// Draws the title and, below it, the legend.
fn draw_head(area: &Area<'_>, panel: &PlotPanel) -> Result<(), DrawError> {
    let title = TextStyle::from(("sans-serif", 20).into_font()).color(&BLACK);
    area.draw(&Text::new(panel.title.clone(), (88, 12), title))
        .map_err(failed)?;
    let label = TextStyle::from(("sans-serif", 14).into_font()).color(&BLACK);
    let mut x = 88;
    let y = 50;
    let write = |name: &str, x: &mut i32| -> Result<(), DrawError> {
        area.draw(&Text::new(name.to_owned(), (*x + 26, y - 7), label.clone()))
            .map_err(failed)?;
        *x += 26 + LETTER * name.chars().count() as i32 + 24;
        Ok(())
    };
    for (number, curve) in panel.curves.iter().enumerate() {
        let style = color(number).stroke_width(2);
        let line = [(x, y), (x + 20, y)];
        match DASHES[number % DASHES.len()] {
            (0, _) => area.draw(&PathElement::new(line, style)),
            (size, gap) => area.draw(&DashedPathElement::new(line, size, gap, style)),
        }
        .map_err(failed)?;
        write(&curve.name, &mut x)?;
    }
    let curves = panel.curves.len();
    for (number, mark) in panel.marks.iter().enumerate() {
        if mark.points.is_empty() {
            continue;
        }
        draw_mark(mark.shape, color(curves + number), (x + 12, y), |element| {
            area.draw(&element).map_err(failed)
        })?;
        write(&mark.name, &mut x)?;
    }
    Ok(())
}

/// Passes the element of a mark to `draw`.
fn draw_mark<D: DrawingBackend, C: Clone + 'static>(
    shape: PlotShape,
    color: RGBColor,
    at: C,
    draw: impl FnOnce(DynElement<'static, D, C>) -> Result<(), DrawError>,
) -> Result<(), DrawError> {
    draw(match shape {
        PlotShape::Triangle => TriangleMarker::new(at, 6, color.filled()).into_dyn(),
        PlotShape::Cross => Cross::new(at, 6, color.stroke_width(3)).into_dyn(),
        PlotShape::Ring => Circle::new(at, 6, color.stroke_width(2)).into_dyn(),
    })
}

fn draw_body<Y>(area: &Area<'_>, panel: &PlotPanel, xs: Range<f64>, ys: Y) -> Result<(), DrawError>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .margin_top(if panel.stages.is_empty() { 4 } else { 20 })
        // The last label may be a word.
        .margin_right(if panel.steps.is_empty() { 16 } else { 48 })
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(xs, ys)
        .map_err(failed)?;
    let number = |number: f64| match number.abs() {
        1e5.. => format!("{number:.0e}"),
        2.0.. | 0.0 => format!("{number:.0}"),
        _ => format!("{number:.2}"),
    };
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(panel.x.as_str())
        .y_desc(panel.y.as_str())
        .label_style(("sans-serif", 14))
        .x_labels(match panel.steps.len() {
            0 => MOST_LABELS,
            steps => steps.min(MOST_LABELS),
        })
        .x_label_formatter(&|at| match panel.steps[..] {
            [] => number(*at),
            _ => step(&panel.steps, *at),
        })
        .y_label_formatter(&|at| number(if panel.two_sided { at.abs() } else { *at }))
        .draw()
        .map_err(failed)?;
    let ends = chart.plotting_area().get_y_range();
    for (x, name) in &panel.stages {
        let line = [(*x, ends.start), (*x, ends.end)];
        let style = STAGE.stroke_width(1);
        chart
            .draw_series([DashedPathElement::new(line, 2, 4, style)])
            .map_err(failed)?;
        let label = TextStyle::from(("sans-serif", 13).into_font()).color(&STAGE);
        let above = EmptyElement::at((*x, ends.end)) + Text::new(name.clone(), (2, -15), label);
        chart.draw_series([above]).map_err(failed)?;
    }
    for (number, curve) in panel.curves.iter().enumerate() {
        let style = color(number).stroke_width(2);
        let edge = |end: usize| curve.band.iter().map(move |&(x, ys)| (x, ys[end]));
        let band: Vec<_> = edge(0).chain(edge(1).rev()).collect();
        let shade = style.color.mix(0.15).filled();
        chart
            .draw_series([Polygon::new(band, shade)])
            .map_err(failed)?;
        for stretch in curve.points.split(|point| point.1.is_nan()) {
            let points = stretch.iter().copied();
            match DASHES[number % DASHES.len()] {
                (0, _) => chart.draw_series(LineSeries::new(points, style)),
                (size, gap) => chart.draw_series(DashedLineSeries::new(points, size, gap, style)),
            }
            .map_err(failed)?;
        }
    }
    let curves = panel.curves.len();
    for (number, mark) in panel.marks.iter().enumerate() {
        for &at in &mark.points {
            draw_mark(mark.shape, color(curves + number), at, |element| {
                chart.draw_series([element]).map(|_| ()).map_err(failed)
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> PlotPanel {
        PlotPanel {
            title: "Depth".to_owned(),
            x: "move".to_owned(),
            y: "moves".to_owned(),
            curves: vec![PlotCurve {
                name: "depth".to_owned(),
                points: vec![(1.0, 5.0), (2.0, f64::NAN), (3.0, -4.0)],
                ..PlotCurve::default()
            }],
            marks: vec![
                PlotMark {
                    name: "slip".to_owned(),
                    shape: PlotShape::Triangle,
                    points: vec![(1.0, 5.0)],
                },
                PlotMark {
                    name: "never seen".to_owned(),
                    shape: PlotShape::Cross,
                    points: Vec::new(),
                },
            ],
            two_sided: true,
            ..PlotPanel::default()
        }
    }

    #[test]
    fn the_legend_names_what_is_drawn_and_nothing_else() {
        let svg = svg(&[panel(), panel()]).unwrap();
        assert_eq!(svg.matches("slip").count(), 2);
        assert!(!svg.contains("never seen"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }

    /// Panels below each other have the same moves at the same places, however many each shows.
    #[test]
    fn panels_share_their_axis() {
        let about = |moves: &[f64]| PlotPanel {
            curves: vec![PlotCurve {
                points: moves.iter().map(|&x| (x, x)).collect(),
                ..PlotCurve::default()
            }],
            marks: vec![PlotMark {
                name: "third move".to_owned(),
                shape: PlotShape::Ring,
                points: vec![(3.0, 3.0)],
            }],
            ..PlotPanel::default()
        };
        let svg = svg(&[about(&[1.0, 3.0]), about(&[1.0, 9.0])]).unwrap();
        let rings = svg.split("<circle cx=\"").skip(1);
        let places: Vec<&str> = rings.filter_map(|ring| ring.split('"').next()).collect();
        // For each panel the ring of the legend, then that of the third move.
        assert_eq!(places.len(), 4, "{places:?}");
        assert_eq!(places[1], places[3]);
        assert_ne!(places[0], places[1]);
        // The legend is above the highest point of the data.
        let heights = svg.split(" cy=\"").skip(1);
        let heights: Vec<i32> = heights
            .filter_map(|ring| ring.split('"').next()?.parse().ok())
            .collect();
        assert!(heights[0] < heights[1], "{heights:?}");
    }

    #[test]
    fn nothing_to_draw_is_drawn() {
        assert!(svg(&[PlotPanel::default()]).is_ok());
    }
}
