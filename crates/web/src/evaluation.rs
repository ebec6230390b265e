//! Evaluates, rates and screens games that visitors send, with the server's engine.
//!
//! A request contains only the text of the games: engine, study and queue are the server's own. Evaluations are kept
//! in its study, so that a stopped job resumes where it was, and screening after rating costs nothing.

use std::{
    fs,
    path::{Path, PathBuf},
};

use errare_core::{FaultKind, Watch};
use errare_report::{page, rating, screening};
use errare_service::{
    EngineChoice, Error, EvidenceChoice, Service, fleet::QueueChoice, practice::history::History,
    rate, screen,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The default name of games.
const NAMELESS: &str = "games.pgn";

/// How this server evaluates games.
#[derive(Debug, Clone)]
pub struct EvaluationChoice {
    /// The engine, and the queue whose workers evaluate, if there is one.
    pub engine: EngineChoice,
    /// The study that keeps evaluations.
    pub study: PathBuf,
}

impl EvaluationChoice {
    /// The default place for evaluations: beside the history of practice.
    pub fn usual_study() -> Result<PathBuf, Error> {
        let study = History::usual_path()?.with_file_name("evaluations.db");
        if let Some(directory) = study.parent() {
            fs::create_dir_all(directory).map_err(|error| {
                let text = format!("cannot make {}: {error}", directory.display());
                Error::new(FaultKind::Internal, text)
            })?;
        }
        Ok(study)
    }
}

/// Games to evaluate. The server uses its own engine and keeps the evaluations.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct SentGames {
    /// The games, in PGN.
    pub(crate) pgn: String,
    /// The name of their file, for reports.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// The search depth, for which there must be a calibration. Default: 10.
    #[serde(default)]
    depth: Option<u8>,
}

/// Ratings for the page.
#[derive(Serialize)]
pub(crate) struct Rated {
    #[serde(flatten)]
    everyone: rate::Everyone,
    /// The statements about each player, in the same order: the rating in a sentence, then its basis.
    words: Vec<Vec<String>>,
    /// The printable report.
    page: String,
}

/// A screening for the page.
#[derive(Serialize)]
pub(crate) struct Screening {
    #[serde(flatten)]
    answer: screen::Answer,
    /// The statements about the whole list, the thresholds first.
    words: Vec<String>,
    /// What each player's turns could have shown, in the same order.
    effects: Vec<String>,
    /// The printable report.
    page: String,
}

impl EvaluationChoice {
    /// The queue whose workers evaluate.
    pub(crate) fn queue(&self) -> Option<&QueueChoice> {
        self.engine.queue.as_ref()
    }

    fn evidence(&self, games: SentGames) -> EvidenceChoice {
        // The name is only displayed, but must not look like a path on this machine.
        let name = games
            .name
            .as_deref()
            .map(Path::new)
            .and_then(Path::file_name);
        EvidenceChoice {
            games: name.map_or_else(|| PathBuf::from(NAMELESS), PathBuf::from),
            pgn: Some(games.pgn),
            store: Some(self.study.clone()),
            depth: games.depth,
            engine: self.engine.clone(),
            ..EvidenceChoice::default()
        }
    }

    /// Rates all players of some games.
    pub(crate) fn rate(
        &self,
        service: &Service,
        games: SentGames,
        watch: &dyn Watch,
    ) -> Result<Rated, Error> {
        let request = rate::Request::new(self.evidence(games));
        let everyone = rate::everyone(service, &request, watch)?;
        Ok(Rated {
            words: everyone.players.iter().map(rating_words).collect(),
            page: page::ratings(&everyone, None).map_err(undrawn)?,
            everyone,
        })
    }

    /// Screens all players of some games.
    pub(crate) fn screen(
        &self,
        service: &Service,
        games: SentGames,
        watch: &dyn Watch,
    ) -> Result<Screening, Error> {
        let evidence = self.evidence(games);
        let details = true;
        let answer = screen::answer(service, &screen::Request { evidence, details }, watch)?;
        Ok(Screening {
            words: [screening::thresholds(&answer)]
                .into_iter()
                .chain(screening::notes(&answer))
                .collect(),
            effects: (answer.players.iter())
                .map(|listed| screening::smallest_effect(&listed.one))
                .collect(),
            page: page::screening(&answer, None).map_err(undrawn)?,
            answer,
        })
    }
}

fn rating_words(answer: &rate::Answer) -> Vec<String> {
    let statements = rating::statements(answer).into_iter().map(|one| {
        let (estimate, interval) = (rating::estimate(&one.band), rating::interval(&one.band));
        format!("{}: {estimate} ({interval})", one.name)
    });
    [rating::headline(answer)]
        .into_iter()
        .chain(statements)
        .chain([rating::agreement(answer)])
        .collect()
}

fn undrawn(error: impl std::fmt::Display) -> Error {
    Error::new(errare_core::FaultKind::Internal, error.to_string())
}
