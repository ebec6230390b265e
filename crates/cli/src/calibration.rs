//! `errare calibration`: calibrations that exist, side by side, or held against other games.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use errare_report::page;
use errare_service::{AnyCalibration, check, compare, fit::Years};

use crate::{
    files,
    options::{calibration::CalibrationOptions, directory, evidence, study::StudyOptions},
    output,
    watch::watched,
};

/// Looks at calibrations: list, show, compare, check
///
/// A calibration is named by its file, or by its name if it comes with the program.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  errare calibration list
  errare calibration show stockfish-15.1-depth-8 --html quality.html
  errare calibration compare mine.json stockfish-15.1-depth-8
  errare calibration check other.db --years 1976-1979,1991-1994";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Lists the calibrations that come with the program
    List {
        /// Print JSON instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Shows what a calibration is made of and how good it is
    Show {
        /// A file, or the name of a calibration that comes with the program
        calibration: String,
        /// Write the report on its quality as a page
        #[arg(long, value_name = "REPORT.html")]
        html: Option<PathBuf>,
        /// Print the calibration as JSON: the file that others can use
        #[arg(long)]
        json: bool,
    },
    /// Puts calibrations side by side: samples, weights, predictions, intervals, thresholds
    Compare {
        /// Files, or names of calibrations that come with the program
        #[arg(required = true)]
        calibrations: Vec<String>,
        /// Print JSON instead of tables
        #[arg(long)]
        json: bool,
    },
    /// Holds a calibration against games that it is not made of
    ///
    /// Says how well the moves of these games are predicted, whether intervals for Elo contain the Elo of their
    /// players, and by how much they play better or worse than people of the same ratings in the games
    /// of the calibration: with --years, that is inflation or deflation of ratings.
    Check {
        #[command(flatten)]
        study: StudyOptions,
        #[command(flatten)]
        calibration: CalibrationOptions,
        /// Periods to check one by one, as 1976-1979,1991-1994 [default: all games together]
        #[arg(long, value_name = "FROM-TO,...", value_delimiter = ',')]
        years: Vec<Years>,
        /// Print JSON instead of tables
        #[arg(long)]
        json: bool,
    },
}

/// Does what is asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.verb {
        Verb::List { json } => output::show(&compare::shipped(), *json),
        Verb::Show {
            calibration,
            html,
            json,
        } => show(calibration, html.as_ref(), *json),
        Verb::Compare { calibrations, json } => {
            let request = compare::Request {
                calibrations: calibrations.clone(),
            };
            output::show(&compare::answer(&directory::service()?, &request)?, *json)
        }
        Verb::Check {
            study,
            calibration,
            years,
            json,
        } => {
            let request = check::Request {
                view: study.view(),
                calibration: calibration.choice(),
                periods: years.iter().map(|years| years.0).collect(),
            };
            let service = directory::service()?;
            let answer = watched(|watch| check::answer(&service, &request, watch))?;
            for warning in &answer.warnings {
                talk!("errare: {warning}");
            }
            output::show(&answer, *json)
        }
    }
}

fn show(name: &str, html: Option<&PathBuf>, json: bool) -> Result<ExitCode> {
    let calibration = AnyCalibration::named(name)?;
    for warning in calibration.warnings() {
        talk!("errare: {warning}");
    }
    match (html, &calibration) {
        (None, _) => {}
        (Some(path), AnyCalibration::Continuous(calibration)) => files::write(
            path,
            &page::calibration(calibration, Some(&evidence::command()))?,
        )?,
        (Some(_), AnyCalibration::Paper(_)) => {
            bail!("{name} has agents by milepost, on whose quality there is no page")
        }
    }
    output::show(&calibration, json)
}
