//! `errare evaluate`: games into a study, and every move of every eligible turn evaluated.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_engine::EngineKey;
use errare_rating::{
    Exclusion, Study,
    study::{Evaluated, Imported},
};
use indicatif::HumanCount;
use serde::Serialize;

use crate::{
    engine::EngineOptions,
    evaluating::{self, Entered},
    interrupt, output,
};

/// Evaluates every legal move of every turn that counts, at every depth, and keeps it in a study
///
/// Turns count after move 8, in positions that are new in their game, with more than one legal move;
/// the others are kept with the reason. The engine ranks all legal moves, with one thread and an empty
/// hash table for each position, so that the same position gets the same evaluation anywhere.
///
/// It can be interrupted, even killed, at any time: the same command goes on where it was, and no
/// position is evaluated twice. Several processes may work on one study. Without games, it goes on with
/// all games of the study.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games in PGN, also compressed (.gz, .zst); - for standard input
    #[arg(value_name = "GAMES.pgn")]
    games: Vec<PathBuf>,

    /// The study, which is begun if there is none
    #[arg(long, value_name = "STUDY.db")]
    store: PathBuf,

    /// How deep to search
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    #[command(flatten)]
    engine: EngineOptions,

    /// Take over turns that were evaluated elsewhere, as lines of JSON, instead of running an engine
    #[arg(long, value_name = "TURNS.jsonl", conflicts_with_all = ["games", "workers", "depth", "silence"])]
    import: Option<PathBuf>,

    /// Report what was done as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare evaluate games.pgn --store study.db --depth 10
  zstdcat lichess.pgn.zst | errare evaluate - --store study.db --depth 8
  errare evaluate --store study.db              go on with what is in the study
  errare evaluate --store study.db --import turns.jsonl";

/// Imports, or enters and evaluates.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.import {
        Some(file) => import(arguments, file),
        None => evaluate(arguments),
    }
}

/// What was imported.
#[derive(Serialize)]
struct Import<'a> {
    store: &'a PathBuf,
    imported: Imported,
}

fn import(arguments: &Arguments, file: &Path) -> Result<ExitCode> {
    let text = errare_games::open(file)?;
    let mut study = Study::open_or_create(&arguments.store)?;
    let imported = study
        .import(text)
        .with_context(|| format!("cannot import {}; nothing of it is", file.display()))?;
    if arguments.json {
        output::json(&Import {
            store: &arguments.store,
            imported,
        })?;
    } else {
        writeln!(
            io::stdout(),
            "{} turns of {}, {} new games, {} new evaluations",
            HumanCount(imported.turns as u64),
            file.display(),
            HumanCount(imported.games as u64),
            HumanCount(imported.evaluations as u64),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was evaluated.
#[derive(Serialize)]
struct Report<'a> {
    store: &'a PathBuf,
    engine: EngineKey,
    games: usize,
    #[serde(flatten)]
    entered: &'a Entered,
    turns: usize,
    excluded: BTreeMap<Exclusion, usize>,
    positions: Evaluated,
}

fn evaluate(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.games.is_empty() && !arguments.store.is_file() {
        bail!("there is nothing to evaluate: name games, or a study that has some");
    }
    let pool = arguments.engine.start(arguments.depth)?;
    let engine = pool.key().clone();
    let mut study = Study::open_or_create(&arguments.store)?;
    let entered = evaluating::enter(&mut study, &arguments.games)?;
    let named = !arguments.games.is_empty();
    if named && entered.games.is_empty() {
        talk!("errare: there are no games to evaluate");
        return Ok(ExitCode::from(1));
    }
    let games = named.then_some(&entered.games);
    let positions = evaluating::evaluate(&mut study, pool, games)?;
    let counts = study.turn_counts(games)?;
    let report = Report {
        turns: counts.values().sum(),
        excluded: counts
            .into_iter()
            .filter_map(|(reason, turns)| Some((reason?, turns)))
            .collect(),
        store: &arguments.store,
        engine,
        games: match games {
            Some(games) => games.len(),
            None => study.games()?.len(),
        },
        entered: &entered,
        positions,
    };
    if arguments.json {
        output::json(&report)?;
    } else {
        tell(&mut io::stdout().lock(), &report)?;
    }
    Ok(end(&report.positions))
}

fn tell(out: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
    let count = |number: usize| HumanCount(number as u64);
    let Report {
        positions, entered, ..
    } = report;
    writeln!(out, "engine     {}", report.engine)?;
    writeln!(
        out,
        "games      {}, {} of them new; {} bad ones skipped",
        count(report.games),
        count(entered.new_games),
        count(entered.bad_games.len()),
    )?;
    write!(out, "turns      {}", count(report.turns))?;
    for (reason, turns) in &report.excluded {
        write!(out, ", {} {reason}", count(*turns))?;
    }
    writeln!(
        out,
        "\npositions  {} evaluated, {} known already, {} left",
        count(positions.evaluated + positions.elsewhere),
        count(positions.known),
        count(positions.left),
    )
}

/// Says what is not as it should be, and finds the exit code.
fn end(positions: &Evaluated) -> ExitCode {
    if positions.interrupted {
        talk!("errare: interrupted; what is evaluated is kept, the same command goes on");
        return ExitCode::from(interrupt::EXIT_CODE);
    }
    if positions.failed > 0 {
        talk!(
            "errare: positions at which the engine kept failing: {}; the same command tries them again",
            positions.failed
        );
        return ExitCode::from(2);
    }
    ExitCode::SUCCESS
}
