//! Haworth (2002), *Reference fallible endgame play*.

mod conjectures;
mod notation;
mod positions;
mod theorems;

use errare_choice::{Kappa, PriorShape};
use errare_core::{Colour, Metric};
use errare_endgame::{
    Analyser, GameAnalysis, MoveReport, OpponentBelief, Oracle, PredatorDepth, TableView, prospects,
};
use shakmaty::{Color, Position, san::SanPlus};

use super::{
    Computed, Experiment, Figure, FigureCurve, Finding, games,
    lab::{Lab, STARTS, position},
};
use crate::Error;

/// The candidates of section 5.
const COARSE_GRID: &str = "0(10)50";

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "haworth-2002/table-1",
        short: true,
        run: table_1,
    },
    Experiment {
        id: "haworth-2002/figure-1",
        short: true,
        run: positions::figure_1,
    },
    Experiment {
        id: "haworth-2002/figure-2",
        short: true,
        run: positions::figure_2,
    },
    Experiment {
        id: "haworth-2002/section-4/bb2-12b",
        short: true,
        run: positions::bb2_12b,
    },
    Experiment {
        id: "haworth-2002/figure-3",
        short: true,
        run: positions::figure_3,
    },
    Experiment {
        id: "haworth-2002/figure-4",
        short: true,
        run: positions::figure_4,
    },
    Experiment {
        id: "haworth-2002/section-4/j1-1b",
        short: true,
        run: positions::j1_1b,
    },
    Experiment {
        id: "haworth-2002/section-5",
        short: true,
        run: section_5,
    },
    Experiment {
        id: "haworth-2002/figure-5",
        short: true,
        run: figure_5,
    },
    Experiment {
        id: "haworth-2002/figure-6",
        short: true,
        run: figure_6,
    },
    Experiment {
        id: "haworth-2002/appendix-b",
        short: true,
        run: appendix_b,
    },
    Experiment {
        id: "haworth-2002/theorem-1",
        short: true,
        run: |lab| theorems::theorem(lab, 1),
    },
    Experiment {
        id: "haworth-2002/theorem-2",
        short: true,
        run: |lab| theorems::theorem(lab, 2),
    },
    Experiment {
        id: "haworth-2002/theorem-3",
        short: true,
        run: |lab| theorems::theorem(lab, 3),
    },
    Experiment {
        id: "haworth-2002/theorem-4",
        short: true,
        run: |lab| theorems::theorem(lab, 4),
    },
    Experiment {
        id: "haworth-2002/theorem-5",
        short: true,
        run: |lab| theorems::theorem(lab, 5),
    },
    Experiment {
        id: "haworth-2002/theorem-6",
        short: false,
        run: theorems::theorem_6,
    },
    Experiment {
        id: "haworth-2002/theorem-7",
        short: false,
        run: theorems::theorem_7,
    },
    Experiment {
        id: "haworth-2002/conjecture-1",
        short: false,
        run: conjectures::conjecture_1,
    },
    Experiment {
        id: "haworth-2002/conjecture-2",
        short: false,
        run: conjectures::conjecture_2,
    },
];

fn table_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let keys = ["bb1-01w", "bb2-01w"];
    let mut findings = vec![Finding::new(
        "reached",
        Computed::count(positions::reached()),
    )];
    for (key, fen) in keys.into_iter().zip(STARTS) {
        let moves = oracle.outcome(&position(fen))?.moves();
        let moves = moves.map_or("draw".to_owned(), |moves| moves.to_string());
        findings.push(Finding::new(key, Computed::Text(moves)));
    }
    Ok(findings)
}

/// Both games, analysed with κ = 1.
fn analysed(oracle: &Oracle, grid: &str) -> Result<Vec<GameAnalysis>, Error> {
    games::browne_belle()
        .iter()
        .map(|game| games::analysed(oracle, game, Kappa::ONE, grid))
        .collect()
}

fn section_5(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut findings = Vec::new();
    for (number, game) in (1..).zip(analysed(&oracle, COARSE_GRID)?) {
        let ceded = game.moves.iter().filter(|m| m.color == Colour::White);
        let ceded: Vec<String> = ceded.filter_map(ceding).collect();
        findings.push(Finding::new(
            format!("game-{number}"),
            Computed::Text(ceded.join(", ")),
        ));
    }
    findings.push(Finding::new(
        "advantage",
        Computed::Number(positions::advantage(&oracle)?),
    ));
    Ok(findings)
}

/// `6w (+1/1)`: what a move ceded, in the notation of section 5.
fn ceding(m: &MoveReport) -> Option<String> {
    let ceded = m.ceded.filter(|&ceded| ceded > 0)?;
    Some(format!(
        "{}w (+{ceded}/{})",
        m.ply.div_ceil(2),
        m.total_ceded
    ))
}

fn figure_5(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut curves = Vec::new();
    let mut last = Vec::new();
    for (number, game) in (1..).zip(games::browne_belle()) {
        let grid = COARSE_GRID.parse().expect("it is well written");
        let mut white = Analyser::new(Kappa::ZERO, grid, &PriorShape::Uniform);
        let mut points = Vec::new();
        for (position, m) in game
            .plies()
            .filter(|(position, _)| position.turn() == Color::White)
        {
            let turn = oracle.turn(&position)?;
            if let Some(chosen) = turn.find(m) {
                white.observe(&turn, &turn.choices()[chosen]);
            }
            let mean = white
                .posterior()
                .summary()
                .map_or(f64::NAN, |estimate| estimate.mean);
            points.push((points.len() as f64 + 1.0, mean));
        }
        last.extend(points.last().map(|point| point.1));
        curves.push(FigureCurve {
            name: format!("game {number}"),
            points,
        });
    }
    let text = last
        .iter()
        .map(|c| format!("{c:.2}"))
        .collect::<Vec<_>>()
        .join(" and ");
    let peak = |curve: &FigureCurve| {
        let higher = |a: (f64, f64), b: (f64, f64)| if b.1 >= a.1 { b } else { a };
        let (m, c) = curve.points.iter().copied().fold((0.0, 0.0), higher);
        format!("{c:.2} at move {m}")
    };
    let peaks: Vec<String> = curves.iter().map(peak).collect();
    let figure = Figure {
        x: "move".to_owned(),
        y: "E[c] of White".to_owned(),
        curves,
        marks: Vec::new(),
        printed: Vec::new(),
    };
    Ok(vec![
        Finding::new("", Computed::Text(text)).with(figure),
        Finding::new("rise", Computed::Text(peaks.join(" and "))),
    ])
}

fn figure_6(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let games = analysed(&oracle, COARSE_GRID)?;
    let curves = (1..).zip(&games).map(|(number, game)| FigureCurve {
        name: format!("game {number}"),
        points: game
            .moves
            .iter()
            .filter(|m| m.color == Colour::White)
            .map(|m| {
                (
                    m.ply.div_ceil(2) as f64,
                    f64::from(m.depth_after.unwrap_or(0)),
                )
            })
            .collect(),
    });
    let figure = Figure {
        x: "move".to_owned(),
        y: "depth after it (DTC, moves)".to_owned(),
        curves: curves.collect(),
        marks: Vec::new(),
        printed: vec![(45.0, 13.0), (50.0, 0.0)],
    };
    let findings = (1..).zip(&games).map(|(number, game)| {
        let last = game.moves.last().and_then(|m| m.depth_after).unwrap_or(0);
        let finding = Finding::new(format!("game-{number}"), Computed::count(last.into()));
        match number {
            1 => finding.with(figure.clone()),
            _ => finding,
        }
    });
    Ok(findings.collect())
}

fn appendix_b(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut findings = Vec::new();
    let mut astray = 0;
    for (number, game) in (1..).zip(games::browne_belle()) {
        let grid = COARSE_GRID.parse().expect("it is well written");
        let mut white = Analyser::new(Kappa::ZERO, grid, &PriorShape::Uniform);
        let (mut choices, mut correct) = (Vec::new(), Vec::new());
        for (ply, (position, m)) in game.plies().enumerate() {
            let turn = oracle.turn(&position)?;
            let Some(played) = turn.find(m) else { continue };
            if position.turn() == Color::White {
                white.observe(&turn, &turn.choices()[played]);
                continue;
            }
            let Some(belief) = OpponentBelief::learned(white.posterior()) else {
                continue;
            };
            let view = TableView {
                oracle: &oracle,
                position: &position,
                turn: &turn,
            };
            let preferred =
                prospects(view, &belief, Kappa::ZERO, PredatorDepth::TWO, &())?[0].number;
            astray += usize::from(!turn.is_optimal(&turn.choices()[preferred]));
            let optimal = turn
                .choices()
                .iter()
                .filter(|choice| turn.is_optimal(choice));
            if optimal.count() > 1 {
                choices.push(ply / 2 + 1);
                if preferred == played {
                    correct.push(ply / 2 + 1);
                }
            }
        }
        // The paper judges the second game's choices up to 24b.
        if number == 2 {
            correct.retain(|&m| m <= 24);
        }
        let listed = |moves: &[usize]| {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            Computed::Text(moves.join(", "))
        };
        findings.push(Finding::new(
            format!("game-{number}/choices"),
            listed(&choices),
        ));
        findings.push(Finding::new(
            format!("game-{number}/correct"),
            listed(&correct),
        ));
    }
    findings.push(Finding::new("predator", Computed::count(astray)));
    findings.extend(notation::findings(&analysed(&oracle, COARSE_GRID)?));
    Ok(findings)
}

/// The expected depth after a move of Black and White's reply, if White is R_c.
fn expected_depth(
    oracle: &Oracle,
    fen: &str,
    san: &str,
    kappa: Kappa,
    c: f64,
) -> Result<f64, Error> {
    let position = position(fen);
    let turn = oracle.turn(&position)?;
    let view = TableView {
        oracle,
        position: &position,
        turn: &turn,
    };
    let prospects = prospects(
        view,
        &OpponentBelief::certain(c),
        kappa,
        PredatorDepth::TWO,
        &(),
    )?;
    let named = prospects.iter().find(|prospect| {
        let m = turn.choices()[prospect.number].r#move;
        SanPlus::from_move(position.clone(), m).to_string() == san
    });
    let depth = named.and_then(|prospect| prospect.expected_depth);
    Ok(depth.expect("the paper's moves are legal and keep the value"))
}
