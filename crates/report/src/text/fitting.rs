//! Fits by class of rating, and which fit the projections belong to.

use std::io::{self, Write};

use errare_core::grouped;
use errare_rating::{Estimator, Rating};
use errare_service::fit::{AgentFit, Answer, ClassAnswer, Known};

use super::{Text, table};
use crate::fitting::troubles;

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.engine)?;
        let how = match self.method {
            Some(method) => format!(", {method}"),
            None => String::new(),
        };
        writeln!(out, "{}, {}{how}\n", self.curve, self.link)?;
        let head = ["Elo", "turns", "s", "c", "Q_fit", "log-loss"];
        let rows = self.classes.iter().map(|class| fitted(class, self.method));
        table(out, head, 1, rows)?;
        writeln!(out)?;
        let mut head = vec!["Elo", "mm %", "proj.", "ad", "proj."];
        let rated = self.classes.iter().any(|class| class.rating.is_some());
        if rated {
            head.extend(["rating", "95 %"]);
        }
        let rows = self.classes.iter().map(|class| {
            let mut row = projected(class);
            if rated {
                row.extend(match class.rating {
                    Some(Rating {
                        mean, low, high, ..
                    }) => [format!("{mean:.0}"), format!("{low:.0} to {high:.0}")],
                    None => ["-".to_owned(), "-".to_owned()],
                });
            }
            row
        });
        table(out, head, 1, rows)?;
        writeln!(out)?;
        for class in &self.classes {
            let count =
                |(reason, number): (_, &usize)| format!("{} {reason}", grouped(*number as u64));
            let reasons: Vec<String> = class.excluded.iter().map(count).collect();
            if !reasons.is_empty() {
                writeln!(out, "{} not used: {}", class.name(), reasons.join(", "))?;
            }
        }
        if let Some(line) = self.c_line {
            writeln!(
                out,
                "c = {:.4} {:+.5} Elo / 100",
                line.intercept,
                100.0 * line.slope
            )?;
        }
        for warning in &self.warnings {
            writeln!(out, "Note: {warning}.")?;
        }
        if self.method.is_some() {
            writeln!(out, "± standard errors; --json has all three fits.")?;
        }
        writeln!(out, "{LEGEND}")
    }

    fn remarks(&self) -> Vec<String> {
        troubles(self)
    }

    fn aside(&self) -> Option<String> {
        Some(format!("errare: seed {}", self.seed?))
    }
}

/// The meaning of the columns.
const LEGEND: &str = "\
mm: the engine's first move was played. ad: what moves cost on average, scaled.
proj.: what the fitted agent would do on the same turns. Q_fit: how far it is
off at moves of all ranks, 0 is best. log-loss: in nats a turn.";

/// The fit of a class.
fn fitted(class: &ClassAnswer, method: Option<Estimator>) -> Vec<String> {
    let mut row = vec![class.name(), grouped(class.turns as u64)];
    let Some(known) = &class.known else {
        row.resize(6, "-".to_owned());
        return row;
    };
    let fit = fit_shown(known, method);
    let with_error = |value: fn(&AgentFit) -> f64, error: fn(&AgentFit) -> Option<f64>| match fit {
        None => "-".to_owned(),
        Some(fit) => match error(fit) {
            Some(error) => format!("{:.4} ± {error:.4}", value(fit)),
            None => format!("{:.4}", value(fit)),
        },
    };
    row.push(with_error(|fit| fit.s, |fit| fit.s_se));
    row.push(with_error(|fit| fit.c, |fit| fit.c_se));
    row.push(format!("{:.3}", known.q_fit));
    row.push(format!("{:.4}", known.log_loss));
    row
}

/// What was played in a class, and what the fit projects.
fn projected(class: &ClassAnswer) -> Vec<String> {
    let mut row = vec![class.name()];
    let Some(Known { mm, ad, .. }) = &class.known else {
        row.resize(5, "-".to_owned());
        return row;
    };
    row.extend([mm.actual, mm.projected].map(|share| format!("{:.1}", 100.0 * share)));
    row.extend([ad.actual, ad.projected].map(|mean| format!("{mean:.4}")));
    row
}

fn fit_shown(known: &Known, method: Option<Estimator>) -> Option<&AgentFit> {
    Some(known.fits.as_ref()?.by(method?))
}
