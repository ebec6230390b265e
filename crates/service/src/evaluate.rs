//! Enters games into a study and evaluates every move of every eligible turn; or imports turns evaluated
//! elsewhere.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use errare_core::{FaultKind, Watch, directory_of, with_causes};
use errare_engine::EngineKey;
use errare_rating::{
    Exclusion, Study,
    study::{EvaluationCounts, Imported},
};
use serde::{Deserialize, Serialize};

use crate::{
    Error, RequestError, Service,
    engine::EngineChoice,
    study::{Entered, Intake, must_be_readable},
};

/// The games to evaluate, and the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EvaluateRequest))]
pub struct Request {
    /// Files of games; `-` is standard input. If empty, all games of the study are evaluated.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub games: Vec<PathBuf>,
    /// The study, which is created if necessary.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub store: PathBuf,
    /// The search depth.
    pub depth: u8,
    /// The engine.
    #[serde(default)]
    pub engine: EngineChoice,
}

/// The result of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = EvaluateAnswer))]
pub struct Answer {
    /// The study.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub store: PathBuf,
    /// The engine.
    pub engine: EngineKey,
    /// The number of games requested.
    pub games: usize,
    /// The outcome of entering the files' games.
    #[serde(flatten)]
    pub entered: Entered,
    /// Turns of these games.
    pub turns: usize,
    /// Turns that need no evaluation, by reason.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, usize>))]
    pub excluded: BTreeMap<Exclusion, usize>,
    /// The outcome of evaluating positions.
    pub positions: EvaluationCounts,
}

/// Enters games and evaluates them. Being stopped is not an error: the answer says what was done.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let named = !request.games.is_empty();
    if !named && !request.store.is_file() {
        return Err(Error::bad_request(
            "there is nothing to evaluate: name games, or a study that has some",
        ));
    }
    request
        .games
        .iter()
        .try_for_each(|file| must_be_readable(file))?;
    let evaluator = request.engine.evaluator(request.depth)?;
    let engine = evaluator.key().clone();
    let mut intake = Intake::new(&request.store)?;
    for file in &request.games {
        intake.file(file, watch)?;
    }
    let (study, entered) = intake.finish();
    let Some(mut study) = study.filter(|_| !named || !entered.games.is_empty()) else {
        return Err(RequestError::NoGames.into());
    };
    let games = named.then_some(&entered.games);
    let positions = evaluator.evaluate(&mut study, games, watch)?;
    let counts = study.turn_counts(games)?;
    Ok(Answer {
        turns: counts.values().sum(),
        excluded: counts
            .into_iter()
            .filter_map(|(reason, turns)| Some((reason?, turns)))
            .collect(),
        store: request.store.clone(),
        engine,
        games: match games {
            Some(games) => games.len(),
            None => study.games()?.len(),
        },
        entered,
        positions,
    })
}

/// An import of turns that were evaluated elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportRequest {
    /// The file: lines of JSON, possibly compressed; `-` is standard input.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub file: PathBuf,
    /// The study, which is created if necessary.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub store: PathBuf,
    /// The engine's net, for lines that do not name it.
    #[serde(default)]
    pub net: Option<String>,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportAnswer {
    /// The file with the turns.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub file: PathBuf,
    /// The study.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub store: PathBuf,
    /// The numbers.
    pub imported: Imported,
}

/// Enters evaluated turns, all or none. A new study is created only if they can be entered.
pub fn import(
    _: &Service,
    request: &ImportRequest,
    watch: &dyn Watch,
) -> Result<ImportAnswer, Error> {
    let ImportRequest { file, store, net } = request;
    watch.begin("importing", None);
    let failed = |error: Error| {
        error.context(format!(
            "cannot import {}; nothing was imported",
            file.display()
        ))
    };
    let text = errare_games::open(file)
        .map_err(|error| Error::new(FaultKind::Missing, with_causes(&error)))?;
    let import = |path: &Path| -> Result<Imported, Error> {
        let mut study = Study::open_or_create(path)?;
        Ok(study.import_with_net(text, net.as_deref())?)
    };
    let imported = if store.exists() {
        import(store).map_err(failed)?
    } else {
        let unwritable = |error: std::io::Error| {
            let text = format!("cannot write {}: {error}", store.display());
            Error::new(FaultKind::Internal, text)
        };
        // `tempfile_in` would name the temporary file in its errors.
        let begun = tempfile::Builder::new()
            .prefix(".study")
            .suffix(".partial")
            .make_in(directory_of(store).map_err(unwritable)?, |path| {
                std::fs::File::create_new(path)
            })
            .map_err(unwritable)?
            .into_temp_path();
        let imported = import(&begun).map_err(failed)?;
        begun
            .persist_noclobber(store)
            .map_err(|error| unwritable(error.error))?;
        imported
    };
    Ok(ImportAnswer {
        file: file.clone(),
        store: store.clone(),
        imported,
    })
}
