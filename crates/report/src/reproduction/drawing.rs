//! Figures as SVG that take their colours from the page, for light, dark and print.

use std::fmt::Write;

use errare_service::reproduce::Figure;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 96.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 44.0;
/// Dash patterns, so that curves can be told apart without colour.
const DASHES: [&str; 7] = [
    "none",
    "6 3",
    "2 3",
    "9 3 2 3",
    "1 5",
    "12 3",
    "12 3 2 3 2 3",
];
/// The minimum distance between two names at the ends of curves.
const NAME_HEIGHT: f64 = 13.0;

/// The figure.
pub(super) fn svg(figure: &Figure) -> String {
    let points = || {
        let drawn = figure.curves.iter().flat_map(|curve| &curve.points);
        drawn
            .chain(&figure.printed)
            .filter(|point| point.1.is_finite())
    };
    let [left, right] = range(points().map(|point| point.0));
    let [low, high] = range(points().map(|point| point.1));
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} over {}\">\n",
        figure.y, figure.x
    );
    for tick in ticks(left, right) {
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{0:.1} {TOP}V{1:.1}\"/><text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
            x(tick),
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 15.0,
            number(tick)
        );
    }
    for tick in ticks(low, high) {
        let _ = writeln!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {0:.1}H{1:.1}\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            y(tick),
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(tick) + 4.0,
            number(tick)
        );
    }
    for mark in figure
        .marks
        .iter()
        .filter(|mark| (left..=right).contains(*mark))
    {
        let _ = writeln!(
            svg,
            "<path class=\"mark\" d=\"M{0:.1} {TOP}V{1:.1}\"/><text class=\"mark\" x=\"{2:.1}\" y=\"{3:.1}\">printed {4}</text>",
            x(*mark),
            HEIGHT - BOTTOM,
            x(*mark) + 3.0,
            TOP + 9.0,
            number(*mark)
        );
    }
    for point in &figure.printed {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>printed {}</title></circle>",
            x(point.0),
            y(point.1),
            number(point.1)
        );
    }
    let mut names: Vec<(f64, String)> = Vec::new();
    for (curve, dash) in figure.curves.iter().zip(DASHES.into_iter().cycle()) {
        let path: Vec<String> = curve
            .points
            .iter()
            .filter(|point| point.1.is_finite())
            .map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline stroke-dasharray=\"{dash}\" points=\"{}\"/>",
            path.join(" ")
        );
        if let Some(last) = curve.points.last() {
            names.push((y(last.1), curve.name.clone()));
        }
    }
    for (height, name) in apart(names) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
            WIDTH - RIGHT + 6.0,
            height + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
         <text class=\"axis\" x=\"4\" y=\"12\">{}</text>\n</svg>",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 8.0,
        figure.x,
        figure.y
    );
    svg
}

/// Moves names apart, so that each is legible, and keeps them above the axis.
fn apart(mut names: Vec<(f64, String)>) -> Vec<(f64, String)> {
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = TOP;
    for (height, _) in &mut names {
        *height = height.max(free);
        free = *height + NAME_HEIGHT;
    }
    let mut free = HEIGHT - BOTTOM - 4.0;
    for (height, _) in names.iter_mut().rev() {
        *height = height.min(free);
        free = *height - NAME_HEIGHT;
    }
    names
}

/// The range of some values; never empty.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    match low < high {
        true => [low, high],
        false => [low - 1.0, low + 1.0],
    }
}

/// Round numbers in a range, at most seven.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|unit| unit * power)
        .find(|step| *step >= rough);
    let step = step.unwrap_or(power * 10.0);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|tick| tick as f64 * step).collect()
}

fn number(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
