//! `errare minimax match`: two automata meet.

use errare_minimax::MinimaxPlayer;
use errare_service::{matches::GameName, minimax::matches};

use super::search::Consent;
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// The first player: minimax:depth=4, zero:depth=4 or random, with alpha=... and terminals=... after
    /// a comma.
    first: MinimaxPlayer,
    /// The second player.
    second: MinimaxPlayer,
    /// What they play: chess, othello or connect4.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// How many games, colours alternating.
    #[arg(long, default_value = "200", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Adjudicate after this many plies: in chess by material, 9-5-3-3-1.
    #[arg(long, default_value = "400")]
    max_plies: u32,
    /// Where chess games start, as FEN or `start`.
    #[arg(long)]
    from: Option<String>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    consent: Consent,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let request = matches::Request {
        players: [arguments.first, arguments.second].map(|player| player.to_string()),
        game: arguments.game,
        games: arguments.games,
        max_plies: arguments.max_plies,
        from: arguments.from.clone(),
        seed: Some(arguments.seed.get()),
        long: arguments.consent.yes,
    };
    let answer = watched(|watch| matches::answer(&request, watch))?;
    output::show(&answer, json)
}
