//! From a file of games to a rating in three steps: open, evaluate, rate.

use std::{io, num::NonZero, path::Path, thread, time::Duration};

use errare_core::{Fault, FaultKind, Watch};
use errare_engine::{EngineError, EngineKey, EngineSettings, NotFound, Pool, find};

use super::{EvaluationCounts, Study, StudyError};
use crate::{
    GameRecord, PlayerError, PlayerTurns,
    continuous::{Calibration, RateError, Rated},
};

/// How long an engine may go without progress.
const SILENCE: Duration = Duration::from_secs(60);
/// The level of a rating's intervals.
const LEVEL: f64 = 0.95;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The games cannot be read.
    #[error("cannot read the games")]
    Games(#[source] io::Error),
    /// No engine was found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The engine is unusable.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The study failed.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The name selects no single player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// There is no calibration for this engine.
    #[error("no calibration for {0} comes with Errare")]
    NoCalibration(Box<EngineKey>),
    /// There is no rating.
    #[error(transparent)]
    Rate(#[from] RateError),
}

impl Fault for StepError {
    fn kind(&self) -> FaultKind {
        match self {
            StepError::Games(error) if error.kind() == io::ErrorKind::NotFound => {
                FaultKind::Missing
            }
            StepError::Games(_) => FaultKind::Damaged,
            StepError::NotFound(error) => error.kind(),
            StepError::Engine(error) => error.kind(),
            StepError::Study(error) => error.kind(),
            StepError::Player(error) => error.kind(),
            StepError::NoCalibration(_) => FaultKind::Missing,
            StepError::Rate(error) => error.kind(),
        }
    }
}

impl Study {
    /// Enters the games of a PGN file that can be played through, and evaluates them to this depth with
    /// Stockfish, one engine per core.
    pub fn evaluate_file(
        &mut self,
        games: &Path,
        depth: u8,
        watch: &dyn Watch,
    ) -> Result<EvaluationCounts, StepError> {
        let settings = EngineSettings {
            path: find(None)?,
            depth,
            silence: SILENCE,
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let pool = Pool::start(settings, cores)?;
        let text = errare_games::open(games).map_err(|error| StepError::Games(error.source))?;
        let mut entered = std::collections::BTreeSet::new();
        for game in errare_games::games(text) {
            let game = game.map_err(StepError::Games)?;
            if let Ok(record) = GameRecord::new(game) {
                entered.extend(self.add_games(&[record])?.iter().map(|added| added.id));
            }
        }
        Ok(self.evaluate(pool, Some(&entered), watch)?)
    }

    /// Rates a player, named in full or in part, using the deepest evaluations of the study and the shipped
    /// calibration for their engine: how well the moves were played, and what that says about the player's Elo.
    pub fn rate(&self, player: &str) -> Result<Rated, StepError> {
        let view = self.view(None, None)?;
        let calibration = Calibration::shipped(&view.engine)
            .ok_or_else(|| StepError::NoCalibration(Box::new(view.engine.clone())))?;
        let player = PlayerTurns::find(PlayerTurns::all(self, &view)?, player, false)?;
        let choices = player.choices(calibration.lines.features(), |_| true);
        Ok(calibration.rate(&choices, player.elo(), LEVEL)?)
    }
}
