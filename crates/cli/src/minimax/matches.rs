//! `errare minimax match`: two players meet.

use std::io;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use errare_minimax::{
    Alpha, ConnectFour, Game, Interval, Match, Othello, PlayedGame, Player, Tally,
};
use indicatif::ProgressBar;
use serde::Serialize;

use super::search::{self, Consent};
use crate::output;

#[derive(Args)]
pub(super) struct Arguments {
    /// The first player: minimax:depth=4, zero:depth=4 or random, with alpha=... and terminals=... after
    /// a comma.
    first: Player,
    /// The second player.
    second: Player,
    /// What they play.
    #[arg(long, value_enum, default_value = "chess")]
    game: GameName,
    /// How many games, colours alternating.
    #[arg(long, default_value = "200", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Adjudicate after so many plies: in chess by material, 9-5-3-3-1.
    #[arg(long, default_value = "400")]
    max_plies: u32,
    /// Where chess games start, as FEN or `start`.
    #[arg(long)]
    from: Option<String>,
    /// The seed of the random numbers, by default a random one.
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

#[derive(Clone, Copy, PartialEq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum GameName {
    Chess,
    Othello,
    Connect4,
}

#[derive(Serialize)]
struct Answer {
    seed: u64,
    game: GameName,
    games: u32,
    players: [String; 2],
    results: Tally,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    if arguments.from.is_some() && arguments.game != GameName::Chess {
        bail!("--from is for chess; the other games start from their own position");
    }
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let played = match arguments.game {
        GameName::Chess => {
            let start = search::position(arguments.from.as_deref().unwrap_or("start"))?;
            meet(arguments, seed, start)?
        }
        GameName::Othello => meet(arguments, seed, Othello::default())?,
        GameName::Connect4 => meet(arguments, seed, ConnectFour::default())?,
    };
    let answer = Answer {
        seed,
        game: arguments.game,
        games: arguments.games,
        players: [arguments.first, arguments.second].map(|player| player.to_string()),
        results: Tally::of(&played),
    };
    if json {
        output::json(&answer)?;
    } else {
        print(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn meet<G: Game>(arguments: &Arguments, seed: u64, start: G) -> Result<Vec<PlayedGame>> {
    let moves = arguments.games.saturating_mul(arguments.max_plies / 2);
    for player in [arguments.first, arguments.second] {
        if let Player::Minimax(automaton) = player {
            // Sampled searches are pruned, and games end before the limit: this is a bound.
            arguments
                .consent
                .check(&start, automaton.depth, Alpha::CONTINUOUS, moves)?;
        }
    }
    let meeting = Match {
        players: [arguments.first, arguments.second],
        start,
        games: arguments.games,
        most_plies: arguments.max_plies,
        seed,
    };
    let progress = ProgressBar::new(arguments.games.into());
    let played = meeting.play(|| progress.inc(1));
    progress.finish_and_clear();
    Ok(played)
}

fn print(answer: &Answer) -> Result<()> {
    let share = |interval: Option<Interval>| match interval {
        Some(Interval { share, low, high }) => format!("{share:.3} ({low:.3}-{high:.3})"),
        None => "-".to_owned(),
    };
    let Tally {
        wins,
        draws,
        losses,
        adjudicated,
        win,
        score,
        mean_plies,
    } = &answer.results;
    let [first, second] = &answer.players;
    let rows = [
        ("wins of the first", wins.to_string()),
        ("draws", draws.to_string()),
        ("wins of the second", losses.to_string()),
        ("adjudicated", adjudicated.to_string()),
        ("win, draws discounted", share(*win)),
        ("score, draws half", share(*score)),
        ("plies a game", format!("{mean_plies:.1}")),
    ];
    let title = format!("{first} - {second}");
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    output::rows(&mut io::stdout().lock(), [&*title, ""], 2, rows)?;
    talk!("seed {}; intervals are Wilson's at 95 %", answer.seed);
    Ok(())
}
