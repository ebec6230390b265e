//! Plots of fits over ratings, and descriptions of failed fits.

use errare_rating::Convergence;
use errare_service::fit::Answer;

use crate::chart::{self, ChartError, ChartPanel, Dot};

/// The length of error bars, in standard errors.
const REACH: f64 = 2.0;

/// Three panels: s with its errors, and mm and ad, actual and projected.
pub fn drawing(answer: &Answer) -> Result<String, ChartError> {
    let titles = [
        ("s", "s, with two standard errors"),
        (
            "mm",
            "first-move matches: played (dots) and projected (line)",
        ),
        (
            "ad",
            "average difference: played (dots) and projected (line)",
        ),
    ];
    let mut panels = titles.map(|(y, title)| ChartPanel {
        title: title.to_owned(),
        x: "Elo".to_owned(),
        y: y.to_owned(),
        ..ChartPanel::default()
    });
    for class in &answer.classes {
        let (Some(milepost), Some(known)) = (class.milepost, &class.known) else {
            continue;
        };
        let dot = |value: f64, error: f64, projected| Dot {
            x: milepost.into(),
            low: value - REACH * error,
            value,
            high: value + REACH * error,
            open: [false; 2],
            projected,
        };
        if let (Some(fits), Some(method)) = (&known.fits, answer.method) {
            let fit = fits.by(method);
            let error = fit.s_se.unwrap_or(0.0);
            panels[0].dots.push(dot(fit.s, error, None));
        }
        for (panel, compared) in panels[1..].iter_mut().zip([known.mm, known.ad]) {
            let projected = Some(compared.projected);
            panel
                .dots
                .push(dot(compared.actual, compared.sd, projected));
        }
    }
    chart::dots(&panels)
}

/// Describes fits that failed or nearly failed.
pub(crate) fn troubles(answer: &Answer) -> Vec<String> {
    let trouble = |(class, method, convergence): (String, _, _)| match convergence {
        Convergence::Converged => None,
        Convergence::AtBound => Some(format!(
            "{class}, {method}: there is no optimum within sensible bounds; s and c are where the search ended"
        )),
        Convergence::NotConverged => {
            Some(format!("{class}, {method}: the search did not converge"))
        }
    };
    answer.convergence().filter_map(trouble).collect()
}
