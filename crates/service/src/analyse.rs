//! How competently the endgames of games were played.
//!
//! Games are analysed one by one in a [`Session`], so that a file of any size needs the memory of one game and the
//! first answer comes at once. A session also sums up what each player did ([`summary`]).

pub mod rated;
pub mod stream;
pub mod summary;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use errare_core::{FaultKind, Material, Watch};
use errare_endgame::{AnalyserSettings, GameAnalysis, Oracle, Record, analyse_observed, endgames};
use errare_games::{Game, games};
use errare_tables::{MAX_MEN, Prober};
use serde::{Deserialize, Serialize};

use self::summary::{PlayerSummary, Summary};
use crate::{
    Error, Service,
    model::{Model, Prior},
};

/// Games to be analysed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The games, in PGN.
    pub pgn: String,
    /// How to analyse them.
    #[serde(flatten)]
    pub settings: AnalyseSettings,
}

/// How games are analysed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AnalyseSettings {
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// What is believed of a player's competence before a game.
    pub prior: Prior,
    /// Whether each game's posterior is the prior of the same player's next game.
    pub carry: bool,
    /// Tables are built for so many men at most.
    pub men: usize,
}

impl Default for AnalyseSettings {
    fn default() -> AnalyseSettings {
        AnalyseSettings {
            model: Model::default(),
            prior: "0(0.01)50".parse().expect("it is a prior"),
            carry: false,
            men: MAX_MEN,
        }
    }
}

/// What games were like.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// The competences taken into account.
    pub grid: String,
    /// The games that reach few enough men.
    pub games: Vec<GameAnalysis>,
    /// What all games together came to.
    #[serde(flatten)]
    pub totals: Totals,
}

/// What all games together came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Totals {
    /// How many games were read.
    pub games_read: usize,
    /// How many of them reach few enough men and were analysed, at least in part.
    pub games_analysed: usize,
    /// What each player did, by name.
    pub players: Vec<PlayerSummary>,
    /// Tables that were missing.
    pub missing: Vec<Missing>,
}

/// A table that was missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Missing {
    /// The endgame.
    pub endgame: Material,
    /// The numbers of the games that need it.
    pub games: Vec<usize>,
}

/// Tables that would have to be built for a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    /// The number of the game.
    pub game: usize,
    /// The endgames it needs.
    pub endgames: Vec<Material>,
    /// How many tables that takes, those that play can lead to included.
    pub tables: usize,
    /// About how long it takes.
    pub time: Duration,
}

/// Positions that are solved and stored in a second, on two cores of a server of the 2020s: 1.6 billion of KRPKR and
/// what it leads to took 78 seconds.
const POSITIONS_PER_SECOND: u64 = 20_000_000;

/// Analyses games one after the other.
pub struct Session<'a> {
    service: &'a Service,
    settings: &'a AnalyseSettings,
    analysis: AnalyserSettings,
    oracle: Oracle,
    /// Whether tables may be built, asked before each build.
    permits: &'a dyn Fn(&Build) -> bool,
    /// Endgames whose tables are there, or will not be.
    settled: BTreeSet<String>,
    record: Record,
    summary: Summary,
    rated: Option<rated::Bands>,
    missing: BTreeMap<String, Missing>,
    games_read: usize,
    games_analysed: usize,
}

impl<'a> Session<'a> {
    /// Before the first game. `permits` is asked before tables are built.
    pub fn new(
        service: &'a Service,
        settings: &'a AnalyseSettings,
        permits: &'a dyn Fn(&Build) -> bool,
    ) -> Session<'a> {
        let Model { metric, kappa } = settings.model;
        Session {
            service,
            settings,
            analysis: AnalyserSettings {
                kappa,
                grid: settings.prior.grid,
                prior: settings.prior.shape.clone(),
            },
            oracle: Oracle::new(Prober::new(service.tables.store().clone()), metric),
            permits,
            settled: BTreeSet::new(),
            record: Record::default(),
            summary: Summary::new(settings.model),
            rated: None,
            missing: BTreeMap::new(),
            games_read: 0,
            games_analysed: 0,
        }
    }

    /// The same, which also sums up what players of known rating did, in bands of so many Elo.
    pub fn by_rating(mut self, band: u32) -> Session<'a> {
        self.rated = Some(rated::Bands::new(self.settings.model.kappa, band));
        self
    }

    /// Analyses a game; none if it has no position with few enough men.
    pub fn analyse(
        &mut self,
        game: &Game,
        watch: &dyn Watch,
    ) -> Result<Option<GameAnalysis>, Error> {
        self.games_read += 1;
        self.provide(game, watch)?;
        if !self.settings.carry {
            self.record = Record::default();
        }
        let (summary, rated) = (&mut self.summary, &mut self.rated);
        let mut observe = |report: &_, turn: &_, choice: &_| {
            summary.observe(game, report, turn, choice);
            if let Some(rated) = rated {
                rated.observe(game, report, turn, choice);
            }
        };
        let analysis = analyse_observed(
            &self.oracle,
            game,
            &self.analysis,
            &mut self.record,
            &mut observe,
        )
        .map_err(|error| Error::from(error).context(format!("game {}", game.number)))?;
        for &endgame in &analysis.missing {
            self.miss(endgame, game.number);
        }
        if analysis.phases.is_empty() {
            return Ok(None);
        }
        self.games_analysed += 1;
        Ok(Some(analysis))
    }

    /// Sees to it that the tables of a game are there, as far as they may be built.
    fn provide(&mut self, game: &Game, watch: &dyn Watch) -> Result<(), Error> {
        let metric = self.settings.model.metric;
        let needed: Vec<Material> = endgames(game)
            .into_iter()
            .filter(|endgame| endgame.men() <= self.settings.men)
            .filter(|endgame| self.settled.insert(endgame.to_string()))
            .collect();
        if needed.is_empty() || !self.service.tables.builds() {
            return Ok(());
        }
        let plan = self.service.tables.plan(&needed, &[metric])?;
        if plan.tasks().is_empty() {
            return Ok(());
        }
        let positions: u64 = plan.tasks().iter().map(|task| task.values).sum();
        let build = Build {
            game: game.number,
            endgames: needed.clone(),
            tables: plan.tasks().iter().map(|task| task.layers.len()).sum(),
            time: Duration::from_secs(positions / POSITIONS_PER_SECOND),
        };
        if (self.permits)(&build) {
            self.service.tables.provide(&needed, &[metric], watch)?;
        }
        Ok(())
    }

    fn miss(&mut self, endgame: Material, game: usize) {
        let missing = self
            .missing
            .entry(endgame.to_string())
            .or_insert_with(|| Missing {
                endgame,
                games: Vec::new(),
            });
        missing.games.push(game);
    }

    /// What the games so far came to.
    pub fn totals(&self) -> Totals {
        Totals {
            games_read: self.games_read,
            games_analysed: self.games_analysed,
            players: self.summary.players(),
            missing: self.missing.values().cloned().collect(),
        }
    }

    /// What players of known rating did, if that is summed up, band by band.
    pub fn bands(&self) -> Vec<rated::Band> {
        self.rated.as_ref().map_or(Vec::new(), rated::Bands::bands)
    }

    /// How competences are distributed among players of known rating, at these ratings, if that is summed up and there
    /// are games enough.
    pub fn population(&self, ratings: &[f64]) -> Option<rated::Population> {
        self.rated.as_ref()?.population(ratings)
    }
}

/// Analyses all games of a text; what is missing is built without asking.
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let settings = &request.settings;
    let mut session = Session::new(service, settings, &|_| true);
    let mut analysed = Vec::new();
    for game in games(request.pgn.as_bytes()) {
        watch.check()?;
        let game = game.map_err(|error| Error::new(FaultKind::Damaged, error.to_string()))?;
        analysed.extend(session.analyse(&game, watch)?);
    }
    Ok(Answer {
        model: settings.model,
        grid: settings.prior.grid.to_string(),
        games: analysed,
        totals: session.totals(),
    })
}
