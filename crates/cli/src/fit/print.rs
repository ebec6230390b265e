//! Fits for people and for spreadsheets.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use errare_rating::{Convergence, Estimator, Rating};
use indicatif::HumanCount;

use super::answer::{Answer, ClassAnswer, FitAnswer, Known};
use crate::output;

/// Prints a table with the fit whose projections are shown.
pub(super) fn table(answer: &Answer) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", answer.engine)?;
    let how = match answer.method {
        Some(method) => format!(", {method}"),
        None => String::new(),
    };
    writeln!(out, "{}, {}{how}\n", answer.curve, answer.link)?;
    let mut head = vec![
        "Elo", "turns", "s", "c", "mm %", "proj.", "sd", "ad", "proj.", "sd", "Q_fit", "log-loss",
    ];
    let rated = answer.classes.iter().any(|class| class.rating.is_some());
    if rated {
        head.extend(["rating", "95 %"]);
    }
    let mut table = output::table(head);
    for class in &answer.classes {
        let mut row = row(class, answer.method);
        if rated {
            row.extend(match class.rating {
                Some(Rating {
                    mean, low, high, ..
                }) => [format!("{mean:.0}"), format!("{low:.0} to {high:.0}")],
                None => ["-".to_owned(), "-".to_owned()],
            });
        }
        table.add_row(row);
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "{table}\n")?;
    for class in &answer.classes {
        let count =
            |(reason, number): (_, &usize)| format!("{} {reason}", HumanCount(*number as u64));
        let reasons: Vec<String> = class.excluded.iter().map(count).collect();
        if !reasons.is_empty() {
            writeln!(out, "{} not used: {}", name(class), reasons.join(", "))?;
        }
    }
    if let Some(line) = answer.c_line {
        writeln!(
            out,
            "c = {:.4} {:+.5} Elo / 100",
            line.intercept,
            100.0 * line.slope
        )?;
    }
    if answer.method.is_some() {
        writeln!(out, "± standard errors; --json has all three fits.")?;
    }
    Ok(())
}

fn name(class: &ClassAnswer) -> String {
    class
        .milepost
        .map_or("all".to_owned(), |milepost| milepost.to_string())
}

fn row(class: &ClassAnswer, method: Option<Estimator>) -> Vec<String> {
    let mut row = vec![name(class), HumanCount(class.turns as u64).to_string()];
    let Some(known) = &class.known else {
        row.resize(12, "-".to_owned());
        return row;
    };
    let fit = fit(known, method);
    let with_error = |value: fn(&FitAnswer) -> f64, error: fn(&FitAnswer) -> Option<f64>| match fit
    {
        None => "-".to_owned(),
        Some(fit) => match error(fit) {
            Some(error) => format!("{:.4} ± {error:.4}", value(fit)),
            None => format!("{:.4}", value(fit)),
        },
    };
    row.push(with_error(|fit| fit.s, |fit| fit.s_se));
    row.push(with_error(|fit| fit.c, |fit| fit.c_se));
    let Known { mm, ad, .. } = known;
    row.extend([mm.actual, mm.projected, mm.sd].map(|share| format!("{:.1}", 100.0 * share)));
    row.extend([ad.actual, ad.projected, ad.sd].map(|mean| format!("{mean:.4}")));
    row.push(format!("{:.3}", known.q_fit));
    row.push(format!("{:.4}", known.log_loss));
    row
}

fn fit(known: &Known, method: Option<Estimator>) -> Option<&FitAnswer> {
    Some(known.fits.as_ref()?.by(method?))
}

/// Prints a row a class and method.
pub(super) fn csv(answer: &Answer) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "milepost,turns,method,s,s_se,c,c_se,mm,mm_projected,mm_sd,ad,ad_projected,ad_sd,q_fit,log_loss"
    )?;
    for class in &answer.classes {
        let Some(known) = &class.known else { continue };
        let Known { mm, ad, .. } = known;
        let tail = format!(
            "{},{},{},{},{},{},{},{}",
            mm.actual,
            mm.projected,
            mm.sd,
            ad.actual,
            ad.projected,
            ad.sd,
            known.q_fit,
            known.log_loss
        );
        let milepost = class.milepost.map_or(String::new(), |it| it.to_string());
        let head = format!("{milepost},{}", class.turns);
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        match &known.fits {
            None => writeln!(out, "{head},,,,,,{tail}")?,
            Some(fits) => {
                for method in Estimator::ALL {
                    let fit = fits.by(method);
                    let (s_se, c_se) = (number(fit.s_se), number(fit.c_se));
                    // Projections belong to one method only.
                    let shown = answer.method == Some(method);
                    let tail = if shown { &tail } else { ",,,,,,," };
                    writeln!(
                        out,
                        "{head},{method},{},{s_se},{},{c_se},{tail}",
                        fit.s, fit.c
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// Tells of fits that did not converge; the answer is no then.
pub(super) fn verdict(answer: &Answer) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for class in &answer.classes {
        let Some(fits) = class.known.as_ref().and_then(|known| known.fits.as_ref()) else {
            continue;
        };
        for method in Estimator::ALL {
            match fits.by(method).convergence {
                Convergence::Converged => {}
                Convergence::AtBound => talk!(
                    "errare: {}, {method}: the turns have no optimum within sensible bounds; \
                     s and c are only where the search ended",
                    name(class)
                ),
                Convergence::NotConverged => {
                    talk!(
                        "errare: {}, {method}: the search did not converge",
                        name(class)
                    );
                    code = ExitCode::from(1);
                }
            }
        }
    }
    code
}
