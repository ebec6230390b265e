//! `errare jobs`: the contents of a queue and its results.

use errare_service::fleet::{
    shard::{self, Collected},
    status,
};

use crate::{evaluate, fit, matches, prelude::*, tables::build};

/// Manages the jobs of a queue: submit, status, cancel, collect
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Submits work to a queue and does not wait: the same command without `jobs submit` waits for it
    #[command(subcommand)]
    Submit(Submit),
    /// Shows batches, workers and jobs given up
    Status {
        #[command(flatten)]
        queue: TheQueue,
        #[command(flatten)]
        format: Json,
    },
    /// Deletes a batch: waiting jobs are dropped, answers are lost
    Cancel {
        /// The batch
        batch: String,
        #[command(flatten)]
        queue: TheQueue,
    },
    /// Collects the result of a match, or merges the files of all shares
    Collect(Collect),
}

verbs! {
    Submit {
        Evaluate => evaluate,
        Match => matches,
        Fit => fit,
        Tables => build,
    }
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

pub(crate) fn run(arguments: &mut Arguments) -> Result<ExitCode> {
    match &mut arguments.verb {
        Verb::Submit(work) => {
            work.queue().detach()?;
            work.run()
        }
        Verb::Status { queue, format } => format.show(&status::answer(&queue.choice())?),
        Verb::Cancel { batch, queue } => {
            status::cancel(&queue.choice(), batch)?;
            talk!("{batch} is forgotten");
            Ok(ExitCode::SUCCESS)
        }
        Verb::Collect(arguments) => collect(arguments),
    }
}

impl Submit {
    fn queue(&mut self) -> &mut QueueOptions {
        match self {
            Submit::Evaluate(arguments) => &mut arguments.engine.queue,
            Submit::Match(arguments) => &mut arguments.queue,
            Submit::Fit(arguments) => &mut arguments.queue,
            Submit::Tables(arguments) => &mut arguments.queue,
        }
    }
}

fn collect(arguments: &Collect) -> Result<ExitCode> {
    let Collect { from, store, .. } = arguments;
    let queue = arguments.queue.choice();
    let collected = watched(|watch| shard::collect(from, queue.as_ref(), store.as_deref(), watch))?;
    match collected {
        Collected::Games(answer, played) => matches::report(&answer, &played, arguments.format),
        Collected::Evaluations(answer) => output::show(&answer, arguments.format.json),
    }
}
