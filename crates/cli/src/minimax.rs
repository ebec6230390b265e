//! `errare minimax`: random minimaxing, one file per verb.

mod bench;
mod dominate;
mod matches;
mod play;
mod rate;
mod search;
mod sweep;
mod tree;

use errare_service::minimax::{mobility, prob};

use crate::prelude::*;

/// Random minimaxing: move probabilities from mobility alone
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Print JSON instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Verb {
    /// Exact probabilities of the moves of a small tree, as fractions.
    Tree(tree::Arguments),
    /// Does one level-regular move dominate another, and when does deeper search favour it?
    Dominate(dominate::Arguments),
    /// Move probabilities in a chess position.
    Prob(search::Arguments),
    /// How move probabilities change with depth, or with alpha.
    Sweep(sweep::Arguments),
    /// One sampled move.
    Play(play::Arguments),
    /// A match between two players.
    Match(matches::Arguments),
    /// Which depth explains the moves of games best?
    Rate(rate::Arguments),
    /// Measures of mobility, and how well each ranks the moves of a position.
    Mobility(search::Arguments),
    /// The time of `prob` over that of counting the leaves of the same trees.
    Bench(bench::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let json = arguments.json;
    match &arguments.verb {
        Verb::Tree(arguments) => tree::run(arguments, json),
        Verb::Dominate(arguments) => dominate::run(arguments, json),
        Verb::Prob(arguments) => {
            let answer = watched(|watch| prob::answer(&arguments.request(), watch))?;
            output::show(&answer, json)
        }
        Verb::Sweep(arguments) => sweep::run(arguments, json),
        Verb::Play(arguments) => play::run(arguments, json),
        Verb::Match(arguments) => matches::run(arguments, json),
        Verb::Rate(arguments) => rate::run(arguments, json),
        Verb::Mobility(arguments) => {
            let answer = watched(|watch| mobility::answer(&arguments.request(), watch))?;
            output::show(&answer, json)
        }
        Verb::Bench(arguments) => bench::run(arguments, json),
    }
}
