//! Analyses how competently the endgames of games were played.
//!
//! Games are analysed one by one in an [`AnalysisSession`], so that a file of any size needs the memory of one game and the
//! first answer comes at once. A session also summarises each player's results ([`summary`]).

pub mod rated;
pub mod stream;
pub mod summary;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    time::Duration,
};

use errare_core::{FaultKind, Material, Watch};
use errare_endgame::{
    AnalyserSettings, GameAnalysis, MoveReport, Oracle, Record, analyse_observed, endgames,
};
use errare_games::{Game, games, name_key};
use errare_tables::{MAX_MEN, Prober};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use self::summary::{PlayerSummary, Summary};
use crate::{
    Error, Service,
    model::{Model, Prior, ValueRule},
    names,
};

/// Games to analyse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AnalyseRequest))]
pub struct Request {
    /// The games, in PGN.
    pub pgn: String,
    /// Analyse this player's games alone: the name or a part of it; all games if missing.
    #[serde(default)]
    pub player: Option<String>,
    /// How to analyse them.
    #[serde(flatten)]
    pub settings: AnalyseSettings,
}

/// Settings of an analysis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct AnalyseSettings {
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// Does the competence shown in a game leave out moves that lose value, or count them as errors? Players'
    /// results over all games count them in any case.
    pub value: ValueRule,
    /// The prior of a player's competence before a game.
    pub prior: Prior,
    /// Use each game's posterior as the prior for the same player's next game?
    pub carry: bool,
    /// The maximum number of men for which tables are built.
    pub men: usize,
}

impl Default for AnalyseSettings {
    fn default() -> AnalyseSettings {
        AnalyseSettings {
            model: Model::default(),
            value: ValueRule::Keep,
            prior: "0(0.01)50".parse().expect("it is a prior"),
            carry: false,
            men: MAX_MEN,
        }
    }
}

/// The results of an analysis.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = AnalyseAnswer))]
pub struct Answer {
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// Are moves that lose value left out of the competence shown in a game, or counted?
    pub value: ValueRule,
    /// The competences considered.
    pub grid: String,
    /// The games with positions that have few enough men.
    pub games: Vec<GameAnalysis>,
    /// The totals over all games.
    #[serde(flatten)]
    pub totals: Totals,
}

/// The totals over all games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Totals {
    /// The number of games read.
    pub games_read: usize,
    /// The number of games with few enough men that were analysed, at least in part.
    pub games_analysed: usize,
    /// Each player's results, by name.
    pub players: Vec<PlayerSummary>,
    /// Endgames for which tables are missing.
    pub missing: Vec<Missing>,
    /// Games that could not be read to the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flawed: Vec<FlawedGame>,
}

/// A game that could not be read to the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FlawedGame {
    /// Its number.
    pub game: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// An endgame for which tables are missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Missing {
    /// The endgame, as it occurs in games.
    pub endgame: Material,
    /// The endgames without a table: itself, or those it leads to by captures and promotions.
    #[serde(default)]
    pub needs: Vec<Material>,
    /// The numbers of the games with such positions.
    pub games: Vec<usize>,
}

/// Tables that must be built for a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Build {
    /// The number of the game.
    pub game: usize,
    /// The endgames it needs.
    pub endgames: Vec<Material>,
    /// The number of tables, including those of subgames.
    pub tables: usize,
    /// The approximate build time.
    pub time: Duration,
}

/// The stage that the watch shows.
const STAGE: &str = "analysing games";

/// Builds that take longer need permission.
const LONG: Duration = Duration::from_secs(120);

impl Build {
    /// Does it take so long that it needs permission?
    pub fn is_long(&self) -> bool {
        self.time >= LONG
    }
}

/// Positions solved and stored per second, on two cores of a server of the 2020s: 1.6 billion of KRPKR and its
/// subgames took 78 seconds.
const POSITIONS_PER_SECOND: u64 = 20_000_000;

/// Analyses games one after the other.
pub struct AnalysisSession<'a> {
    service: &'a Service,
    settings: &'a AnalyseSettings,
    analysis: AnalyserSettings,
    oracle: Oracle,
    /// Called before each build; may refuse it.
    permits: &'a dyn Fn(&Build) -> bool,
    /// Endgames whose tables exist or will not be built.
    settled: BTreeSet<String>,
    record: Record,
    /// The only player whose games are analysed, by key.
    player: Option<String>,
    summary: Summary,
    rated: Option<rated::Bands>,
    /// The endgames for which tables are missing, by name, and the games with such positions.
    missing: BTreeMap<String, (Material, Vec<usize>)>,
    flawed: Vec<FlawedGame>,
    games_read: usize,
    games_analysed: usize,
}

impl<'a> AnalysisSession<'a> {
    /// A session before the first game. `permits` is called before tables are built.
    pub fn new(
        service: &'a Service,
        settings: &'a AnalyseSettings,
        permits: &'a dyn Fn(&Build) -> bool,
    ) -> AnalysisSession<'a> {
        let Model { metric, kappa } = settings.model;
        AnalysisSession {
            service,
            settings,
            analysis: AnalyserSettings {
                kappa,
                values: settings.value.into(),
                grid: settings.prior.grid,
                prior: settings.prior.shape.clone(),
            },
            oracle: Oracle::new(Prober::new(service.tables.store().clone()), metric),
            permits,
            settled: BTreeSet::new(),
            record: Record::default(),
            player: None,
            summary: Summary::new(settings.model),
            rated: None,
            missing: BTreeMap::new(),
            flawed: Vec::new(),
            games_read: 0,
            games_analysed: 0,
        }
    }

    /// Analyses the games of one player alone, who is called so in some spelling.
    pub fn of_player(mut self, name: &str) -> AnalysisSession<'a> {
        self.player = Some(name_key(name));
        self
    }

    /// Also summarises players of known rating, in bands of this many Elo.
    pub fn by_rating(mut self, band: u32) -> AnalysisSession<'a> {
        let AnalyseSettings { model, value, .. } = self.settings;
        self.rated = Some(rated::Bands::new(model.kappa, *value, band));
        self
    }

    /// Analyses a game; `None` if it has no position with few enough men.
    pub fn analyse(
        &mut self,
        game: &Game,
        watch: &dyn Watch,
    ) -> Result<Option<GameAnalysis>, Error> {
        if is_blank(game) {
            return Ok(None);
        }
        self.games_read += 1;
        self.flawed.extend(game.flaw().map(|flaw| FlawedGame {
            game: game.number,
            problem: flaw.to_string(),
        }));
        let wanted = |color| match &self.player {
            Some(player) => name_key(game.name(color)) == *player,
            None => true,
        };
        let wanted = Color::ALL.map(wanted);
        if wanted == [false; 2] {
            return Ok(None);
        }
        self.provide(game, watch)?;
        if !self.settings.carry {
            self.record = Record::default();
        }
        let (summary, rated) = (&mut self.summary, &mut self.rated);
        let mut observe = |report: &MoveReport, turn: &_, choice: &_| {
            if wanted[Color::from(report.color).fold_wb(0, 1)] {
                summary.observe(game, report, turn, choice);
            }
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
            let missing = self.missing.entry(endgame.to_string());
            let (_, games) = missing.or_insert_with(|| (endgame, Vec::new()));
            games.push(game.number);
        }
        if analysis.phases.is_empty() {
            return Ok(None);
        }
        self.games_analysed += 1;
        Ok(Some(analysis))
    }

    /// Builds the missing tables of a game, as far as permitted.
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
        // Quick builds are not skipped because others take long.
        let (mut quick, mut long) = (Vec::new(), Vec::new());
        for endgame in needed {
            match self.plan(game, vec![endgame], watch)? {
                Some(build) if build.is_long() => long.push(endgame),
                Some(_) => quick.push(endgame),
                None => {}
            }
        }
        for endgames in [quick, long] {
            let Some(build) = self.plan(game, endgames, watch)? else {
                continue;
            };
            if (self.permits)(&build) {
                let tables = &self.service.tables;
                tables.provide(&build.endgames, &[metric], watch)?;
                // Resumes the stage of the games.
                watch.begin(STAGE, None);
                watch.advance(self.games_read as u64 - 1);
            }
        }
        Ok(())
    }

    /// The tables to build for these endgames of a game; none if nothing is missing, or if they do not fit into memory.
    fn plan(
        &self,
        game: &Game,
        endgames: Vec<Material>,
        watch: &dyn Watch,
    ) -> Result<Option<Build>, Error> {
        let metric = self.settings.model.metric;
        let plan = match self.service.tables.plan(&endgames, &[metric]) {
            Ok(plan) => plan,
            // Tables that do not fit into memory stay missing; the rest is analysed.
            Err(error) if error.kind() == FaultKind::BadRequest => {
                watch.tell(&format!("game {}: {error}", game.number));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let positions: u64 = plan.tasks().iter().map(|task| task.values).sum();
        let build = Build {
            game: game.number,
            endgames,
            tables: plan.tasks().iter().map(|task| task.layers.len()).sum(),
            time: Duration::from_secs(positions / POSITIONS_PER_SECOND),
        };
        Ok((build.tables > 0).then_some(build))
    }

    /// The endgames without a table among this one and those it leads to.
    fn needs(&self, endgame: Material) -> Vec<Material> {
        let store = self.service.tables.store();
        let layer = self.settings.model.metric.into();
        Material::closure([endgame])
            .into_iter()
            .filter(|&each| matches!(store.table(each, layer), Ok(None)))
            .collect()
    }

    /// The totals so far.
    pub fn totals(&self) -> Totals {
        let missing = |(endgame, games): &(Material, Vec<usize>)| Missing {
            endgame: *endgame,
            needs: self.needs(*endgame),
            games: games.clone(),
        };
        Totals {
            games_read: self.games_read,
            games_analysed: self.games_analysed,
            players: self.summary.players(),
            missing: self.missing.values().map(missing).collect(),
            flawed: self.flawed.clone(),
        }
    }

    /// Is there more to tell than of one game: several games, or a player who was asked for?
    pub fn has_sum(&self) -> bool {
        self.games_analysed > 1 || self.player.is_some()
    }

    /// The results of players of known rating by band, if requested.
    pub fn bands(&self) -> Option<Vec<rated::EloBand>> {
        self.rated.as_ref().map(rated::Bands::bands)
    }

    /// The distribution of competence among players of known rating, at these ratings, if requested and if there are
    /// enough games.
    pub fn population(&self, ratings: &[f64]) -> Option<rated::Population> {
        self.rated.as_ref()?.population(ratings)
    }
}

/// Text that is not PGN is read as an empty game.
pub(crate) fn is_blank(game: &Game) -> bool {
    game.tags.is_empty() && game.moves.is_empty() && game.problems.is_empty()
}

/// Analyses all games of a text; missing tables are built without asking.
///
/// ```
/// use errare_service::analyse::{self, AnalyseSettings, Request};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let pgn = "[White \"Smith\"]\n[FEN \"8/8/8/4k3/8/8/Q7/K7 w - - 0 1\"]\n\n1. Kb2 Kd4 2. Ka3 *\n".to_owned();
/// let request = Request { pgn, player: None, settings: AnalyseSettings::default() };
/// let answer = analyse::answer(&service, &request, &())?;
/// assert!(answer.games[0].white.ceded > 0, "Ka3 goes back");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    answer_permitting(service, request, &|_| true, watch)
}

/// Analyses all games of a text; builds the missing tables that `permits` allows.
pub fn answer_permitting(
    service: &Service,
    request: &Request,
    permits: &dyn Fn(&Build) -> bool,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    let settings = &request.settings;
    let mut session = AnalysisSession::new(service, settings, permits);
    let read = || games(request.pgn.as_bytes());
    let damaged = |error: io::Error| Error::new(FaultKind::Damaged, error.to_string());
    if let Some(wanted) = &request.player {
        let mut names = BTreeSet::new();
        for game in read() {
            watch.check()?;
            names.extend(stream::names_of(&game.map_err(damaged)?));
        }
        session = session.of_player(names::find(names.iter().map(String::as_str), wanted)?);
    }
    let mut analysed = Vec::new();
    for game in read() {
        watch.check()?;
        let game = game.map_err(damaged)?;
        analysed.extend(session.analyse(&game, watch)?);
    }
    Ok(Answer {
        model: settings.model,
        value: settings.value,
        grid: settings.prior.grid.to_string(),
        games: analysed,
        totals: session.totals(),
    })
}
