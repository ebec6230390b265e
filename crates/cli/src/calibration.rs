//! `errare calibration`: calibrations that exist, side by side, or checked against other games.

use errare_report::page;
use errare_service::{AnyCalibration, check, compare, fit::Years};

use crate::prelude::*;

/// Looks at calibrations: list, show, compare, check
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Lists the calibrations that come with the program
    List(Json),
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
        #[command(flatten)]
        format: Json,
    },
    /// Checks a calibration against other games
    Check {
        #[command(flatten)]
        study: StudyOptions,
        #[command(flatten)]
        calibration: CalibrationOptions,
        /// Periods to check one by one, as 1976-1979,1991-1994 [default: all games together]
        #[arg(long, value_name = "FROM-TO,...", value_delimiter = ',')]
        years: Vec<Years>,
        #[command(flatten)]
        format: Json,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.verb {
        Verb::List(format) => format.show(&compare::shipped()),
        Verb::Show {
            calibration,
            html,
            json,
        } => {
            let calibration = AnyCalibration::named(calibration)?;
            write_page(&calibration, html.as_ref())?;
            output::show(&calibration, *json)
        }
        Verb::Compare {
            calibrations,
            format,
        } => {
            let calibrations = calibrations.clone();
            let request = compare::Request { calibrations };
            format.show(&compare::answer(&service()?, &request)?)
        }
        Verb::Check {
            study,
            calibration,
            years,
            format,
        } => {
            let request = check::Request {
                view: study.view(),
                calibration: calibration.choice(),
                periods: years.iter().map(|years| years.0).collect(),
            };
            let service = service()?;
            let answer = watched(|watch| check::answer(&service, &request, watch))?;
            format.show(&answer)
        }
    }
}

/// Writes the report on the quality of a calibration, if a file was named for it.
pub(crate) fn write_page(calibration: &AnyCalibration, html: Option<&PathBuf>) -> Result<()> {
    files::write_to(html, || match calibration {
        AnyCalibration::Continuous(calibration) => {
            Ok(page::calibration(calibration, Some(&typed_command()))?)
        }
        AnyCalibration::Agents(_) => {
            bail!("a calibration of the paper's kind has no quality report")
        }
    })
}
