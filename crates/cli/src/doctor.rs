//! `errare doctor`: is everything here that the other verbs need?

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use anyhow::Result;
use clap::Args;
use errare_engine::{Engine, EngineKey, position_key};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Position};

use crate::{directory::Directory, engine::EngineSettings, output};

/// Says whether an engine is found and answers, which tables are there, and where
///
/// The exit code is 1 if something is missing or damaged. Endgame tables that are not there are no
/// trouble: they are built when they are needed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engine: EngineSettings,

    #[command(flatten)]
    directory: Directory,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare doctor
  errare doctor --engine /opt/engines/lc0 --json";

/// How deep the engine is asked to search, to see whether it does.
const DEPTH: u8 = 5;

/// What was found.
#[derive(Serialize)]
struct Findings {
    version: &'static str,
    engine: Option<EngineFound>,
    tables: Option<TablesFound>,
    problems: Vec<String>,
}

/// An engine that works.
#[derive(Serialize)]
struct EngineFound {
    path: PathBuf,
    #[serde(flatten)]
    key: EngineKey,
    /// What it took to evaluate the initial position.
    seconds: f64,
}

/// The directory of tables.
#[derive(Serialize)]
struct TablesFound {
    directory: PathBuf,
    files: usize,
    endgames: usize,
    bytes: u64,
}

/// Looks at everything.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut problems = Vec::new();
    let engine = found(engine(&arguments.engine), &mut problems);
    let tables = found(tables(&arguments.directory, &mut problems), &mut problems);
    let findings = Findings {
        version: env!("CARGO_PKG_VERSION"),
        engine,
        tables,
        problems,
    };
    if arguments.json {
        output::json(&findings)?;
    } else {
        tell(&mut io::stdout().lock(), &findings)?;
    }
    for problem in &findings.problems {
        talk!("errare: {problem}");
    }
    Ok(ExitCode::from(u8::from(!findings.problems.is_empty())))
}

fn found<T>(result: Result<T>, problems: &mut Vec<String>) -> Option<T> {
    result
        .map_err(|error| problems.push(format!("{error:#}")))
        .ok()
}

fn engine(options: &EngineSettings) -> Result<EngineFound> {
    let settings = options.at(DEPTH)?;
    let mut engine = Engine::start(&settings, Arc::new(AtomicBool::new(false)))?;
    let initial = Chess::default();
    let moves = initial.legal_moves();
    let uci = |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard);
    let legal: Vec<_> = moves.iter().map(uci).collect();
    let begun = Instant::now();
    engine.evaluate(&position_key(&initial), &legal)?;
    Ok(EngineFound {
        path: settings.path,
        key: engine.key().clone(),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

fn tables(directory: &Directory, problems: &mut Vec<String>) -> Result<TablesFound> {
    let store = directory.open()?;
    let listed = store.list()?;
    for file in &listed {
        if let Err(error) = &file.description {
            problems.push(error.to_string());
        }
    }
    let mut endgames: Vec<_> = listed.iter().map(|file| file.material).collect();
    endgames.dedup();
    Ok(TablesFound {
        directory: store.directory().to_owned(),
        files: listed.len(),
        endgames: endgames.len(),
        bytes: listed.iter().map(|file| file.bytes).sum(),
    })
}

fn tell(out: &mut impl Write, findings: &Findings) -> io::Result<()> {
    writeln!(out, "errare   {}", findings.version)?;
    match &findings.engine {
        None => writeln!(out, "engine   none that works")?,
        Some(engine) => {
            let EngineKey {
                name, version, net, ..
            } = &engine.key;
            writeln!(out, "engine   {name} {version}, {}", engine.path.display())?;
            if !net.is_empty() {
                writeln!(out, "         net {net}")?;
            }
            let seconds = engine.seconds;
            writeln!(
                out,
                "         evaluates the initial position to depth {DEPTH} in {seconds:.2} s"
            )?;
        }
    }
    if let Some(tables) = &findings.tables {
        writeln!(
            out,
            "tables   {} of {} endgames, {}, in {}",
            HumanCount(tables.files as u64),
            HumanCount(tables.endgames as u64),
            HumanBytes(tables.bytes),
            tables.directory.display(),
        )?;
    }
    Ok(())
}
