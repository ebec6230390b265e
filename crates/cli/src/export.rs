//! `errare export`: evaluated turns as tables for other programs.

use errare_service::export::{self, ExportFormat};

use crate::prelude::*;

/// Writes the turns and moves of a study as tables, for pandas, DuckDB, R and the like
///
/// `turns` has a row for every turn, also those that are not used, with the reason. `moves` has a row
/// for every legal move of every evaluated turn in the engine's order, with its scores at all depths in
/// centipawns for the mover, a mate counted as 10000. `game` and `ply` join them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
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

const EXAMPLES: &str = "\
Examples:
  errare export study.db --csv out/
  errare export study.db --parquet out/ --depth 8
  duckdb -c \"SELECT rank, count(*) FROM 'out/moves.parquet' WHERE played GROUP BY rank ORDER BY rank\"";

impl Target {
    fn format(&self) -> (PathBuf, ExportFormat) {
        match (&self.csv, &self.parquet) {
            (Some(directory), _) => (directory.clone(), ExportFormat::Csv),
            (_, Some(directory)) => (directory.clone(), ExportFormat::Parquet),
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

/// Writes the tables.
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
