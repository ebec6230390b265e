//! The report on the quality of a calibration.

use errare_rating::continuous::{Calibration, Quality};

use super::Page;
use crate::{
    chart::{self, ChartError, ChartPanel, Dot},
    coverage::{self, percent},
    text::or_dash,
};

/// The page.
pub fn calibration(calibration: &Calibration, command: Option<&str>) -> Result<String, ChartError> {
    let mut page = Page::new("Quality of a calibration");
    let Calibration {
        origin, quality, ..
    } = calibration;
    page.paragraph(&format!(
        "{}; {} games, {} players, {} turns, Elo {:.0} to {:.0}.",
        calibration.engine,
        origin.games,
        origin.players,
        origin.turns,
        origin.elo[0],
        origin.elo[1]
    ));
    for warning in &calibration.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    figures(&mut page, quality);
    intervals(&mut page, quality);
    log_loss(&mut page, quality);
    classes(&mut page, quality);
    curves(&mut page, quality)?;
    reliability(&mut page, quality)?;
    effects(&mut page, calibration);
    situations(&mut page, quality);
    if let Some(command) = command {
        page.heading("Basis");
        page.facts([
            ("Program", format!("Errare {}", env!("CARGO_PKG_VERSION"))),
            ("Command", command.to_owned()),
        ]);
    }
    Ok(page.finish())
}

/// The questions a reader asks first: are moves predicted, do intervals hold, is it unbiased?
fn figures(page: &mut Page, quality: &Quality) {
    let loss = &quality.log_loss;
    let mut figures = vec![(
        "log-loss in games left out",
        format!("{:.3}", loss.lines),
        format!("{:.3} by the paper's model", loss.paper),
    )];
    for row in coverage::rows(&quality.coverage) {
        figures.push((
            "95 % intervals that contain the Elo",
            format!("{} %", row[2]),
            format!("of {} {}", row[1], row[0]),
        ));
    }
    if let Some([mm, ad]) = quality.rms_z {
        figures.push((
            "root mean square of z by class (1 is chance)",
            format!("{mm:.2}"),
            format!("mm; {ad:.2} ad"),
        ));
    }
    page.figures(figures);
}

fn intervals(page: &mut Page, quality: &Quality) {
    page.heading("Coverage");
    page.paragraph(&format!(
        "How often 95 % intervals contain a player's Elo, by calibrations without any turn of that player. {}",
        coverage::LEGEND
    ));
    page.table(&coverage::HEAD, coverage::rows(&quality.coverage));
}

fn log_loss(page: &mut Page, quality: &Quality) {
    let loss = &quality.log_loss;
    page.heading("Log-loss");
    page.paragraph(&format!(
        "Mean -ln p of {} moves in games that were left out; the smaller the better.",
        loss.turns
    ));
    let row = |name: &str, value: f64| vec![name.to_owned(), format!("{value:.4}")];
    page.table(
        &["model", "log-loss"],
        [
            row("this calibration", loss.lines),
            row("the same, on the turns it is fitted to", loss.fitted),
            row("blend of loglog and norm", loss.blend),
            row("the paper's model", loss.paper),
        ],
    );
}

fn classes(page: &mut Page, quality: &Quality) {
    page.heading("Matches and differences by class");
    page.paragraph(
        "In left-out games. Positive z: more agreement with the engine. Classes of fewer than ten games have no z.",
    );
    let rows = quality.classes.iter().map(|class| {
        vec![
            class.elo.to_string(),
            class.games.to_string(),
            class.turns.to_string(),
            format!("{:.3}", class.log_loss),
            percent(class.mm[0]),
            percent(class.mm[1]),
            or_dash(class.z_mm, |z| format!("{z:+.2}")),
            format!("{:.4}", class.ad[0]),
            format!("{:.4}", class.ad[1]),
            or_dash(class.z_ad, |z| format!("{z:+.2}")),
        ]
    });
    page.table(
        &[
            "Elo", "games", "turns", "log-loss", "mm %", "proj.", "z", "ad", "proj.", "z",
        ],
        rows,
    );
}

fn curves(page: &mut Page, quality: &Quality) -> Result<(), ChartError> {
    page.heading("Weights over Elo");
    page.paragraph(
        "How much each feature of a move counts for people of each rating. Bars are two standard errors. cost: what \
         the move gives away; first: the engine's first move; ranks: its ranks at these depths; cost-ahead \
         and cost-early: how the weight of the cost changes for the side that is ahead, and up to move 12.",
    );
    let mut features: Vec<&str> = Vec::new();
    for point in &quality.curves {
        if !features.contains(&&*point.feature) {
            features.push(&point.feature);
        }
    }
    let panel = |feature: &&str| {
        let points = quality.curves.iter().filter(|it| it.feature == **feature);
        ChartPanel {
            title: (*feature).to_owned(),
            x: "Elo".to_owned(),
            y: "weight".to_owned(),
            dots: points
                .map(|it| Dot {
                    x: it.elo,
                    low: it.low,
                    value: it.weight,
                    high: it.high,
                    open: [false; 2],
                    projected: Some(it.weight),
                })
                .collect(),
            ..ChartPanel::default()
        }
    };
    let panels: Vec<ChartPanel> = features.iter().map(panel).collect();
    if !panels.is_empty() {
        page.svg(&chart::pairs(&panels)?);
    }
    Ok(())
}

fn reliability(page: &mut Page, quality: &Quality) -> Result<(), ChartError> {
    page.heading("Reliability");
    page.paragraph(
        "Predicted probabilities compared with observed frequencies, in held-out games.",
    );
    let rows = quality.reliability.iter().map(|class| {
        vec![
            format!("{} to {} %", percent(class.low), percent(class.high)),
            class.options.to_string(),
            percent(class.projected),
            percent(class.actual),
        ]
    });
    page.table(&["probability", "moves", "projected %", "played %"], rows);
    let dots = quality.reliability.iter().map(|class| {
        let error =
            2.0 * (class.actual * (1.0 - class.actual) / class.options.max(1) as f64).sqrt();
        Dot {
            x: 100.0 * class.projected,
            low: 100.0 * (class.actual - error),
            value: 100.0 * class.actual,
            high: 100.0 * (class.actual + error),
            open: [false; 2],
            projected: Some(100.0 * class.projected),
        }
    });
    page.svg(&chart::dots(&[ChartPanel {
        title: "Observed over predicted frequency of moves".to_owned(),
        x: "projected %".to_owned(),
        y: "played %".to_owned(),
        dots: dots.collect(),
        ..ChartPanel::default()
    }])?);
    Ok(())
}

fn effects(page: &mut Page, calibration: &Calibration) {
    let effects = &calibration.effects;
    page.heading("Effects of players and games");
    page.paragraph(&format!(
        "Standard deviations in Elo: {:.0} of a player permanently (from {} players), {:.0} of a game.",
        effects.player.sd(),
        effects.player.count,
        effects.of_game().max(0.0).sqrt()
    ));
    page.paragraph(&format!(
        "The adjusted z of {} honest players scatter by {:.2} (mm) and {:.2} (ad).",
        calibration.honest.players(),
        calibration.honest.scatter[0],
        calibration.honest.scatter[2]
    ));
}

fn situations(page: &mut Page, quality: &Quality) {
    if quality.situations.is_empty() {
        return;
    }
    page.heading("Situations");
    page.paragraph("Elo by which play in a situation looks better than it is; negative if worse.");
    let rows = quality.situations.iter().map(|situation| {
        vec![
            situation.name.clone(),
            situation.turns.to_string(),
            format!("{:+.0}", situation.offset),
            format!("± {:.0}", situation.error),
        ]
    });
    page.table(&["situation", "turns", "Elo", ""], rows);
}
