//! `errare fit`: which agent plays like the players of a rating.

mod answer;
mod plot;
mod print;

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::{Args, ValueEnum};
use errare_choice::{Agent, Curve, Link};
use errare_rating::{By, Class, Classing, Estimator};

use crate::{
    calibrating::Calibrating,
    modelling::{At, Mileposts, linked},
    output,
    viewing::Viewing,
};

/// Fits the model agents of Regan and Haworth to the players of a study
///
/// Players are put into classes by rating, and for each class the sensitivity s and the consistency c
/// are found with which an agent plays most like them, in three ways: by percentiles as in the paper, by
/// maximum likelihood, and by matching first-move matches (mm) and average difference (ad). The smaller
/// s, the better the play.
///
/// Errors are those of independent turns, or of the bootstrap over games with --bootstrap.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    viewing: Viewing,

    /// What makes a class
    #[arg(long, value_enum, default_value = "elo")]
    by: Classes,

    #[command(flatten)]
    mileposts: Mileposts,

    /// How proxies become probabilities: loglog, norm or blend
    #[arg(long, default_value = "loglog")]
    link: Link,

    /// The share of norm in the blend [default: it is fitted]
    #[arg(long)]
    lambda: Option<f64>,

    /// The curve: inverse-exponential, ipa, ipb, secha or sechb
    #[arg(long, default_value = "inverse-exponential")]
    curve: Curve,

    /// Fit s alone, with this c
    #[arg(long)]
    c: Option<f64>,

    /// Make c a line over the ratings, then fit s alone
    #[arg(long, conflicts_with_all = ["c", "at"])]
    c_line: bool,

    /// Do it as the paper does: inverse exponential, loglog, percentiles, c from a line
    #[arg(long, conflicts_with_all = ["link", "lambda", "curve", "c", "at", "levels", "method"])]
    paper: bool,

    /// The fit whose projections are shown
    #[arg(long, default_value = "percentile")]
    method: Estimator,

    /// Look at these depths as well, and fit their weights: 1 or 1,5
    #[arg(long, value_name = "DEPTH,...", value_delimiter = ',')]
    levels: Vec<u8>,

    /// Do not fit: hold the agent with these parameters against the classes
    #[arg(long, value_name = "s=S,c=C", conflicts_with_all = ["c", "levels", "bootstrap", "c_line", "lambda"])]
    at: Option<At>,

    /// Rate each class as well, as if it were one player, by a calibration: has the standard of a
    /// rating changed over the years?
    #[arg(long)]
    rate: bool,

    #[command(flatten)]
    calibrating: Calibrating,

    /// Errors by this many replicates of the games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    bootstrap: Option<u32>,

    /// The seed of the bootstrap [default: a random one]
    #[arg(long, requires = "bootstrap")]
    seed: Option<u64>,

    /// Draw s, mm and ad over the ratings as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Print JSON instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare fit study.db --by elo --milepost 2700,2400,2100
  errare fit study.db --paper --years 2006-2009 --plot fit.svg
  errare fit study.db --link blend --method likelihood --bootstrap 200
  errare fit study.db --years 1976-1979 --rate    what would these players be rated at today?
  errare fit study.db --levels 1                  how much do shallow temptations count?
  errare fit study.db --at s=0.08,c=0.513 --json  no fit: projections at these parameters";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Classes {
    /// The rating of both players
    Elo,
    /// Nothing: all turns are one class
    All,
}

/// Fits, or only projects.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (study, view) = arguments.viewing.open()?;
    let mut classing = arguments.mileposts.classing(&arguments.levels);
    if let Classes::All = arguments.by {
        let by = By::All;
        classing = Classing { by, ..classing };
    }
    let classes = classing.read(&study, &view)?;
    if classes.iter().all(|class| class.sample.is_empty()) {
        talk!(
            "errare: no turn of the study is in a class; \
             see the ratings in the games, --milepost, --width and --years"
        );
        return Ok(ExitCode::from(1));
    }
    let calibration = match arguments.rate {
        true => Some(arguments.calibrating.load(&view.engine)?),
        false => None,
    };
    let mut answer = match &arguments.at {
        Some(at) => answer::Answer::at(view.engine, &classes, &agent(arguments, at)?),
        None => answer::fit(arguments, view.engine, &classes)?,
    };
    if let Some(calibration) = &calibration {
        answer.rate(&classes, calibration)?;
    }
    if let Some(path) = &arguments.plot {
        plot::draw(path, &answer)?;
    }
    if arguments.json {
        output::json(&answer)?;
    } else if arguments.csv {
        print::csv(&answer)?;
    } else {
        print::table(&answer)?;
    }
    Ok(print::verdict(&answer))
}

fn agent(arguments: &Arguments, at: &At) -> Result<Agent> {
    let agent = Agent {
        curve: arguments.curve,
        link: linked(arguments.link, at.lambda)?,
        s: at.s,
        c: at.c,
        weights: Vec::new(),
    };
    agent.check()?;
    Ok(agent)
}

/// The classes that have turns.
fn inhabited(classes: &[Class]) -> impl Iterator<Item = &Class> {
    classes.iter().filter(|class| !class.sample.is_empty())
}
