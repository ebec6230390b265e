//! `errare worker`: does jobs of a queue.

use errare_service::fleet::worker;

use crate::prelude::*;

/// Does jobs of a queue until it is stopped: evaluations, games, replicates, tables
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    queue: TheQueue,

    /// Number of concurrent jobs [default: one per core]
    #[arg(long, value_name = "N")]
    cores: Option<usize>,

    /// Seconds without a job after which to exit [default: wait for ever]
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,

    /// Seconds that a silent worker keeps a job; on a NATS server the first worker sets it
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lease: u64,

    #[command(flatten)]
    engine: OneEngine,

    #[command(flatten)]
    tables: TableOptions,

    #[command(flatten)]
    format: Json,
}

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
    arguments.format.show(&answer)
}
