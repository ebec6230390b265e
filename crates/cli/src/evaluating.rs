//! Entering games into a study and having them evaluated, told on standard error.

use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use errare_engine::Pool;
use errare_games::{games, open};
use errare_rating::{
    GameId, GameRecord, Study,
    study::{Evaluated, Event},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::interrupt;

/// Games that are entered in one go.
const BATCH: usize = 500;

/// What became of the games of some files.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Entered {
    /// The games that are in the study now.
    #[serde(skip)]
    pub(crate) games: BTreeSet<GameId>,
    /// Those that were not there before.
    pub(crate) new_games: usize,
    /// Games that were skipped.
    pub(crate) bad_games: Vec<BadGame>,
}

/// A game that was skipped.
#[derive(Debug, Serialize)]
pub(crate) struct BadGame {
    file: PathBuf,
    /// Its number in the file, from 1.
    number: usize,
    reason: String,
}

/// Enters the games of some files, and tells which of them are bad.
pub(crate) fn enter(study: &mut Study, files: &[PathBuf]) -> Result<Entered> {
    let mut entered = Entered::default();
    for file in files {
        let mut batch = Vec::with_capacity(BATCH);
        for (number, game) in (1..).zip(games(open(file)?)) {
            let record = match game {
                Ok(game) => GameRecord::new(game).map_err(anyhow::Error::new),
                Err(error) => Err(error).context("the text cannot be read on from here"),
            };
            match record {
                Ok(record) => batch.push(record),
                Err(error) => {
                    let reason = format!("{error:#}");
                    talk!("{}, game {number} is skipped: {reason}", file.display());
                    entered.bad_games.push(BadGame {
                        file: file.clone(),
                        number,
                        reason,
                    });
                }
            }
            if batch.len() == BATCH {
                add(study, &mut batch, &mut entered, file)?;
            }
        }
        add(study, &mut batch, &mut entered, file)?;
    }
    Ok(entered)
}

fn add(
    study: &mut Study,
    batch: &mut Vec<GameRecord>,
    entered: &mut Entered,
    file: &Path,
) -> Result<()> {
    let added = study
        .add_games(batch)
        .with_context(|| format!("cannot enter the games of {}", file.display()))?;
    entered.new_games += added.iter().filter(|game| game.new).count();
    entered.games.extend(added.iter().map(|game| game.id));
    batch.clear();
    Ok(())
}

/// Evaluates what is not yet evaluated of these games, or of all, behind a progress bar. Ctrl-C stops it
/// and loses nothing.
pub(crate) fn evaluate(
    study: &mut Study,
    pool: Pool,
    games: Option<&BTreeSet<GameId>>,
) -> Result<Evaluated> {
    let style = ProgressStyle::with_template(
        "{bar:24} {human_pos} of {human_len} positions, {elapsed} so far, {eta} left",
    )
    .expect("the template is well formed");
    let bar = ProgressBar::no_length().with_style(style);
    interrupt::defer();
    let evaluated = study.evaluate(pool, games, |event| {
        match event {
            Event::Begin { waiting, .. } => bar.set_length(waiting as u64),
            Event::Evaluated | Event::Found => bar.inc(1),
            Event::Restarted { fen, error } => {
                bar.suspend(|| talk!("{fen}: {error}; it is started again"));
            }
            Event::Failed { fen, error } => {
                bar.inc(1);
                bar.suspend(|| talk!("{fen}: {error}; the position is left out"));
            }
            Event::Waiting => {}
        }
        if interrupt::requested() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    interrupt::allow();
    Ok(evaluated?)
}
