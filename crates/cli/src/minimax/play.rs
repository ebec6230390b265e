//! `errare minimax play`: one sampled move.

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use errare_minimax::{Alpha, Automaton, Leaves, Player, Terminals};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::san::SanPlus;

use super::search::{self, Consent};
use crate::output;

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    fen: String,
    /// How many plies to search.
    #[arg(long, value_parser = search::depth)]
    depth: NonZeroU32,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised` or `paper`.
    #[arg(long, default_value = "recognised")]
    terminals: Terminals,
    /// The seed of the random numbers, by default a random one.
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let position = search::position(&arguments.fen)?;
    let Arguments {
        depth,
        alpha,
        consent,
        ..
    } = arguments;
    consent.check(&position, *depth, *alpha, 1)?;
    let player = Player::Minimax(Automaton {
        depth: *depth,
        leaves: Leaves::Random(*alpha),
        terminals: arguments.terminals,
    });
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let chosen = player.choose(&position, &mut ChaCha8Rng::seed_from_u64(seed));
    let uci = search::uci(chosen);
    if json {
        let san = SanPlus::from_move(position, chosen).to_string();
        let player = player.to_string();
        output::json(&serde_json::json!({"player": player, "seed": seed, "uci": uci, "san": san}))?;
    } else {
        writeln!(io::stdout(), "{uci}")?;
        talk!("{player}, seed {seed}");
    }
    Ok(ExitCode::SUCCESS)
}
