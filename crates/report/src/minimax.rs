//! Random minimaxing as plots and CSV.

use std::io::{self, Write};

use errare_service::minimax::sweep::{Answer, SweepMove};

use crate::plot::{MOST_CURVES, PlotCurve, PlotPanel};

/// The variable of a sweep, depth or alpha, and its values.
pub(crate) fn varying(answer: &Answer) -> (&'static str, Vec<String>) {
    let steps = answer.steps.iter();
    match answer
        .steps
        .windows(2)
        .any(|two| two[0].alpha != two[1].alpha)
    {
        false => ("depth", steps.map(|step| step.depth.to_string()).collect()),
        true => ("alpha", steps.map(|step| step.alpha.to_string()).collect()),
    }
}

/// How probabilities change with the variable: the curves that reach highest.
pub fn sweep_panel(answer: &Answer) -> PlotPanel {
    let (axis, steps) = varying(answer);
    let top = |each: &SweepMove| each.probabilities.iter().copied().fold(0.0, f64::max);
    let mut highest: Vec<&SweepMove> = answer.moves.iter().collect();
    highest.sort_by(|a, b| top(b).total_cmp(&top(a)));
    highest.truncate(MOST_CURVES);
    let curve = |each: &SweepMove| PlotCurve {
        name: each.san.clone(),
        points: (0..)
            .map(f64::from)
            .zip(each.probabilities.iter().copied())
            .collect(),
        ..PlotCurve::default()
    };
    PlotPanel {
        title: "Random minimaxing".to_owned(),
        x: axis.to_owned(),
        steps,
        y: "probability".to_owned(),
        curves: highest.into_iter().map(curve).collect(),
        ..PlotPanel::default()
    }
}

/// Writes one row per move and search.
pub fn sweep_csv(out: impl Write, answer: &Answer) -> io::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(["uci", "san", "depth", "alpha", "probability"])?;
    for each in &answer.moves {
        for (step, probability) in answer.steps.iter().zip(&each.probabilities) {
            let (depth, alpha) = (step.depth.to_string(), step.alpha.to_string());
            let probability = probability.to_string();
            out.write_record([&each.uci, &each.san, &depth, &alpha, &probability])?;
        }
    }
    out.flush()
}
