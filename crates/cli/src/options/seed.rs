//! The option that makes random results repeatable.

use crate::prelude::*;

/// The seed of whatever is random.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Seed {
    /// Seed of the random numbers; the same seed gives the same answer [default: random, printed]
    #[arg(long)]
    seed: Option<u64>,
}

impl Seed {
    /// The given seed, or else a random one. Answers record the seed used.
    pub(crate) fn get(self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }

    /// The given seed, if any.
    pub(crate) fn given(self) -> Option<u64> {
        self.seed
    }
}

/// The seed of work sent to a queue. A random one is printed before the work begins: only the same seed finds the work
/// again if the waiting process dies.
pub(crate) fn queue_seed(given: Option<u64>, verb: &str) -> u64 {
    given.unwrap_or_else(|| {
        let seed = rand::random();
        talk!("seed {seed}; `errare {verb}` with the same options and --seed {seed} takes this work up again");
        seed
    })
}
