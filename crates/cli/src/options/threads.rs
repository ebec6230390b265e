//! The option that says how many threads work at the same time.

use std::{num::NonZero, thread};

use clap::Args;

/// How many threads work at the same time.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Threads {
    /// Number of threads, at most one per task [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

impl Threads {
    /// The threads for this many tasks.
    pub(crate) fn for_tasks(self, tasks: u64) -> NonZero<usize> {
        capped(self.threads, tasks)
    }
}

/// As many as were asked for, or else one a core, but never more than there is to do.
pub(crate) fn capped(wanted: Option<NonZero<usize>>, tasks: u64) -> NonZero<usize> {
    let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let tasks = usize::try_from(tasks).unwrap_or(usize::MAX);
    let tasks = NonZero::new(tasks).unwrap_or(NonZero::<usize>::MIN);
    wanted.unwrap_or_else(cores).min(tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_threads_than_things_to_do() {
        let threads = |wanted, tasks| capped(NonZero::new(wanted), tasks).get();
        assert_eq!(threads(100_000, 3), 3);
        assert_eq!(threads(2, 3), 2);
        assert_eq!(threads(0, 1), 1);
        assert_eq!(threads(7, 0), 1);
    }
}
