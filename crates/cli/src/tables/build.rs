//! `errare tables build`: makes tables and everything they need.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use errare_core::{Material, Metric};
use errare_service::{
    Service,
    fleet::{self, QueueChoice},
    tables::build::{self, Request},
};
use errare_tables::MAX_MEN;

use crate::{
    options::{
        directory::Directory,
        endgame::{self, Endgame},
        memory::MemoryLimit,
        queue::QueueOptions,
        supply::service,
    },
    output,
    watch::{Terminal, watched},
};

/// Builds tables, with every subgame they need
///
/// Says first what it will build and how much memory that takes, and refuses if it is more than --memory
/// allows. Existing tables are checked and kept; damaged ones are replaced. An interrupted build keeps the
/// finished tables: build again to continue. Several processes may build into one directory. With --queue the workers of a
/// fleet build them (see `errare worker`).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required_unless_present = "men")]
    endgames: Vec<Endgame>,

    /// All endgames with at most this many men
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    memory: MemoryLimit,

    #[command(flatten)]
    queue: QueueOptions,

    /// Report each finished table as a line of JSON
    ///
    /// Times are in seconds, memory in bytes. Metrics that are solved together, named under
    /// `solved_with`, have their times in common. `positions` are those stored, both sides to move.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare tables build KQKR KBBKN KRPKR
  errare tables build --men 4
  errare tables build KRPKR --metric dtm,dtz --memory 3GiB --json
  errare tables build --men 5 --queue nats://fleet.example:4222";

/// Builds what is missing.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service(&arguments.directory, &arguments.memory, true)?;
    let request = arguments.request();
    if let Some(queue) = arguments.queue.choice()
        && let Some(built) = arguments.have_built(&service, &queue)?
    {
        talk!("the fleet has built {} endgames", built.len());
    }
    let mut told = Ok(());
    let watch = Terminal::new();
    let answer = build::answer(&service, &request, &watch, |tables| {
        // If the report cannot be written any more, the tables are still wanted.
        if told.is_ok() {
            told = watch.suspend(|| match arguments.json {
                true => tables.iter().try_for_each(output::json_line),
                false => output::text(tables),
            });
        }
    });
    drop(watch);
    let answer = answer.map_err(|error| endgame::as_typed(error, &arguments.endgames))?;
    told.context("the tables are built, but the report cannot be written")?;
    for endgame in answer.present {
        talk!("{endgame} is there already");
    }
    Ok(ExitCode::SUCCESS)
}

/// Leaves what is missing to a queue.
pub(crate) fn submit(arguments: &Arguments) -> Result<ExitCode> {
    let service = service(&arguments.directory, &arguments.memory, true)?;
    let queue = arguments.queue.detached()?;
    if let Some(built) = arguments.have_built(&service, &queue)? {
        debug_assert!(built.is_empty(), "nobody waited for a table");
        talk!("all tables are there already");
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn request(&self) -> Request {
        Request {
            endgames: self.endgames.iter().map(Endgame::material).collect(),
            men: self.men,
            metrics: self.metric.clone(),
        }
    }

    fn have_built(&self, service: &Service, queue: &QueueChoice) -> Result<Option<Vec<Material>>> {
        let request = self.request();
        let built = watched(|watch| fleet::build(service, &request, queue, watch));
        built.map_err(|error| endgame::as_typed(error, &self.endgames))
    }
}
