//! Section 4: which of several equally good moves is best against R_c.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::Oracle;
use shakmaty::{Position, san::SanPlus};

use super::{
    Computed, Error, Figure, FigureCurve, Finding, Lab, STARTS, expected_depth, games, position,
};

const BB2_10B: &str = "8/8/6Q1/2K5/5r2/4k3/8/8 b - - 0 1";
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";
const BB2_22B: &str = "8/8/8/5r2/4K1k1/4Q3/8/8 b - - 0 1";
const BB2_24B: &str = "8/5r2/8/7k/4K3/6Q1/8/8 b - - 0 1";
const J1_1B: &str = "8/8/r7/2Q2k2/8/4K3/8/8 b - - 0 1";

/// Competences of the figures.
const COMPETENCES: std::ops::RangeInclusive<u8> = 0..=50;
/// The accuracy of a crossing.
const TOLERANCE: f64 = 1e-6;

/// The expected depths of some moves as functions of c.
fn curves(oracle: &Oracle, fen: &str, moves: &[&str]) -> Result<Vec<FigureCurve>, Error> {
    moves
        .iter()
        .map(|san| {
            let points = COMPETENCES
                .map(f64::from)
                .map(|c| expected_depth(oracle, fen, san, Kappa::ONE, c).map(|depth| (c, depth)));
            Ok(FigureCurve {
                name: (*san).to_owned(),
                points: points.collect::<Result<_, Error>>()?,
            })
        })
        .collect()
}

fn figure(oracle: &Oracle, fen: &str, moves: &[&str], marks: &[f64]) -> Result<Figure, Error> {
    Ok(Figure {
        x: "c of White".to_owned(),
        y: "expected depth after White's reply".to_owned(),
        curves: curves(oracle, fen, moves)?,
        marks: marks.to_vec(),
        printed: Vec::new(),
    })
}

/// The c at which the second move becomes better than the first.
fn crossing(oracle: &Oracle, fen: &str, moves: [&str; 2], bounds: [f64; 2]) -> Result<f64, Error> {
    let [mut low, mut high] = bounds;
    while high - low > TOLERANCE {
        let c = f64::midpoint(low, high);
        let [first, second] = moves.map(|san| expected_depth(oracle, fen, san, Kappa::ONE, c));
        if first? > second? {
            low = c;
        } else {
            high = c;
        }
    }
    Ok(low)
}

/// `all c`, or where one curve is above the other.
fn where_above(one: &FigureCurve, other: &FigureCurve) -> String {
    let above: Vec<bool> = one
        .points
        .iter()
        .zip(&other.points)
        .map(|(a, b)| a.1 > b.1)
        .collect();
    match above.iter().position(|above| !above) {
        None => "all c".to_owned(),
        Some(end) => format!("c < {}", one.points[end].0),
    }
}

pub(super) fn figure_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let figure = figure(&oracle, BB2_22B, &["Rf7", "Rf6"], &[])?;
    let text = where_above(&figure.curves[0], &figure.curves[1]);
    Ok(vec![Finding::new("", Computed::Text(text)).with(figure)])
}

pub(super) fn figure_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let found = crossing(&oracle, BB2_10B, ["Ra4", "Re4"], [0.0, 50.0])?;
    let figure = figure(&oracle, BB2_10B, &["Ra4", "Re4"], &[6.3])?;
    Ok(vec![Finding::new("", Computed::Number(found)).with(figure)])
}

pub(super) fn bb2_12b(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let figure = figure(
        &oracle,
        BB2_12B,
        &["Rf4", "Re4", "Rg4", "Rh4"],
        &[19.7, 36.0],
    )?;
    let rh4 = &figure.curves[3];
    let best: Vec<String> = (0..rh4.points.len())
        .filter(|&i| {
            figure.curves[..3]
                .iter()
                .all(|other| other.points[i].1 < rh4.points[i].1)
        })
        .map(|i| rh4.points[i].0.to_string())
        .collect();
    let best = if best.is_empty() {
        "none".to_owned()
    } else {
        best.join(", ")
    };
    let first = crossing(&oracle, BB2_12B, ["Rf4", "Re4"], [0.0, 30.0])?;
    let second = crossing(&oracle, BB2_12B, ["Re4", "Rg4"], [20.0, 50.0])?;
    Ok(vec![
        Finding::new("rf4-re4", Computed::Number(first)).with(figure),
        Finding::new("re4-rg4", Computed::Number(second)),
        Finding::new("rh4", Computed::Text(best)),
    ])
}

pub(super) fn figure_3(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let figure = figure(&oracle, BB2_24B, &["Rb7", "Rf6", "Rf8"], &[4.25, 28.5])?;
    let text = where_above(&figure.curves[1], &figure.curves[2]);
    let first = crossing(&oracle, BB2_24B, ["Rb7", "Rf6"], [0.0, 15.0])?;
    let second = crossing(&oracle, BB2_24B, ["Rf6", "Rb7"], [15.0, 50.0])?;
    Ok(vec![
        Finding::new("rb7-rf6", Computed::Number(first)).with(figure),
        Finding::new("rf6-rb7", Computed::Number(second)),
        Finding::new("rf8", Computed::Text(text)),
    ])
}

pub(super) fn figure_4(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let found = crossing(&oracle, J1_1B, ["Kf6", "Kg6"], [0.5, 30.0])?;
    let figure = figure(&oracle, J1_1B, &["Kf6", "Kg6"], &[2.5])?;
    Ok(vec![Finding::new("", Computed::Number(found)).with(figure)])
}

/// The c beyond which no move that cedes depth can be better than Kg6, whatever White replies to Kg6: the
/// expected depth after every such move is below the least that can follow Kg6.
pub(super) fn j1_1b(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let start = position(J1_1B);
    let turn = oracle.turn(&start)?;
    let best = turn
        .best()
        .and_then(|state| state.depth())
        .map_or(0.0, f64::from);
    let ceding: Vec<String> = turn
        .choices()
        .iter()
        .filter(|choice| turn.ceded(choice).is_some_and(|ceded| ceded > 0))
        .map(|choice| SanPlus::from_move(start.clone(), choice.r#move).to_string())
        .collect();
    let excluded = |c: f64| -> Result<bool, Error> {
        for san in &ceding {
            if expected_depth(&oracle, J1_1B, san, Kappa::ZERO, c)? >= best - 1.0 {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let (mut low, mut high) = (0.0, 200.0);
    while high - low > TOLERANCE {
        let c = f64::midpoint(low, high);
        if excluded(c)? { high = c } else { low = c }
    }
    Ok(vec![Finding::new("", Computed::Number(high))])
}

/// The number of positions of table 1 that the games reach at the move that names them.
pub(super) fn reached() -> usize {
    let named = [
        (1, 8, true, "8/8/3K4/8/4rk2/3Q4/8/8"),
        (2, 9, true, placement(BB2_10B)),
        (2, 11, true, placement(BB2_12B)),
        (2, 21, true, placement(BB2_22B)),
        (2, 23, true, placement(BB2_24B)),
        (1, 0, false, placement(STARTS[0])),
        (2, 0, false, placement(STARTS[1])),
    ];
    let games = games::browne_belle();
    let is_reached = |&(game, before, black, wanted): &(usize, usize, bool, &str)| {
        let ply = 2 * before + usize::from(black);
        let position = games[game - 1].plies().nth(ply);
        position.is_some_and(|(position, _)| position.board().to_string() == wanted)
    };
    named.iter().filter(|each| is_reached(each)).count()
}

/// The men of a position.
fn placement(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or(fen)
}

/// The gain of BELLE's best choices at 10b, 12b and 24b of game 2 over the moves played, if White is F_20.
pub(super) fn advantage(oracle: &Oracle) -> Result<f64, Error> {
    let choices = [
        (BB2_10B, "Re4", "Ra4"),
        (BB2_12B, "Re4", "Rf4"),
        (BB2_24B, "Rf6", "Rf8"),
    ];
    let mut gain = 0.0;
    for (fen, best, played) in choices {
        let [best, played] =
            [best, played].map(|san| expected_depth(oracle, fen, san, Kappa::ZERO, 20.0));
        gain += best? - played?;
    }
    Ok(gain)
}
