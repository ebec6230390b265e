//! Checks that everything the other requests need is available.

use std::{path::PathBuf, time::Instant};

use errare_core::{Cancel, Watch, with_causes};
use errare_engine::{Engine, EngineKey, position_key};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Position};

use crate::{Error, Service, engine::EngineChoice};

/// The search depth of the engine test.
pub const DEPTH: u8 = 5;

/// What to check besides the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DoctorRequest))]
pub struct Request {
    /// The engine.
    #[serde(default)]
    pub engine: EngineChoice,
}

/// The results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DoctorAnswer))]
pub struct Answer {
    /// The version of Errare.
    pub version: String,
    /// The engine, if it works.
    pub engine: Option<EngineFound>,
    /// The directory of tables, if it can be read.
    pub tables: Option<TablesFound>,
    /// What is missing or damaged.
    pub problems: Vec<String>,
}

/// A working engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EngineFound {
    /// Its path.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub path: PathBuf,
    /// Its identity.
    #[serde(flatten)]
    pub key: EngineKey,
    /// The seconds it took to evaluate the initial position.
    pub seconds: f64,
}

/// The directory of tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TablesFound {
    /// Its path.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub directory: PathBuf,
    /// The number of table files.
    pub files: usize,
    /// The number of endgames they cover.
    pub endgames: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Runs all checks.
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    watch.begin("looking around", None);
    let mut problems = Vec::new();
    let mut found = |error: Error| problems.push(with_causes(&error));
    let engine = engine(&request.engine).map_err(&mut found).ok();
    let tables = tables(service, &mut found);
    Ok(Answer {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine,
        tables,
        problems,
    })
}

fn engine(choice: &EngineChoice) -> Result<EngineFound, Error> {
    let settings = choice.settings(DEPTH)?;
    let mut engine = Engine::start(&settings, Cancel::default())?;
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

fn tables(service: &Service, found: &mut impl FnMut(Error)) -> Option<TablesFound> {
    let store = service.tables.store();
    let listed = match store.list() {
        Ok(listed) => listed,
        Err(error) => {
            found(error.into());
            return None;
        }
    };
    for file in &listed {
        if let Err(error) = &file.description {
            found(Error::new(
                errare_core::FaultKind::Damaged,
                error.to_string(),
            ));
        }
    }
    let mut endgames: Vec<_> = listed.iter().map(|file| file.material).collect();
    endgames.dedup();
    Some(TablesFound {
        directory: store.directory().to_owned(),
        files: listed.len(),
        endgames: endgames.len(),
        bytes: listed.iter().map(|file| file.bytes).sum(),
    })
}
