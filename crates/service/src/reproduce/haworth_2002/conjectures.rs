//! Conjectures 1 and 2, examined in five endgames.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{ChainState, Matrix, Predictor, Values};
use shakmaty::Color;

use super::{Computed, Error, Figure, FigureCurve, Finding, Lab};
use crate::reproduce::lab::material;

const ENDGAMES: [&str; 5] = ["KQKR", "KRK", "KBBK", "KBNK", "KRKN"];

/// Neighbouring competences to compare.
const COMPETENCES: [f64; 11] = [
    0.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 60.0, 100.0,
];

/// The number of moves after which expected depths are compared.
const MOVES: usize = 100;

/// Beyond the greatest c the expectations equal the infallible player's except for rounding.
const ROUNDING: f64 = 1e-9;

/// Play of R_c against the infallible Black, for one c.
struct Play {
    /// By depth: the expected moves to the win.
    lengths: Vec<f64>,
    /// From the greatest depth: the expected depth after 1, 2, ... moves.
    depths: Vec<f64>,
}

/// Does more competence lower the expected depth after any number of moves, and the expected length; and from which c on?
pub(super) fn conjecture_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut curves = Vec::new();
    for name in ENDGAMES {
        lab.watch.check()?;
        let plays = plays(lab, name)?;
        let is_ordered = |less: &[f64], more: &[f64]| {
            let mut pairs = less.iter().zip(more);
            pairs.all(|(less, more)| *less >= more * (1.0 - ROUNDING))
        };
        let ordered = |pair: &[Play]| {
            is_ordered(&pair[0].lengths, &pair[1].lengths)
                && is_ordered(&pair[0].depths, &pair[1].depths)
        };
        let last_breach = plays.windows(2).rposition(|pair| !ordered(pair));
        let from = last_breach.map_or(0, |breach| breach + 1);
        let exists = from + 1 < COMPETENCES.len();
        let text = if exists { "w* exists" } else { "no w* seen" };
        let why = format!(
            "It holds from c = {} on: at c = {}, for 1 to {MOVES} moves.",
            COMPETENCES[from],
            COMPETENCES[from..]
                .iter()
                .map(f64::to_string)
                .collect::<Vec<_>>()
                .join(", "),
        );
        let finding = Finding::new(name.to_lowercase(), Computed::Text(text.to_owned()));
        findings.push(finding.because(exists.then_some(why)));
        let points = COMPETENCES.iter().zip(&plays).filter(|(c, _)| **c >= 10.0);
        curves.push(FigureCurve {
            name: name.to_owned(),
            points: points
                .filter_map(|(c, play)| Some((*c, play.lengths.last()?.log10())))
                .collect(),
        });
    }
    let figure = Figure {
        x: "c".to_owned(),
        y: "log10 of the expected moves from the greatest depth".to_owned(),
        curves,
        marks: Vec::new(),
        printed: Vec::new(),
    };
    if let Some(first) = findings.first_mut() {
        first.figure = Some(figure);
    }
    Ok(findings)
}

/// Does the win always come in the end, however low the winner's competence?
pub(super) fn conjecture_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for name in ENDGAMES {
        lab.watch.check()?;
        let plays = plays(lab, name)?;
        let always = |play: &&Play| play.lengths.iter().all(|moves| moves.is_finite());
        let secure = COMPETENCES
            .iter()
            .zip(&plays)
            .find(|(_, play)| always(play));
        let text = secure.map_or("no w_d* seen", |_| "w_d* exists");
        let why = secure.map(|(c, _)| {
            format!(
                "Every win is secured from c = {c} on: a player who keeps the value wins in the end."
            )
        });
        let finding = Finding::new(name.to_lowercase(), Computed::Text(text.to_owned()));
        findings.push(finding.because(why));
    }
    Ok(findings)
}

fn plays(lab: &Lab<'_>, name: &str) -> Result<Vec<Play>, Error> {
    let oracle = lab.oracle(name, Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material(name), Kappa::ONE, Values::Kept)?;
    let seen =
        predictor.matrices_and_chains(Color::White, &COMPETENCES, f64::INFINITY, &lab.quiet())?;
    let play = |(matrix, chain): &(Matrix, _)| {
        let chain: &errare_endgame::Chain = chain;
        let deepest = chain.depths().next_back().unwrap_or(0);
        Play {
            lengths: chain.expected_moves()[1..=usize::from(deepest)].to_vec(),
            depths: expected_depths(matrix, deepest),
        }
    };
    Ok(seen.iter().map(play).collect())
}

/// ED: the expected depth after 1, 2, ... moves of White, from its matrix; the infallible Black changes no depth.
fn expected_depths(matrix: &Matrix, deepest: u16) -> Vec<f64> {
    let mut chances = vec![0.0; usize::from(deepest) + 1];
    chances[usize::from(deepest)] = 1.0;
    let step = |chances: &[f64]| -> Vec<f64> {
        let mut after = vec![0.0; chances.len()];
        after[0] = chances[0];
        for (depth, chance) in (1..=deepest).zip(&chances[1..]) {
            let row = matrix.row(ChainState::Win(depth));
            for (to, p) in after.iter_mut().zip(row) {
                *to += chance * p;
            }
        }
        after
    };
    (0..MOVES)
        .map(|_| {
            chances = step(&chances);
            let depths = (0..).zip(&chances);
            depths
                .map(|(depth, chance)| f64::from(depth) * chance)
                .sum()
        })
        .collect()
}
