//! `errare match`: two players meet in an endgame.

use std::{io::Write, process::ExitCode, thread};

use anyhow::{Result, bail};
use clap::Args;
use errare_choice::Estimate;
use errare_core::{Material, Metric};
use errare_endgame::{Finish, Match, MatchAnalysis, Oracle, Played, Rules};
use errare_tables::parse_position;
use indicatif::ProgressBar;
use serde::Serialize;
use shakmaty::{Chess, Position};

use crate::{
    interrupt,
    model::{Model, Prior},
    output,
    players::{Hiring, NamedPlayer},
    spread::Spread,
};

/// Plays many games between two players from given positions
///
/// Players: best (ties=uniform, first, longest-dtm or rook-first), random, rep:c=20 (kappa, horizon,
/// value=risk if it may lose value), predator (plies=4; c=20 if it knows its opponent; grid) and
/// emulator:c=20. They know the tables; minimax:depth=3 (random minimaxing) and zero:depth=3 (sees the
/// ends of the game alone) know the rules; human:elo=1800 (depth=8) plays like people of that rating, by
/// an engine's evaluations, and uci:stockfish (depth=8) as an engine does; these two see the position
/// alone, without the halfmove clock. By default a game ends where the metric's phase does, in dtc with
/// a conversion, and neither the 50-move rule nor repetition is in force, as in the papers.
///
/// The apparent competence is that of an Analyser who sees one game. Length is counted in moves of
/// White. The same seed gives the same games on any number of threads.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// White
    white: NamedPlayer,

    /// Black
    black: NamedPlayer,

    /// Where games start; may be given several times
    #[arg(long, value_name = "FEN", required = true)]
    from: Vec<String>,

    /// How many games from each position
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: u32,

    /// Seed of the random numbers [default: a random one, which is told]
    #[arg(long)]
    seed: Option<u64>,

    /// Play on through conversions, until mate or stalemate
    #[arg(long)]
    to_mate: bool,

    /// The 50-move rule is in force
    #[arg(long)]
    fifty: bool,

    /// Games are broken off after so many moves of White, and counted as unfinished
    #[arg(long, value_name = "N", default_value = "100000")]
    max_moves: u32,

    /// Competences that the Analyser takes into account, from(step)to or from:step:to
    #[arg(long, default_value = "0(1)50")]
    prior: Prior,

    /// Number of threads [default: one a core]
    #[arg(long)]
    threads: Option<usize>,

    #[command(flatten)]
    hiring: Hiring,

    #[command(flatten)]
    model: Model,

    /// Answer in JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Answer in CSV, one row a game
    #[arg(long)]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare match rep:c=20 best --from \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\" --games 1000 --seed 7
  errare match rep:c=15 predator:plies=4 --from 8/8/8/2K5/r7/2Q5/4k3/8_b_-_-_0_1 --fifty
  errare match best rep:c=3,value=risk --from \"8/8/8/3k4/8/8/3n4/K6R w - - 0 1\" --max-moves 60 --csv";

#[derive(Serialize)]
struct Answer {
    seed: u64,
    games: usize,
    players: [String; 2],
    metric: Metric,
    results: Results,
    length: Spread,
    /// White's.
    apparent_competence: Option<Apparent>,
    apparent_competence_black: Option<Apparent>,
}

#[derive(Serialize, Default)]
struct Results {
    white: usize,
    draws: usize,
    black: usize,
    fifty_moves: usize,
    unfinished: usize,
}

#[derive(Serialize)]
struct Apparent {
    #[serde(flatten)]
    spread: Spread,
    /// Games in which no depth was ceded, which have no finite c and are left out.
    faultless: usize,
}

/// Plays the match.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let starts = arguments.starts()?;
    let mut needed: Vec<Material> = starts
        .iter()
        .map(|start| Material::of(start.board()).0)
        .collect();
    needed.dedup();
    let players = [arguments.white.clone(), arguments.black.clone()];
    let also = players
        .iter()
        .any(NamedPlayer::needs_dtm)
        .then_some(Metric::Dtm);
    let names = players.each_ref().map(ToString::to_string);
    let [white, black] = players
        .each_ref()
        .map(|player| player.hire(&arguments.hiring));
    let players = [white?, black?];
    let oracle = arguments.model.oracle(&needed, also.as_slice())?;
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let meeting = Match {
        oracle: &oracle,
        players,
        starts,
        games: arguments.games,
        seed,
        rules: Rules {
            until_conversion: !arguments.to_mate,
            fifty_moves: arguments.fifty,
            most_moves: arguments.max_moves,
        },
        analysis: Some(MatchAnalysis {
            kappa: arguments.model.kappa,
            grid: arguments.prior.grid,
            prior: arguments.prior.shape.clone(),
        }),
    };
    let threads = match arguments.threads {
        Some(threads) => threads,
        None => thread::available_parallelism()?.get(),
    };
    let progress = ProgressBar::new(u64::from(arguments.games) * arguments.from.len() as u64);
    interrupt::defer();
    let played = meeting.play(threads, || {
        progress.inc(1);
        !interrupt::requested()
    })?;
    progress.finish_and_clear();
    if interrupt::requested() {
        return Err(interrupt::Interrupted.into());
    }
    interrupt::allow();
    if arguments.csv {
        csv(&played)?;
    } else {
        let answer = Answer {
            seed,
            games: played.len(),
            players: names,
            metric: arguments.model.metric,
            results: Results::of(&played),
            length: Spread::of(played.iter().map(|game| f64::from(game.moves))),
            apparent_competence: Apparent::of(&played, 0),
            apparent_competence_black: Apparent::of(&played, 1),
        };
        if arguments.json {
            output::json(&answer)?;
        } else {
            write(&answer)?;
        }
    }
    talk!("seed {seed}");
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn starts(&self) -> Result<Vec<Chess>> {
        let mut starts = Vec::new();
        for fen in &self.from {
            let start = parse_position(fen)?;
            if !Oracle::covers(&start) {
                bail!("{fen}: there are tables for three to five men without castling rights");
            }
            starts.push(start);
        }
        Ok(starts)
    }
}

impl Results {
    fn of(played: &[Played]) -> Results {
        let mut results = Results::default();
        for game in played {
            *match game.finish {
                Finish::White => &mut results.white,
                Finish::Draw => &mut results.draws,
                Finish::Black => &mut results.black,
                Finish::FiftyMoves => &mut results.fifty_moves,
                Finish::Unfinished => &mut results.unfinished,
            } += 1;
        }
        results
    }
}

impl Apparent {
    fn of(played: &[Played], side: usize) -> Option<Apparent> {
        let seen = played.iter().filter_map(|game| game.apparent[side]);
        let means = seen.map(|estimate: Estimate| estimate.mean);
        let count = means.clone().count();
        (count > 0).then(|| Apparent {
            spread: Spread::of(means),
            faultless: played.len() - count,
        })
    }
}

fn write(answer: &Answer) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let [white, black] = &answer.players;
    writeln!(
        out,
        "{} games, {white} as White, {black} as Black\n",
        answer.games
    )?;
    let Results {
        white,
        draws,
        black,
        fifty_moves,
        unfinished,
    } = answer.results;
    let results = [
        ("White won", white),
        ("draws", draws),
        ("Black won", black),
        ("50-move rule", fifty_moves),
        ("unfinished", unfinished),
    ];
    for (name, count) in results.into_iter().filter(|(_, count)| *count > 0) {
        writeln!(out, "{name:14} {count}")?;
    }
    let mut table = output::table(["", "mean", "error of it", "deviation", "least", "most"]);
    let mut row = |name: &str, spread: &Spread| {
        let numbers = [
            spread.mean,
            spread.standard_error,
            spread.sd,
            spread.min,
            spread.max,
        ];
        let numbers = numbers.map(|number| format!("{number:.2}"));
        table.add_row([name.to_owned()].into_iter().chain(numbers));
    };
    row("moves of White", &answer.length);
    let sides = [
        ("apparent c of White", &answer.apparent_competence),
        ("apparent c of Black", &answer.apparent_competence_black),
    ];
    let mut notes = Vec::new();
    for (name, apparent) in sides {
        match apparent {
            Some(apparent) => {
                row(name, &apparent.spread);
                if apparent.faultless > 0 {
                    notes.push(format!(
                        "{name}: without {} faultless games",
                        apparent.faultless
                    ));
                }
            }
            None => notes.push(format!("{name}: no error seen")),
        }
    }
    output::numbers_from(&mut table, 1);
    writeln!(out, "\n{}", table.trim_fmt())?;
    for note in notes {
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn csv(played: &[Played]) -> Result<()> {
    let mut writer = csv::Writer::from_writer(std::io::stdout().lock());
    writer.write_record([
        "game",
        "finish",
        "moves",
        "plies",
        "apparent_white",
        "apparent_black",
    ])?;
    let mean = |estimate: Option<Estimate>| estimate.map_or(String::new(), |e| e.mean.to_string());
    for (number, game) in played.iter().enumerate() {
        let finish = serde_json::to_value(game.finish)?;
        writer.write_record([
            (number + 1).to_string(),
            finish.as_str().unwrap_or_default().to_owned(),
            game.moves.to_string(),
            game.plies.to_string(),
            mean(game.apparent[0]),
            mean(game.apparent[1]),
        ])?;
    }
    writer.flush()?;
    Ok(())
}
