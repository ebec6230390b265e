//! `errare analyse`: how competently were endgames played?

mod pgn;
mod plot;
mod report;

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Args;
use errare_core::{Material, Metric};
use errare_endgame::{GameAnalysis, Record, Settings, analyse_after, endgames};
use errare_games::Game;
use serde::Serialize;

use crate::{
    files, games,
    model::{Model, Prior},
    output,
};

/// Says how competently the endgames of games were played
///
/// The part of each game that has few enough men for tables is compared with them, move by move. A
/// player's apparent competence c is that of the reference player R_c who would most likely have
/// played so: 0 is a random mover, 20 a strong human in KQKR. It needs errors: a side that never
/// cedes depth has no finite c. Moves that lose value (a win, a draw) are counted apart.
///
/// Marks: ° only legal move, " only move that keeps the value, ' only optimal move. {+i/+j: ...} is a
/// move that cedes i of the winner's moves, j in all, with the optimal moves.
///
/// Games with mistakes are analysed as far as they can be played through; what is wrong is told on
/// standard error. Exit code 1: no game has a position with few enough men.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of games in PGN, plain, .gz or .zst; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,

    /// Write the games with marks and ceded depth in comments
    #[arg(long, value_name = "PGN")]
    annotate: Option<PathBuf>,

    /// Draw depth and competence move by move, as SVG; a number is added if there are several games
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,

    /// Competences taken into account, from(step)to or from:step:to, all as likely before a game, or
    /// with a normal distribution: 0:1:50,normal:20:5
    #[arg(long, visible_alias = "grid", default_value = "0(0.01)50")]
    prior: Prior,

    /// What a game shows of a player, known by name, is believed before their next game
    #[arg(long)]
    carry: bool,

    #[command(flatten)]
    model: Model,

    /// Answer in JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Answer in CSV, one row a move
    #[arg(long)]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare analyse games.pgn
  errare analyse games.pgn --metric dtm --prior '0(0.1)100' --plot games.svg
  errare analyse tournament.pgn --carry        one competence a player, game after game
  errare analyse archive.pgn.gz --csv > moves.csv";

#[derive(Serialize)]
struct Answer<'a> {
    metric: Metric,
    kappa: f64,
    grid: String,
    games: &'a [GameAnalysis],
}

/// Analyses all games.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let games = games::read(&arguments.files)?;
    let mut needed: Vec<Material> = Vec::new();
    for endgame in games.iter().flat_map(endgames) {
        if !needed.contains(&endgame) {
            needed.push(endgame);
        }
    }
    let oracle = arguments.model.oracle(&needed, &[])?;
    let settings = Settings {
        kappa: arguments.model.kappa,
        grid: arguments.prior.grid,
        prior: arguments.prior.shape.clone(),
    };
    let mut analysed = Vec::new();
    let mut record = Record::default();
    for game in &games {
        if !arguments.carry {
            record = Record::default();
        }
        let analysis = analyse_after(&oracle, game, &settings, &mut record)
            .with_context(|| format!("game {}", game.number))?;
        if !analysis.phases.is_empty() {
            analysed.push((game, analysis));
        }
    }
    if let Some(path) = &arguments.annotate {
        annotate(path, &analysed)?;
    }
    if let Some(path) = &arguments.plot {
        draw(path, &analysed)?;
    }
    answer(arguments, &analysed)?;
    if analysed.is_empty() {
        talk!(
            "errare: no game of {} has a position with few enough men",
            games.len()
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(arguments: &Arguments, analysed: &[(&Game, GameAnalysis)]) -> Result<()> {
    if arguments.json {
        let games: Vec<_> = analysed
            .iter()
            .map(|(_, analysis)| analysis.clone())
            .collect();
        output::json(&Answer {
            metric: arguments.model.metric,
            kappa: arguments.model.kappa.get(),
            grid: arguments.prior.grid.to_string(),
            games: &games,
        })?;
    } else if arguments.csv {
        report::csv(io::stdout().lock(), analysed)?;
    } else {
        let mut out = anstream::stdout().lock();
        for (game, analysis) in analysed {
            report::write(&mut out, game, analysis, arguments.carry)?;
        }
    }
    Ok(())
}

fn annotate(path: &Path, analysed: &[(&Game, GameAnalysis)]) -> Result<()> {
    let mut text = Vec::new();
    for (game, analysis) in analysed {
        pgn::write(&mut text, game, analysis)?;
    }
    files::write(path, &String::from_utf8(text)?)
}

fn draw(path: &Path, analysed: &[(&Game, GameAnalysis)]) -> Result<()> {
    for (_, analysis) in analysed {
        let path = match analysed.len() {
            1 => path.to_owned(),
            _ => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let name = format!("{stem}-{}.svg", analysis.number);
                path.with_file_name(name)
            }
        };
        plot::draw(&path, analysis)?;
    }
    Ok(())
}
