//! `errare worker`: does jobs of a queue.

use errare_service::fleet::worker;

use crate::prelude::*;

/// Does jobs of a queue until it is stopped: evaluations, games, replicates, tables
///
/// Start one on each machine. It has its own engine and tables, and takes no path and no command from jobs. A job that needs
/// another engine, version or net than this worker's is left to others. Ctrl-C gives back what is in hand; a worker that is
/// killed loses its jobs to others when their leases have run out.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    queue: TheQueue,

    /// Jobs at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    cores: Option<usize>,

    /// Seconds without a job after which to end [default: wait for ever]
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,

    /// Seconds that a job stays with a worker that gives no sign of life; on a NATS server the first worker sets it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,

    #[command(flatten)]
    engine: OneEngine,

    #[command(flatten)]
    tables: TableOptions,

    /// Report what was done as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare worker --queue nats://fleet.example:4222
  errare worker --queue tls://fleet.example:4222 --queue-credentials worker.creds --cores 8
  errare worker --queue study.db --idle 60";

/// Works.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let mut queue = arguments.queue.choice();
    queue.lease = Some(arguments.lease);
    let request = worker::Request {
        queue,
        engine: arguments.engine.choice(),
        cores: arguments.cores,
        idle: arguments.idle,
    };
    let answer = watched(|watch| worker::run(&service, &request, watch))?;
    output::show(&answer, arguments.json)
}
