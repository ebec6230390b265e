//! The games behind a rating or screening: a study, or games that are evaluated into one first.
//!
//! The calibration is looked up before anything is evaluated, so that nobody waits an hour to learn that
//! there is none.

use std::{
    collections::BTreeSet,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use errare_core::{FaultKind, Watch};
use errare_engine::EngineKey;
use errare_rating::{EvaluationView, PlayerTurns, Study, StudyGame};
use serde::{Deserialize, Serialize};

use crate::{
    Error, RequestError,
    calibration::{AnyCalibration, CalibrationChoice, Fitting},
    engine::EngineChoice,
    study::{Fingerprint, Intake, SkippedGame, StudyView, must_be_readable},
};

/// The default search depth for games.
pub(crate) const DEPTH: u8 = 10;

/// The games, how to evaluate them, and the calibration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EvidenceChoice {
    /// Games in PGN, or a study; `-` reads games from standard input.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub games: PathBuf,
    /// The games themselves, in PGN, for callers without a file; `games` is then only their name in reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// The study that games are evaluated into; by default the games' file name with `.db` appended.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub store: Option<PathBuf>,
    /// The depth; by default 10 for games, and for a study that of a named calibration, otherwise the greatest available.
    #[serde(default)]
    pub depth: Option<u8>,
    /// The engine that evaluates games.
    #[serde(default)]
    pub engine: EngineChoice,
    /// For a study with several engines, a part of the name, version or net of the one to use.
    #[serde(default)]
    pub engine_name: Option<String>,
    /// The calibration.
    #[serde(flatten)]
    pub calibration: CalibrationChoice,
}

/// The provenance of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Evidence {
    /// The file that was named, with its hash.
    pub file: Fingerprint,
    /// The study with the evaluations.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub study: PathBuf,
    /// The engine, and the depth of its evaluations.
    pub engine: EngineKey,
    /// The version of Errare.
    pub version: String,
    /// Games.
    pub games: usize,
    /// Their events, in alphabetical order.
    pub events: Vec<String>,
    /// Their sites, in alphabetical order.
    pub sites: Vec<String>,
    /// The first and last date, as written in the files.
    pub dates: Option<[String; 2]>,
    /// Games that were skipped.
    pub bad_games: Vec<SkippedGame>,
}

/// Evaluated games with their calibration.
pub(crate) struct Opened {
    pub(crate) study: Study,
    pub(crate) view: EvaluationView,
    pub(crate) calibration: AnyCalibration,
    pub(crate) evidence: Evidence,
    pub(crate) warnings: Vec<String>,
}

impl EvidenceChoice {
    /// Opens the study, or creates it from games.
    pub(crate) fn open(&self, watch: &dyn Watch) -> Result<Opened, Error> {
        if self.pgn.is_none() && is_study(&self.games) {
            self.study(watch)
        } else {
            self.evaluated(watch)
        }
    }

    fn study(&self, watch: &dyn Watch) -> Result<Opened, Error> {
        if self.store.is_some() {
            return Err(RequestError::StoreOfStudy.into());
        }
        let view = StudyView {
            study: self.games.clone(),
            engine: self.engine_name.clone(),
            depth: self.depth,
        };
        let (study, view) = at_depth_of(&self.calibration, view)?.opened(watch)?;
        let fitting = self.calibration.load(&view.engine)?;
        let file = Fingerprint::of(&self.games)?;
        opened(study, view, fitting, file, Vec::new())
    }

    fn evaluated(&self, watch: &dyn Watch) -> Result<Opened, Error> {
        let store = match &self.store {
            Some(store) => store.clone(),
            None if self.pgn.is_some() || self.games == Path::new("-") => {
                return Err(RequestError::StoreNeeded.into());
            }
            None => self.games.with_added_extension("db"),
        };
        if self.pgn.is_none() {
            must_be_readable(&self.games)?;
        }
        let evaluator = self.engine.evaluator(self.depth.unwrap_or(DEPTH))?;
        let engine = evaluator.key().clone();
        let fitting = self.calibration.load(&engine)?;
        let mut intake = Intake::new(&store)?;
        match &self.pgn {
            Some(pgn) => intake.text(&self.games, pgn, watch)?,
            None => intake.file(&self.games, watch)?,
        }
        let (study, entered) = intake.finish();
        let Some(mut study) = study.filter(|_| !entered.games.is_empty()) else {
            return Err(RequestError::NoGames.into());
        };
        if study.unevaluated(&engine, Some(&entered.games))? > 0 {
            watch.tell(&format!(
                "evaluating into {} with {engine}, which has a calibration",
                store.display()
            ));
        }
        let positions = evaluator.evaluate(&mut study, Some(&entered.games), watch)?;
        if positions.interrupted {
            return Err(Error::new(
                FaultKind::Stopped,
                format!(
                    "stopped; what was evaluated is kept in {}, and the same request goes on from there",
                    store.display()
                ),
            ));
        }
        if let Some(failure) = positions.failures.first() {
            return Err(Error::new(
                FaultKind::Internal,
                format!(
                    "the engine kept failing at {} positions; at {}: {}",
                    positions.failed, failure.fen, failure.reason
                ),
            ));
        }
        let file = entered.files.into_iter().next().expect("one file was read");
        let games = Some(entered.games);
        let view = EvaluationView { engine, games };
        opened(study, view, fitting, file, entered.bad_games)
    }
}

fn opened(
    study: Study,
    view: EvaluationView,
    fitting: Fitting,
    file: Fingerprint,
    bad_games: Vec<SkippedGame>,
) -> Result<Opened, Error> {
    let all = study.games()?;
    let among = |game: &&StudyGame| view.games.as_ref().is_none_or(|it| it.contains(&game.id));
    let games: Vec<&StudyGame> = all.values().map(|game| &**game).filter(among).collect();
    let texts = |tag: fn(&StudyGame) -> Option<&str>| -> Vec<String> {
        let texts: BTreeSet<&str> = games.iter().filter_map(|game| tag(game)).collect();
        texts.into_iter().map(str::to_owned).collect()
    };
    let dates = texts(StudyGame::date);
    let evidence = Evidence {
        file,
        study: study.path().to_owned(),
        engine: view.engine.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        games: games.len(),
        events: texts(StudyGame::event),
        sites: texts(|game| game.tag("Site")),
        dates: dates
            .first()
            .zip(dates.last())
            .map(|(first, last)| [first.clone(), last.clone()]),
        bad_games,
    };
    Ok(Opened {
        calibration: fitting.calibration,
        warnings: fitting.warning.into_iter().collect(),
        study,
        view,
        evidence,
    })
}

impl Opened {
    /// All players of the games.
    pub(crate) fn players(&self) -> Result<Vec<PlayerTurns>, Error> {
        Ok(PlayerTurns::all(&self.study, &self.view)?)
    }
}

/// A view without a depth, at that of a named calibration.
pub(crate) fn at_depth_of(
    choice: &CalibrationChoice,
    mut view: StudyView,
) -> Result<StudyView, Error> {
    if let (None, Some(named)) = (view.depth, &choice.calibration) {
        view.depth = Some(AnyCalibration::named(named)?.engine().depth);
    }
    Ok(view)
}

/// Is a file an SQLite database?
fn is_study(path: &Path) -> bool {
    let mut head = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head.starts_with(b"SQLite format 3")
}
