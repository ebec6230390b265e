//! SVG charts for files and pages: dots with error bars, and rows of named dots.

use plotters::{coord::Shift, prelude::*};

/// Why a chart could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw: {0}")]
pub struct ChartError(String);

/// A value with its interval, and a projection to compare with.
#[derive(Debug, Clone)]
pub(crate) struct Dot {
    /// Its position on the horizontal axis.
    pub x: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The value.
    pub value: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Does the interval go on beyond its lower and its upper end?
    pub open: [bool; 2],
    /// The model's value there.
    pub projected: Option<f64>,
}

/// Dots over one axis.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChartPanel {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: String,
    /// The vertical axis.
    pub y: String,
    /// Labels for 1, 2, 3 ... on the horizontal axis, instead of numbers.
    pub steps: Vec<String>,
    /// The dots.
    pub dots: Vec<Dot>,
    /// Values marked by a horizontal line, with their names.
    pub levels: Vec<(f64, String)>,
}

/// Named values in a row.
#[derive(Debug, Clone)]
pub(crate) struct ChartRow {
    /// The name.
    pub name: String,
    /// The values, one per series.
    pub values: Vec<f64>,
}

const WIDTH: u32 = 800;
const HEIGHT: u32 = 320;
/// The height of two panels side by side.
const PAIR_HEIGHT: u32 = 230;
/// The height of a row with a name.
const ROW: u32 = 22;
/// The width reserved for names, and the number of characters that fit.
const NAMES: u32 = 190;
const NAME: usize = 26;
/// Space above the rows for the title, the legend and the names of levels, one line each.
const HEAD: i32 = 66;
/// Pixels that a label on the horizontal axis needs.
const ROOM_OF_LABEL: usize = 65;
/// Maximum number of labels on an axis.
const MOST_LABELS: usize = 11;
/// Maximum number of names on the horizontal axis.
const MOST_STEPS: usize = 12;
const COMPARED: RGBColor = RGBColor(170, 60, 0);
const SERIES: [RGBColor; 2] = [RGBColor(0, 60, 140), RGBColor(200, 90, 0)];
const FONT: &str = "sans-serif";

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// Draws panels below each other; those without dots are left out.
pub(crate) fn dots(panels: &[ChartPanel]) -> Result<String, ChartError> {
    let panels: Vec<&ChartPanel> = panels
        .iter()
        .filter(|panel| !panel.dots.is_empty())
        .collect();
    let rows = panels.len().max(1);
    svg((WIDTH, HEIGHT * rows as u32), |area| {
        for (part, panel) in area.split_evenly((rows, 1)).iter().zip(panels) {
            draw(part, panel)?;
        }
        Ok(())
    })
}

/// Draws panels two by two.
pub(crate) fn pairs(panels: &[ChartPanel]) -> Result<String, ChartError> {
    let rows = panels.len().div_ceil(2).max(1);
    svg((WIDTH, PAIR_HEIGHT * rows as u32), |area| {
        for (part, panel) in area.split_evenly((rows, 2)).iter().zip(panels) {
            draw(part, panel)?;
        }
        Ok(())
    })
}

/// Draws one row per name with one dot per series, and named lines at some values; below, a stroke for each value
/// of the comparison group.
pub(crate) fn rows(
    title: &str,
    series: &[&str],
    rows: &[ChartRow],
    levels: &[(f64, String)],
    others: &(String, Vec<f64>),
) -> Result<String, ChartError> {
    let height = 120 + ROW * (rows.len() as u32 + 1);
    svg((WIDTH, height), |area| {
        draw_rows(area, title, series, rows, levels, others)
    })
}

fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, ChartError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = area.fill(&WHITE).and_then(|()| draw(&area));
        let drawn = drawn.and_then(|()| area.present());
        drawn.map_err(|error| ChartError(error.to_string()))?;
    }
    Ok(text)
}

fn draw(area: &Area<'_>, panel: &ChartPanel) -> Drawn {
    let dots = &panel.dots;
    let [left, right] = ends(dots.iter().map(|dot| dot.x));
    let compared = dots.iter().filter_map(|dot| dot.projected);
    let bars = dots.iter().flat_map(|dot| [dot.low, dot.value, dot.high]);
    let levels = panel.levels.iter().map(|(level, _)| *level);
    let [low, high] = ends(bars.chain(compared).chain(levels));
    let (aside, above) = (room(left, right), room(low, high));
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_right(if panel.levels.is_empty() { 14 } else { 110 })
        .caption(&panel.title, (FONT, 17))
        .x_label_area_size(40)
        .y_label_area_size(64)
        .build_cartesian_2d(left - aside..right + aside, low - above..high + above)?;
    let whole = dots.iter().all(|dot| dot.x.fract() == 0.0);
    let labels = match whole {
        true => (right - left) as usize + 1,
        false => MOST_LABELS,
    };
    // A label needs some space.
    let labels = labels.min(area.dim_in_pixel().0 as usize / ROOM_OF_LABEL);
    let name = |at: &f64| match panel.steps[..] {
        [] => number(at),
        _ => step(&panel.steps, *at),
    };
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_labels(labels.clamp(1, MOST_LABELS))
        .x_label_formatter(&name)
        .y_label_formatter(&number)
        .x_desc(&panel.x)
        .y_desc(&panel.y)
        .label_style((FONT, 13))
        .draw()?;
    for (level, name) in &panel.levels {
        let ends = [(left - aside, *level), (right + aside, *level)];
        chart.draw_series([PathElement::new(ends, COMPARED.stroke_width(1))])?;
        let (x, y) = chart.backend_coord(&(right + aside, *level));
        let style = (FONT, 13).into_font().color(&COMPARED);
        area.draw(&Text::new(name.clone(), offset(area, x + 6, y - 7), style))?;
    }
    let bars = dots
        .iter()
        .map(|dot| PathElement::new([(dot.x, dot.low), (dot.x, dot.high)], BLACK.stroke_width(2)));
    chart.draw_series(bars)?;
    for (end, downwards) in [(0, -1), (1, 1)] {
        let arrow = |dot: &Dot| {
            let tip = (dot.x, [dot.low, dot.high][end]);
            let head = [(-5, 7 * downwards), (0, 0), (5, 7 * downwards)];
            EmptyElement::at(tip) + PathElement::new(head, BLACK.stroke_width(2))
        };
        chart.draw_series(dots.iter().filter(|dot| dot.open[end]).map(arrow))?;
    }
    let circle = |dot: &Dot| Circle::new((dot.x, dot.value), 4, BLACK.filled());
    chart.draw_series(dots.iter().map(circle))?;
    let line = dots.iter().filter_map(|dot| Some((dot.x, dot.projected?)));
    let mut line: Vec<(f64, f64)> = line.collect();
    line.sort_by(|a, b| a.0.total_cmp(&b.0));
    chart.draw_series(LineSeries::new(line, COMPARED.stroke_width(2)))?;
    Ok(())
}

fn draw_rows(
    area: &Area<'_>,
    title: &str,
    series: &[&str],
    rows: &[ChartRow],
    levels: &[(f64, String)],
    others: &(String, Vec<f64>),
) -> Drawn {
    let values = rows.iter().flat_map(|row| row.values.iter().copied());
    let finite = values.filter(|value| value.is_finite());
    let levels_only = levels.iter().map(|(level, _)| *level);
    let of_others = others.1.iter().copied();
    let [low, high] = ends(finite.chain(levels_only).chain(of_others).chain([0.0]));
    let aside = room(low, high);
    let last = if others.1.is_empty() { -0.5 } else { 0.5 };
    let bottom = rows.len() as f64 + last;
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_left(NAMES as i32)
        .margin_top(HEAD)
        .x_label_area_size(24)
        .build_cartesian_2d(low - aside..high + aside, bottom..-0.5)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .disable_y_mesh()
        .disable_y_axis()
        .x_label_formatter(&number)
        .label_style((FONT, 13))
        .draw()?;
    for (level, name) in levels {
        let ends = [(*level, -0.5), (*level, bottom)];
        chart.draw_series([PathElement::new(ends, COMPARED.stroke_width(1))])?;
        let (x, y) = chart.backend_coord(&(*level, -0.5));
        let style = (FONT, 12).into_font().color(&COMPARED);
        area.draw(&Text::new(
            name.clone(),
            offset(area, x - 24, y - 16),
            style,
        ))?;
    }
    for (place, row) in rows.iter().enumerate() {
        let y = place as f64;
        let ends = [(low - aside, y), (high + aside, y)];
        chart.draw_series([PathElement::new(ends, BLACK.mix(0.12).stroke_width(1))])?;
        let (_, py) = chart.backend_coord(&(low, y));
        let name = shortened(&row.name, NAME);
        let style = (FONT, 13).into_font().color(&BLACK);
        area.draw(&Text::new(name, offset(area, 10, py - 7), style))?;
        for (value, colour) in row.values.iter().zip(SERIES) {
            if value.is_finite() {
                chart.draw_series([Circle::new((*value, y), 4, colour.filled())])?;
            }
        }
    }
    if !others.1.is_empty() {
        let y = rows.len() as f64;
        let (_, py) = chart.backend_coord(&(low, y));
        let style = (FONT, 13).into_font().color(&BLACK.mix(0.6));
        area.draw(&Text::new(
            shortened(&others.0, NAME),
            offset(area, 10, py - 7),
            style,
        ))?;
        let stroke = |&z: &f64| {
            let ends = [(z, y - 0.3), (z, y + 0.3)];
            PathElement::new(ends, BLACK.mix(0.4).stroke_width(1))
        };
        chart.draw_series(others.1.iter().map(stroke))?;
    }
    let style = (FONT, 17).into_font().color(&BLACK);
    area.draw(&Text::new(title.to_owned(), (NAMES as i32, 8), style))?;
    for (number, (name, colour)) in series.iter().zip(SERIES).enumerate() {
        let x = NAMES as i32 + 5 + 190 * number as i32;
        area.draw(&Circle::new((x, 36), 4, colour.filled()))?;
        let style = (FONT, 12).into_font().color(&colour);
        area.draw(&Text::new((*name).to_owned(), (x + 9, 30), style))?;
    }
    Ok(())
}

/// Converts coordinates of the whole drawing to this part of it.
fn offset(area: &Area<'_>, x: i32, y: i32) -> (i32, i32) {
    let (left, top) = area.get_base_pixel();
    (x - left, y - top)
}

/// The name at a position of the axis, if there is one; only some are shown if there are many.
fn step(steps: &[String], at: f64) -> String {
    let nearest = at.round();
    if (at - nearest).abs() > 1e-9 || nearest < 1.0 {
        return String::new();
    }
    let name = steps.get(nearest as usize - 1);
    let width = (96 / steps.len().clamp(1, MOST_STEPS)).max(8);
    name.map_or(String::new(), |name| shortened(name, width))
}

/// Shortens a text to at most this many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// "6", "0.25".
fn number(number: &f64) -> String {
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

fn ends(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

/// The margin around what is drawn.
fn room(low: f64, high: f64) -> f64 {
    if high > low {
        0.05 * (high - low)
    } else {
        0.5 * high.abs().max(1e-6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of three points and no more.
    fn arrows(svg: &str) -> usize {
        let lines = svg.split("<polyline").skip(1);
        let points = lines.filter_map(|line| line.split("points=\"").nth(1)?.split('"').next());
        points
            .filter(|it| it.split_whitespace().count() == 3)
            .count()
    }

    #[test]
    fn names_and_thresholds_are_in_the_drawing() {
        let row = ChartRow {
            name: "Somebody with a very long name indeed".to_owned(),
            values: vec![1.0, f64::NAN],
        };
        let svg = rows(
            "z",
            &["mm", "ad"],
            &[row],
            &[(2.5, "watch 2.50".to_owned())],
            &("3 honest players".to_owned(), vec![-1.0, 0.0, 2.0]),
        )
        .unwrap();
        for text in [
            "Somebody with a very long…",
            "watch 2.50",
            "mm",
            "3 honest players",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // Title, legend, thresholds and axis have a line each, so that nothing overlaps.
        let height = |text: &str| -> f64 {
            let (before, _) = svg.split_once(&format!(">\n{text}\n<")).unwrap();
            let (_, y) = before.rsplit_once(" y=\"").unwrap();
            y.split('"').next().unwrap().parse().unwrap()
        };
        let lines = ["z", "mm", "watch 2.50", "2"].map(height);
        assert!(lines.is_sorted_by(|a, b| a + 12.0 <= *b), "{lines:?}");
        let dot = |x: f64| Dot {
            x,
            low: 2000.0,
            value: 2100.0,
            high: 2200.0,
            open: [false, x == 2.0],
            projected: None,
        };
        let svg = dots(&[ChartPanel {
            title: "Career".to_owned(),
            steps: ["2007", "2008"].map(str::to_owned).to_vec(),
            dots: vec![dot(1.0), dot(2.0)],
            levels: vec![(2050.0, "Elo 2050".to_owned())],
            ..ChartPanel::default()
        }])
        .unwrap();
        // The arrow at the open end.
        assert_eq!(arrows(&svg), 1, "{svg}");
        for text in ["Career", "2007", "2008", "Elo 2050"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }
}
