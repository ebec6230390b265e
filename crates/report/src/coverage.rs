//! How often intervals contain the Elo, as rows.

use errare_rating::continuous::Coverage;

use crate::text::or_dash;

/// The header of the table of intervals.
pub(crate) const HEAD: [&str; 6] = [
    "95 % intervals for Elo",
    "count",
    "covered %",
    "rms z",
    "half width",
    "open %",
];

/// What its columns mean.
pub(crate) const LEGEND: &str = "\
Half width: half the width of the median closed interval. Open: an end is only where the calibration ends. The root \
mean square of z should be 1.";

/// The intervals from one game and from several, as far as there are any.
pub(crate) fn rows(coverage: &Coverage) -> Vec<Vec<String>> {
    let Coverage {
        singles,
        aggregates,
        fewest_games,
        ..
    } = *coverage;
    let row = |name: String, count: usize, covered, z: f64, half_width, open| {
        vec![
            name,
            count.to_string(),
            percent(covered),
            format!("{z:.2}"),
            or_dash(half_width, |half: f64| format!("{half:.0}")),
            or_dash(open, percent),
        ]
    };
    let mut rows = Vec::new();
    if singles > 0 {
        rows.push(row(
            "players in one game".to_owned(),
            singles,
            coverage.single,
            coverage.single_z,
            coverage.single_half_width,
            coverage.single_open,
        ));
    }
    if aggregates > 0 {
        rows.push(row(
            format!("players with {fewest_games} games or more"),
            aggregates,
            coverage.aggregate,
            coverage.aggregate_z,
            coverage.aggregate_half_width,
            coverage.aggregate_open,
        ));
    }
    rows
}

/// A share in per cent, without the sign.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
