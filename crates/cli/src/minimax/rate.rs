//! `errare minimax rate`: the depth that explains the moves of games best.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use errare_minimax::{Alpha, RatedPlayer, Rating, Terminals, rate};
use indicatif::ProgressBar;
use serde::Serialize;
use shakmaty::Chess;

use super::search::{self, Consent, Depths};
use crate::{games, output};

#[derive(Args)]
pub(super) struct Arguments {
    /// Games in PGN, plain, `.gz` or `.zst`; `-` reads standard input.
    file: PathBuf,
    /// The depths to try.
    #[arg(long, default_value = "1..4", value_parser = search::depths)]
    depths: Depths,
    /// How often a player is taken to move at random.
    #[arg(long, default_value = "0.01", value_parser = lapse)]
    lapse: f64,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised` or `paper`.
    #[arg(long, default_value = "recognised")]
    terminals: Terminals,
    #[command(flatten)]
    consent: Consent,
}

/// The error allowed in probabilities: far below what a lapse adds to them.
const TOLERANCE: f64 = 1e-6;

#[derive(Serialize)]
struct Answer {
    alpha: Alpha,
    terminals: Terminals,
    lapse: f64,
    players: Vec<PlayerAnswer>,
}

#[derive(Serialize)]
struct PlayerAnswer {
    #[serde(flatten)]
    rated: RatedPlayer,
    best: Option<u32>,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let games = games::read(std::slice::from_ref(&arguments.file))?;
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    // The greatest depth takes nearly all of the time.
    if let Some(&depth) = arguments.depths.0.iter().max() {
        let times = positions.try_into().unwrap_or(u32::MAX);
        arguments
            .consent
            .check(&Chess::default(), depth, arguments.alpha, times)?;
    }
    let rating = Rating {
        depths: arguments.depths.0.clone(),
        alpha: arguments.alpha,
        terminals: arguments.terminals,
        lapse: arguments.lapse,
        tolerance: TOLERANCE,
    };
    let progress = ProgressBar::new(positions as u64);
    let players: Vec<RatedPlayer> = games
        .iter()
        .flat_map(|game| rate(game, &rating, || progress.inc(1)))
        .collect();
    progress.finish_and_clear();
    if players.iter().all(|player| player.moves == 0) {
        talk!("errare: no moves in {}", arguments.file.display());
        return Ok(ExitCode::from(1));
    }
    let best = |rated: &RatedPlayer| rated.best().map(|fit| fit.depth.get());
    let players = players.into_iter().map(|rated| PlayerAnswer {
        best: best(&rated),
        rated,
    });
    let answer = Answer {
        alpha: arguments.alpha,
        terminals: arguments.terminals,
        lapse: arguments.lapse,
        players: players.collect(),
    };
    if json {
        output::json(&answer)?;
    } else {
        print(&answer, &arguments.depths)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(answer: &Answer, depths: &Depths) -> Result<()> {
    let depths: Vec<String> = depths
        .0
        .iter()
        .map(|depth| format!("depth {depth}"))
        .collect();
    let mut head = vec!["game", "player", "moves"];
    head.extend(depths.iter().map(String::as_str));
    head.push("best");
    let rows = answer.players.iter().map(|PlayerAnswer { rated, best }| {
        let mut row = vec![
            rated.game.to_string(),
            format!("{} ({})", rated.name, rated.color),
            rated.moves.to_string(),
        ];
        row.extend(rated.depths.iter().map(|fit| match fit.log_likelihood {
            Some(value) => format!("{value:.2}"),
            None => "-inf".to_owned(),
        }));
        row.push(best.map_or("-".to_owned(), |depth| depth.to_string()));
        row
    });
    output::rows(&mut io::stdout().lock(), head, 2, rows)?;
    talk!(
        "log-likelihood of the moves with a lapse of {}; the greatest is best",
        answer.lapse
    );
    Ok(())
}

fn lapse(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(lapse) if (0.0..=1.0).contains(&lapse) => Ok(lapse),
        _ => Err("a lapse is a probability between 0 and 1, such as 0.01".to_owned()),
    }
}
