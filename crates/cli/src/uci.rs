//! `errare uci`: a chess engine for programs that speak UCI.

use std::io::{self, BufReader};

use errare_players::PlayerName;

use crate::prelude::*;

/// Plays chess through UCI, the protocol of chess programs
///
/// Every player of errare match plays, from the first move: where there are endgame tables by these, elsewhere
/// by the moves of another engine (option Engine, by default stockfish). Programs that run engines set options and
/// positions; docs/uci.md lists them, and has settings for lichess-bot.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The player at the start, such as rep:c=20, predator or human:elo=1800
    #[arg(default_value = "rep:c=20")]
    player: PlayerName,

    #[command(flatten)]
    tables: BuildOptions,
}

const EXAMPLES: &str = "\
Examples:
  errare uci human:elo=1600
  errare uci predator
  printf 'position startpos\\ngo movetime 1000\\n' | errare uci minimax:depth=3";

/// Speaks UCI on standard input and output until `quit`.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let engine = environment("ERRARE_ENGINE").and_then(|name| name.into_string().ok());
    let engine = engine.as_deref().unwrap_or("stockfish");
    let input = BufReader::new(io::stdin());
    errare_uci::speak(service, &arguments.player, engine, input, io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
