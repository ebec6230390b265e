//! `errare fit`: which agent plays like the players of a rating.

use clap::ValueEnum;
use errare_choice::{Curve, Link};
use errare_rating::Estimator;
use errare_report::{csv, fitting};
use errare_service::{
    CalibrationChoice,
    fit::{self, At},
};

use crate::prelude::*;

/// Fits the model agents of Regan and Haworth to the players of a study
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study: StudyOptions,

    /// What makes a class
    #[arg(long, value_enum, default_value = "elo")]
    by: By,

    #[command(flatten)]
    classes: ClassOptions,

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

    /// Fit as the paper does: inverse exponential, loglog, percentiles, c from a line
    #[arg(long, conflicts_with_all = ["link", "lambda", "curve", "c", "at", "levels", "method"])]
    paper: bool,

    /// The fit whose projections are shown
    #[arg(long, default_value = "percentile")]
    method: Estimator,

    /// Use these depths as well, and fit their weights: 1 or 1,5
    #[arg(long, value_name = "DEPTH,...", value_delimiter = ',')]
    levels: Vec<u8>,

    /// Do not fit: compare the agent with these parameters with the classes
    #[arg(
        long, value_name = "s=S,c=C",
        conflicts_with_all = ["c", "levels", "bootstrap", "c_line", "lambda"]
    )]
    at: Option<At>,

    /// Rate each class as well, as if it were one player, by a calibration: has the standard of a
    /// rating changed over the years?
    #[arg(long)]
    rate: bool,

    #[command(flatten)]
    calibration: CalibrationOptions,

    /// Errors by this many replicates of the games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    bootstrap: Option<u32>,

    /// The seed of the bootstrap [default: random, printed]
    #[arg(long, requires = "bootstrap")]
    seed: Option<u64>,

    #[command(flatten)]
    pub(crate) queue: QueueOptions,

    /// Draw s, mm and ad over the ratings as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    /// The rating of both players
    Elo,
    /// Nothing: all turns are one class
    All,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    let request = request(arguments);
    let answer = watched(|watch| fit::answer(&service, &request, watch))?;
    if arguments.queue.detached {
        return Ok(ExitCode::SUCCESS);
    }
    files::write_to(arguments.plot.as_ref(), || fitting::drawing(&answer))?;
    arguments.format.show(&answer, csv::fits)?;
    Ok(exit_code(answer.converged()))
}

fn request(arguments: &Arguments) -> fit::Request {
    let queue = arguments.queue.choice();
    let is_queued = queue.is_some() && arguments.bootstrap.is_some();
    let mut classes = arguments.classes.classes();
    classes.all = matches!(arguments.by, By::All);
    fit::Request {
        view: arguments.study.view(),
        classes,
        link: arguments.link,
        lambda: arguments.lambda,
        curve: arguments.curve,
        c: arguments.c,
        c_line: arguments.c_line,
        paper: arguments.paper,
        method: arguments.method,
        levels: arguments.levels.clone(),
        at: arguments.at,
        rate: arguments.rate.then(|| CalibrationChoice {
            paper: true,
            ..arguments.calibration.choice()
        }),
        bootstrap: arguments.bootstrap.map(|replicates| replicates as usize),
        seed: match is_queued {
            true => Some(queue_seed(arguments.seed, "fit")),
            false => arguments.seed,
        },
        queue,
    }
}
