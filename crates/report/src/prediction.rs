//! Predictions, difficulties and matrices as plots and CSV.

use std::io::{self, Write};

use errare_core::Competence;
use errare_endgame::CurvePoint;
use errare_service::{
    difficulty::{Endgame, Resisted},
    markov,
    model::ValueRule,
    predict::{Answer, Forecast},
};

use crate::plot::{PlotCurve, PlotPanel};

/// Longer play is not drawn: the random player's 1e21 moves would dwarf everything else.
const LONGEST_DRAWN: f64 = 1e5;

/// Figures 5 and 6 of Haworth and Andrist (2004).
pub fn panels(answer: &Answer) -> [PlotPanel; 2] {
    let title = |what: &str| {
        let Answer {
            endgame, opponent, ..
        } = answer;
        let metric = answer.metric();
        let value = value(answer.value);
        format!(
            "{endgame}: {what}, R_c against {} ({metric}, {value})",
            opponent.words()
        )
    };
    let curves = |points: &dyn Fn(&Forecast) -> Vec<(f64, f64)>| {
        let curve = |(skill, forecast): (Competence, &Forecast)| PlotCurve {
            name: format!("c = {skill}"),
            points: points(forecast),
            ..PlotCurve::default()
        };
        answer.forecasts().map(curve).collect()
    };
    let moves = answer.forecast.win_within.moves;
    [
        PlotPanel {
            title: title("expected moves to the win"),
            x: "depth".to_owned(),
            y: "moves".to_owned(),
            curves: curves(&|forecast| {
                let points = forecast.expected_moves.iter();
                points
                    .filter_map(|(&depth, &moves)| Some((f64::from(depth), moves?)))
                    .collect()
            }),
            ..PlotPanel::default()
        },
        PlotPanel {
            title: title(&format!("chance to win within {moves} moves")),
            x: "depth".to_owned(),
            y: "probability".to_owned(),
            curves: curves(&|forecast| {
                let points = forecast.win_within.from.iter();
                points.map(|(&depth, &p)| (f64::from(depth), p)).collect()
            }),
            ..PlotPanel::default()
        },
    ]
}

/// How moves that lose value are treated.
pub fn value(value: ValueRule) -> &'static str {
    match value {
        ValueRule::Keep => "value kept",
        ValueRule::Risk => "value at risk",
    }
}

/// Writes a prediction as CSV: a row per competence and depth, then one for the position that was followed exactly and one for
/// the games simulated from it, which have no depth. Unknown values are left empty.
pub fn csv(out: impl Write, answer: &Answer) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record([
        "endgame",
        "metric",
        "kappa",
        "side",
        "opponent",
        "value",
        "skill",
        "depth",
        "positions",
        "expected_moves",
        "deviation",
        "moves",
        "win_within",
        "win",
        "source",
        "fen",
        "ties",
        "games",
        "seed",
        "unfinished",
    ])?;
    let lasting = |number: &Option<f64>| number.map_or("inf".to_owned(), |n| n.to_string());
    let known = |number: Option<f64>| number.map_or(String::new(), |n| n.to_string());
    let head = |skill: Competence| {
        [
            answer.endgame.to_string(),
            answer.metric().to_string(),
            answer.model.kappa.to_string(),
            answer.side.to_string(),
            answer.opponent.to_string(),
            answer.value.to_string(),
            skill.to_string(),
        ]
    };
    let within = answer.forecast.win_within.moves.to_string();
    for (skill, forecast) in answer.forecasts() {
        for (depth, expected) in &forecast.expected_moves {
            let numbers = [
                depth.to_string(),
                forecast.positions[depth].to_string(),
                lasting(expected),
                forecast.deviation.get(depth).map_or(String::new(), lasting),
                within.clone(),
                forecast.win_within.from[depth].to_string(),
                known(forecast.win.get(depth).copied()),
            ];
            let source = ["depth", "", "", "", "", ""].map(str::to_owned);
            out.write_record(head(skill).iter().chain(&numbers).chain(&source))?;
        }
    }
    if let Some(position) = &answer.position {
        let Answer { skill, .. } = *answer;
        let numbers = [
            String::new(),
            String::new(),
            known(position.expected_moves),
            String::new(),
            within.clone(),
            position.win_within.to_string(),
            known(position.win),
        ];
        let place = |source: &str| {
            let (fen, ties) = (position.fen.clone(), position.ties.to_string());
            [source.to_owned(), fen, ties]
        };
        let exact = [String::new(), String::new(), String::new()];
        let row = head(skill).into_iter().chain(numbers);
        out.write_record(row.chain(place("position")).chain(exact))?;
        if let Some(simulated) = &position.simulated {
            let lengths = simulated.moves.as_ref();
            let numbers = [
                String::new(),
                String::new(),
                known(lengths.map(|lengths| lengths.mean)),
                known(lengths.and_then(|lengths| lengths.sd)),
                within,
                simulated.win_within.to_string(),
                String::new(),
            ];
            let games = [
                simulated.games.to_string(),
                simulated.seed.to_string(),
                simulated.unfinished.to_string(),
            ];
            let row = head(skill).into_iter().chain(numbers);
            out.write_record(row.chain(place("simulation")).chain(games))?;
        }
    }
    out.flush()
}

/// How length and probability depend on the competence.
pub fn difficulty_panels(found: &[Endgame], moves: u32) -> [PlotPanel; 2] {
    let kept = |name: &str, value: &dyn Fn(&CurvePoint) -> f64| {
        let curve = |endgame: &Endgame| PlotCurve {
            name: format!("{}{name}", endgame.difficulty.endgame),
            points: endgame
                .difficulty
                .curve
                .iter()
                .map(|point| (point.competence, value(point)))
                .filter(|point| point.1 <= LONGEST_DRAWN)
                .collect(),
            ..PlotCurve::default()
        };
        found.iter().map(curve).collect::<Vec<_>>()
    };
    let risked = |endgame: &Endgame| PlotCurve {
        name: format!("{}, value at risk", endgame.difficulty.endgame),
        points: endgame
            .risk
            .curve
            .iter()
            .map(|point| (point.competence, point.win_within))
            .collect(),
        ..PlotCurve::default()
    };
    let hunted = |value: &dyn Fn(&Resisted) -> Option<f64>| {
        let asked = found.iter().filter(|endgame| !endgame.hunter.is_empty());
        let curve = |endgame: &Endgame| PlotCurve {
            name: format!("{} against the hunter", endgame.difficulty.endgame),
            points: endgame
                .hunter
                .iter()
                .filter_map(|point| Some((point.competence, value(&point.hunter)?)))
                .filter(|point| point.1 <= LONGEST_DRAWN)
                .collect(),
            ..PlotCurve::default()
        };
        asked.map(curve).collect::<Vec<_>>()
    };
    let mut lengths = kept("", &|point| point.expected_moves);
    lengths.extend(hunted(&|against| against.expected_moves));
    let mut chances = kept(", value kept", &|point| point.win_within);
    chances.extend(found.iter().map(risked));
    chances.extend(hunted(&|against| Some(against.win_within)));
    [
        PlotPanel {
            title: "Expected moves from the deepest wins, value kept, R_c against the infallible"
                .to_owned(),
            x: "competence c".to_owned(),
            y: "moves".to_owned(),
            logarithmic: true,
            curves: lengths,
            ..PlotPanel::default()
        },
        PlotPanel {
            title: format!("Chance to win the deepest wins within {moves} moves"),
            x: "competence c".to_owned(),
            y: "probability".to_owned(),
            curves: chances,
            ..PlotPanel::default()
        },
    ]
}

/// Writes difficulties as CSV, one row per endgame and competence; unknown values are left empty.
pub fn difficulty_csv(out: impl Write, found: &[Endgame]) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record([
        "endgame",
        "competence",
        "expected_moves",
        "win_within",
        "mean_moves",
        "mean_win_within",
        "metric",
        "moves",
        "risk_win_within",
        "risk_win",
        "risk_mean_win_within",
        "risk_mean_win",
        "hunter_expected_moves",
        "hunter_win_within",
        "hunter_mean_moves",
        "hunter_mean_win_within",
        "best_expected_moves",
        "best_win_within",
        "best_mean_moves",
        "best_mean_win_within",
    ])?;
    let text = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for endgame in found {
        let difficulty = &endgame.difficulty;
        let curve = difficulty.curve.iter().map(|point| point.competence);
        let hunted = endgame.hunter.iter().map(|point| point.competence);
        let mut competences: Vec<f64> = curve.chain(hunted).collect();
        competences.sort_by(f64::total_cmp);
        competences.dedup();
        for c in competences {
            let kept = difficulty.curve.iter().find(|point| point.competence == c);
            let mut risk = endgame.risk.curve.iter();
            let risk = risk.find(|point| point.competence == c);
            let hunted = endgame.hunter.iter().find(|point| point.competence == c);
            let head = [difficulty.endgame.to_string(), c.to_string()];
            let kept = [
                kept.map(|point| point.expected_moves),
                kept.map(|point| point.win_within),
                kept.map(|point| point.mean_moves),
                kept.map(|point| point.mean_win_within),
            ];
            let how = [difficulty.metric.to_string(), difficulty.moves.to_string()];
            let risk = [
                risk.map(|point| point.win_within),
                risk.map(|point| point.win),
                risk.map(|point| point.mean_win_within),
                risk.map(|point| point.mean_win),
            ];
            let resisted = |against: Option<&Resisted>| {
                [
                    against.and_then(|against| against.expected_moves),
                    against.map(|against| against.win_within),
                    against.and_then(|against| against.mean_moves),
                    against.map(|against| against.mean_win_within),
                ]
                .map(text)
            };
            let row = head.into_iter().chain(kept.map(text)).chain(how);
            let row = row.chain(risk.map(text));
            let row = row.chain(resisted(hunted.map(|point| &point.hunter)));
            out.write_record(row.chain(resisted(hunted.map(|point| &point.best))))?;
        }
    }
    out.flush()
}

/// Writes a matrix as CSV, one row per state.
pub fn matrix_csv(out: impl Write, answer: &markov::Answer) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    let head = ["state".to_owned(), "positions".to_owned()];
    let states = answer.states.iter().map(ToString::to_string);
    out.write_record(head.into_iter().chain(states))?;
    let rows = answer.states.iter().zip(&answer.positions);
    for ((state, positions), row) in rows.zip(&answer.matrix) {
        let head = [state.to_string(), positions.to_string()];
        out.write_record(head.into_iter().chain(row.iter().map(f64::to_string)))?;
    }
    out.flush()
}
