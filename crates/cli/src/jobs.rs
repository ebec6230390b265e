//! `errare jobs`: what is in a queue, and what came of it.

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use errare_service::fleet::{
    self,
    shard::{self, Collected},
    status,
};

use crate::{
    evaluate, fit, matches,
    options::{
        format::{Format, Json},
        queue::{QueueOptions, TheQueue},
    },
    output,
    tables::build,
    watch::watched,
};

/// Looks after the jobs of a queue: submit, status, cancel, collect
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Submits work to a queue and does not wait: the same command without `jobs submit` waits for it
    #[command(subcommand)]
    Submit(Box<Submit>),
    /// Shows batches, workers and jobs that were given up
    Status {
        #[command(flatten)]
        queue: TheQueue,
        #[command(flatten)]
        format: Json,
    },
    /// Forgets a batch: what waits is not done, answers are lost
    Cancel {
        /// The batch
        batch: String,
        #[command(flatten)]
        queue: TheQueue,
    },
    /// Puts together what became of a match, or of the files of all shares
    Collect(Collect),
}

#[derive(Debug, Subcommand)]
enum Submit {
    Evaluate(Box<evaluate::Arguments>),
    Match(Box<matches::Arguments>),
    Fit(Box<fit::Arguments>),
    Tables(Box<build::Arguments>),
}

#[derive(Debug, Args)]
struct Collect {
    /// The batch of a match in the queue, or the files of shares
    #[arg(required = true, value_name = "BATCH|FILE")]
    from: Vec<PathBuf>,

    /// The study that evaluations of shares go into
    #[arg(long, value_name = "STUDY.db", conflicts_with = "queue")]
    store: Option<PathBuf>,

    /// The queue of the batch
    #[command(flatten)]
    queue: QueueOptions,

    #[command(flatten)]
    format: Format,
}

/// Does what is asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.verb {
        Verb::Submit(work) => match &**work {
            Submit::Evaluate(arguments) => evaluate::submit(arguments),
            Submit::Match(arguments) => matches::submit(arguments),
            Submit::Fit(arguments) => fit::submit(arguments),
            Submit::Tables(arguments) => build::submit(arguments),
        },
        Verb::Status { queue, format } => format.show(&status::answer(&queue.choice())?),
        Verb::Cancel { batch, queue } => {
            status::cancel(&queue.choice(), batch)?;
            talk!("{batch} is forgotten");
            Ok(ExitCode::SUCCESS)
        }
        Verb::Collect(arguments) => collect(arguments),
    }
}

fn collect(arguments: &Collect) -> Result<ExitCode> {
    let Some(queue) = arguments.queue.choice() else {
        let collected =
            watched(|watch| shard::collect(&arguments.from, arguments.store.as_deref(), watch))?;
        return match collected {
            Collected::Games(answer, played) => matches::report(&answer, &played, arguments.format),
            Collected::Evaluations(answer) => output::show(&answer, arguments.format.json),
        };
    };
    let [batch] = &arguments.from[..] else {
        bail!("collect one batch of a queue at a time");
    };
    let batch = batch.to_string_lossy();
    if !batch.starts_with("match-") {
        bail!("{batch} is collected by the command that submitted it, with the same --queue");
    }
    let queue = queue.open_existing()?;
    let (answer, played) = watched(|watch| fleet::collect_games(&*queue, &batch, watch))?;
    matches::report(&answer, &played, arguments.format)
}
