//! `errare calibrate`: which agent plays like people of which rating.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_choice::{Curve, Link};
use errare_rating::{Calibration, Estimator, PlayerTurns, RatedSample, Recipe, Sample};
use indicatif::HumanCount;

use crate::{files, modelling::Mileposts, output, viewing::Viewing};

/// Makes a calibration from the games of players of known ratings
///
/// s and c are fitted to each milepost; c is made a line over the rating, and s is fitted again. What
/// each of these agents is projected to give away on one set of positions makes the line from which
/// ratings are read. The z of all players of the games say by how much later z must be adjusted.
///
/// A calibration holds for one engine, version, net and depth; it carries them and refuses others.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    viewing: Viewing,

    #[command(flatten)]
    mileposts: Mileposts,

    /// Where to write the calibration
    #[arg(short, long, value_name = "CALIBRATION.json")]
    output: PathBuf,

    /// How proxies become probabilities: loglog, norm or blend
    #[arg(long, default_value = "blend")]
    link: Link,

    /// The curve: inverse-exponential, ipa, ipb, secha or sechb
    #[arg(long, default_value = "inverse-exponential")]
    curve: Curve,

    /// How agents are held against moves: percentile, likelihood or mm_ad
    #[arg(long, default_value = "likelihood")]
    method: Estimator,

    /// Do it as the paper does: inverse exponential, loglog, percentiles
    #[arg(long, conflicts_with_all = ["link", "curve", "method"])]
    paper: bool,

    /// Print the calibration as JSON as well
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare calibrate study.db -o calibration.json
  errare calibrate study.db --years 2006-2009 --milepost 2700,2600,2500,2400,2300 -o calibration.json
  errare calibrate study.db --depth 8 -o depth8.json";

/// Calibrates and writes.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (study, view) = arguments.viewing.open()?;
    let classes = arguments.mileposts.classing(&[]).read(&study, &view)?;
    let classes: Vec<(u16, Sample)> = classes
        .into_iter()
        .filter_map(|class| Some((class.milepost?, class.sample)))
        .collect();
    let players: Vec<RatedSample> = PlayerTurns::all(&study, &view)?
        .iter()
        .filter_map(|player| {
            let elo = player.elo()?;
            let sample = player.sample(|_| true);
            Some(RatedSample { elo, sample })
        })
        .collect();
    let (curve, link, estimator) = if arguments.paper {
        (
            Curve::InverseExponential,
            Link::LogLog,
            Estimator::Percentile,
        )
    } else {
        (arguments.curve, arguments.link, arguments.method)
    };
    let recipe = Recipe {
        engine: view.engine,
        curve,
        link,
        estimator,
    };
    let calibration = recipe.calibrate(&classes, &players)?;
    for warning in &calibration.warnings {
        talk!("errare: {warning}");
    }
    let mut text = serde_json::to_string_pretty(&calibration)?;
    text.push('\n');
    files::write(&arguments.output, &text)?;
    if arguments.json {
        output::json(&calibration)?;
    } else {
        print(&calibration)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(calibration: &Calibration) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", calibration.engine)?;
    let Calibration {
        curve,
        link,
        estimator,
        ..
    } = calibration;
    writeln!(out, "{curve}, {link}, {estimator}\n")?;
    let mut table = output::table([
        "Elo", "turns", "s", "c", "c fit", "s fit", "±", "mm %", "proj.", "ad", "proj.", "Q_fit",
        "ad ref.",
    ]);
    for class in &calibration.classes {
        table.add_row([
            class.milepost.to_string(),
            HumanCount(class.turns as u64).to_string(),
            format!("{:.4}", class.s),
            format!("{:.3}", class.c),
            format!("{:.3}", class.c_fit),
            format!("{:.4}", class.s_fit),
            class
                .s_fit_error
                .map_or("-".to_owned(), |error| format!("{error:.4}")),
            format!("{:.1}", 100.0 * class.mm[0]),
            format!("{:.1}", 100.0 * class.mm[1]),
            format!("{:.4}", class.ad[0]),
            format!("{:.4}", class.ad[1]),
            format!("{:.3}", class.q_fit),
            format!("{:.4}", class.reference_ad),
        ]);
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "{table}\n")?;
    let line = calibration.reference_line;
    writeln!(
        out,
        "Elo = {:.0} {:+.0} ad, rms {:.0}; c = {:.4} {:+.5} Elo / 100",
        line.intercept,
        line.slope,
        line.rms,
        calibration.c_line.intercept,
        100.0 * calibration.c_line.slope
    )?;
    let inflation = calibration.inflation;
    writeln!(
        out,
        "z scatter by {:.2} (mm), {:.2} (equal value), {:.2} (ad), from {} players",
        inflation.mm, inflation.equal, inflation.ad, inflation.players
    )?;
    Ok(())
}
