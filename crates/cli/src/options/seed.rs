//! The option that makes random results repeatable.

use clap::Args;

/// The seed of whatever is random.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Seed {
    /// Seed of the random numbers; the same seed gives the same answer [default: random, printed]
    #[arg(long)]
    seed: Option<u64>,
}

impl Seed {
    /// The seed that was given, or else a random one. Answers hold the seed that was used.
    pub(crate) fn get(self) -> u64 {
        self.seed.unwrap_or_else(rand::random)
    }
}
