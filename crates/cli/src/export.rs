//! `errare export`: evaluated turns as tables for other programs.

use errare_service::export::{self, ExportFormat};

use crate::prelude::*;

/// Writes the turns and moves of a study as tables, for pandas, DuckDB, R and the like
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    study: StudyOptions,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    format: Json,
}

/// Where to, and in which format.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// Write turns.csv and moves.csv into this directory
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,

    /// Write turns.parquet and moves.parquet into this directory
    #[arg(long, value_name = "DIR")]
    parquet: Option<PathBuf>,
}

impl Target {
    fn format(&self) -> (PathBuf, ExportFormat) {
        match (&self.csv, &self.parquet) {
            (Some(directory), _) => (directory.clone(), ExportFormat::Csv),
            (_, Some(directory)) => (directory.clone(), ExportFormat::Parquet),
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (directory, format) = arguments.target.format();
    let request = export::Request {
        view: arguments.study.view(),
        directory,
        format,
    };
    let service = service()?;
    let exported = watched(|watch| export::answer(&service, &request, watch))?;
    arguments.format.show(&exported)
}
