//! Selects the calibration, and rates turns with either family of calibrations.

use std::{
    fs,
    path::{Path, PathBuf},
};

use errare_core::FaultKind;
use errare_engine::EngineKey;
use errare_rating::{
    AgentCalibration, AgentRateError, Compared, EvaluatedTurn, Projection, Rating, Sample,
    continuous::{self, Choices, Interval, Seen},
    costs,
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{Error, RequestError};

/// A calibration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct CalibrationChoice {
    /// Its file or name; the shipped one for the engine if missing.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub calibration: Option<PathBuf>,
    /// May it be for the same engine with another net?
    pub accept_engine: bool,
    /// Use the shipped calibration of the paper's model?
    pub paper: bool,
}

/// A calibration of either family: the continuous one, or agents by rating as in the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnyCalibration {
    /// One model for players of all ratings.
    Continuous(Box<continuous::Calibration>),
    /// Agents by rating.
    Agents(Box<AgentCalibration>),
}

/// Checks what it reads, as [`AnyCalibration::from_json`] does.
impl<'de> Deserialize<'de> for AnyCalibration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnyCalibration, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        AnyCalibration::from_json(&value.to_string()).map_err(D::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for AnyCalibration {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::schema::ObjectBuilder::new()
            .description(Some("A calibration, as docs/calibration.md describes it"))
            .into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for AnyCalibration {}

/// A calibration, with a warning about its fit to the evaluations.
#[derive(Debug, Clone)]
pub struct Fitting {
    /// The calibration.
    pub calibration: AnyCalibration,
    /// A warning, if it was accepted only on request.
    pub warning: Option<String>,
}

/// The rating of some turns.
pub(crate) struct Rates {
    /// What they imply for the player's Elo.
    pub(crate) rating: Rating,
    /// How well they were played.
    pub(crate) quality: Option<Interval>,
    /// The estimate from them and the known Elo together.
    pub(crate) combined: Option<Interval>,
    pub(crate) mm: Compared,
    pub(crate) equal: Compared,
    pub(crate) ad: Compared,
}

/// Why there is no rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unrated {
    /// There are fewer than ten turns.
    TooFewTurns,
    /// The search for the best rating did not converge.
    NotConverged,
}

impl std::fmt::Display for Unrated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Unrated::TooFewTurns => "too few turns",
            Unrated::NotConverged => "did not converge",
        })
    }
}

impl AnyCalibration {
    /// Parses and checks a calibration of either family.
    pub fn from_json(text: &str) -> Result<AnyCalibration, Error> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        let head: Result<Head, _> = serde_json::from_str(text);
        match head {
            Ok(Head {
                version: AgentCalibration::VERSION,
            }) => {
                let read = AgentCalibration::from_json(text)?;
                Ok(AnyCalibration::Agents(Box::new(read)))
            }
            _ => {
                let read = continuous::Calibration::from_json(text)?;
                Ok(AnyCalibration::Continuous(Box::new(read)))
            }
        }
    }

    /// The calibration in a file, or the shipped one with this name.
    pub fn named(name: impl AsRef<Path>) -> Result<AnyCalibration, Error> {
        let path = name.as_ref();
        if path.exists() {
            return AnyCalibration::read(path);
        }
        let mut shipped = AnyCalibration::all_shipped();
        match shipped.iter().position(|it| path == Path::new(&it.name())) {
            Some(place) => Ok(shipped.swap_remove(place)),
            None => {
                let names: Vec<String> = shipped.iter().map(AnyCalibration::name).collect();
                let text = format!(
                    "{} is neither a file nor a calibration that comes with Errare, which are {}",
                    path.display(),
                    names.join(", ")
                );
                Err(Error::new(FaultKind::Missing, text))
            }
        }
    }

    /// Reads a calibration from its file.
    fn read(path: &Path) -> Result<AnyCalibration, Error> {
        let text = fs::read_to_string(path).map_err(|error| {
            let text = format!("cannot read the calibration {}: {error}", path.display());
            Error::new(FaultKind::Missing, text)
        })?;
        AnyCalibration::from_json(&text)
            .map_err(|error| error.context(format!("cannot use {}", path.display())))
    }

    /// The same, to imitate people by: of the continuous family, which knows the probability of every move.
    pub fn named_continuous(path: &Path) -> Result<continuous::Calibration, Error> {
        match AnyCalibration::named(path)? {
            AnyCalibration::Continuous(calibration) => Ok(*calibration),
            AnyCalibration::Agents(_) => Err(Error::bad_request(format!(
                "{} is of the paper's model; players need one of the continuous family",
                path.display()
            ))),
        }
    }

    /// The name of a shipped calibration: `stockfish-15.1-depth-8`.
    #[must_use]
    pub fn name(&self) -> String {
        let EngineKey {
            name,
            version,
            depth,
            ..
        } = self.engine();
        let family = match self {
            AnyCalibration::Continuous(_) => "",
            AnyCalibration::Agents(_) => "-paper",
        };
        let engine = format!("{name} {version}").to_lowercase().replace(' ', "-");
        format!("{engine}-depth-{depth}{family}")
    }

    /// All shipped calibrations, the continuous ones first.
    pub(crate) fn all_shipped() -> Vec<AnyCalibration> {
        let continuous = continuous::Calibration::all_shipped();
        let continuous = continuous.map(|it| AnyCalibration::Continuous(Box::new(it)));
        let paper = AgentCalibration::all_shipped().map(|it| AnyCalibration::Agents(Box::new(it)));
        continuous.chain(paper).collect()
    }

    /// The depths for which a calibration of this engine is shipped.
    pub(crate) fn shipped_depths(engine: &EngineKey) -> Vec<u8> {
        let same = |it: &AnyCalibration| {
            let depth = it.engine().depth;
            let engine = EngineKey {
                depth,
                ..engine.clone()
            };
            it.must_fit(&engine).is_ok().then_some(depth)
        };
        let all = AnyCalibration::all_shipped();
        let depths: std::collections::BTreeSet<u8> = all.iter().filter_map(same).collect();
        depths.into_iter().collect()
    }

    /// The engine whose evaluations it is made from.
    #[must_use]
    pub fn engine(&self) -> &EngineKey {
        match self {
            AnyCalibration::Continuous(it) => &it.engine,
            AnyCalibration::Agents(it) => &it.engine,
        }
    }

    /// Warnings from when it was made.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        match self {
            AnyCalibration::Continuous(it) => &it.warnings,
            AnyCalibration::Agents(it) => &it.warnings,
        }
    }

    /// The lowest and highest rating of the players it is made from.
    #[must_use]
    pub fn calibrated(&self) -> [f64; 2] {
        match self {
            AnyCalibration::Continuous(it) => it.calibrated(),
            AnyCalibration::Agents(it) => it.mileposts().map(f64::from),
        }
    }

    fn must_fit(&self, engine: &EngineKey) -> Result<(), Error> {
        match self {
            AnyCalibration::Continuous(it) => Ok(it.must_fit(engine)?),
            AnyCalibration::Agents(it) => Ok(it.must_fit(engine)?),
        }
    }

    /// The probability that people of a rating play each move of a turn.
    pub(crate) fn chances(&self, turn: &EvaluatedTurn, elo: f64) -> Vec<f64> {
        match self {
            AnyCalibration::Continuous(it) => it.chances(&Seen::of(turn), elo),
            AnyCalibration::Agents(it) => it.agent(elo).probabilities(&costs_of(turn)),
        }
    }

    /// Rates turns of one player, game by game; `known` is the player's Elo.
    pub(crate) fn rate(
        &self,
        turns: &[&EvaluatedTurn],
        known: Option<f64>,
        level: f64,
    ) -> Result<Rates, Unrated> {
        if turns.len() < continuous::FEWEST_RATED_TURNS {
            return Err(Unrated::TooFewTurns);
        }
        match self {
            AnyCalibration::Continuous(it) => continuously(it, turns, known, level),
            AnyCalibration::Agents(it) => by_agents(it, turns, level),
        }
    }
}

fn continuously(
    calibration: &continuous::Calibration,
    turns: &[&EvaluatedTurn],
    known: Option<f64>,
    level: f64,
) -> Result<Rates, Unrated> {
    let choices = Choices::of_turns(turns.iter().copied(), calibration.lines.features());
    let rated = calibration
        .rate(&choices, known, level)
        .map_err(|error| match error {
            continuous::RateError::TooFewTurns { .. } => Unrated::TooFewTurns,
            continuous::RateError::NotConverged => Unrated::NotConverged,
            continuous::RateError::Level => unreachable!("the level was checked"),
        })?;
    let Interval {
        mean,
        low,
        high,
        open,
        open_below,
        open_above,
    } = rated.elo;
    Ok(Rates {
        rating: Rating {
            mean,
            low,
            high,
            level,
            open,
            open_below,
            open_above,
        },
        quality: Some(rated.quality),
        combined: rated.combined,
        mm: rated.mm,
        equal: rated.equal,
        ad: rated.ad,
    })
}

fn by_agents(
    calibration: &AgentCalibration,
    turns: &[&EvaluatedTurn],
    level: f64,
) -> Result<Rates, Unrated> {
    let sample = sample(turns);
    let rating = calibration
        .rate(&sample, level)
        .map_err(|error| match error {
            AgentRateError::Fit(_) => Unrated::TooFewTurns,
            AgentRateError::NotConverged => Unrated::NotConverged,
        })?;
    let projection = Projection::new(&sample, &calibration.agent(rating.mean));
    Ok(Rates {
        rating,
        quality: None,
        combined: None,
        mm: projection.mm,
        equal: projection.equal,
        ad: projection.ad,
    })
}

/// Turns as a sample for the paper's agents.
fn sample(turns: &[&EvaluatedTurn]) -> Sample {
    let mut sample = Sample::default();
    let mut last = None;
    for turn in turns {
        if last != Some(turn.place.game.id) {
            sample.begin_game();
            last = Some(turn.place.game.id);
        }
        sample.push_turn(turn, &[]);
    }
    sample
}

/// The scaled cost of each move of a turn.
pub(crate) fn costs_of(turn: &EvaluatedTurn) -> Vec<f64> {
    let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
    costs(&pawns)
}

impl CalibrationChoice {
    /// Loads the calibration, which must be for this engine.
    pub fn load(&self, engine: &EngineKey) -> Result<Fitting, Error> {
        let Some(path) = &self.calibration else {
            return self.shipped(engine);
        };
        self.fitting(AnyCalibration::named(path)?, engine)
    }

    fn fitting(&self, calibration: AnyCalibration, engine: &EngineKey) -> Result<Fitting, Error> {
        match calibration.must_fit(engine) {
            Ok(()) => Ok(Fitting {
                calibration,
                warning: None,
            }),
            Err(_) if self.accept_engine && same_but_net(calibration.engine(), engine) => {
                Ok(accepted(calibration, engine))
            }
            Err(error) => Err(error),
        }
    }

    fn shipped(&self, engine: &EngineKey) -> Result<Fitting, Error> {
        let mut shipped = AnyCalibration::all_shipped();
        if self.paper {
            shipped.retain(|it| matches!(it, AnyCalibration::Agents(_)));
        }
        let exact = shipped.iter().position(|it| it.engine() == engine);
        let near = || {
            shipped
                .iter()
                .position(|it| same_but_net(it.engine(), engine))
        };
        match exact.or_else(near) {
            Some(place) => self.fitting(shipped.swap_remove(place), engine),
            None => Err(none_shipped(engine, &shipped)),
        }
    }
}

/// Do two engines differ only in their nets?
fn same_but_net(one: &EngineKey, other: &EngineKey) -> bool {
    let without = |key: &EngineKey| EngineKey {
        net: String::new(),
        ..key.clone()
    };
    without(one) == without(other)
}

fn accepted(calibration: AnyCalibration, engine: &EngineKey) -> Fitting {
    let net = |key: &EngineKey| match &*key.net {
        "" => "an unnamed net".to_owned(),
        net => net.to_owned(),
    };
    let warning = format!(
        "the calibration was made with {}, the evaluations with {}; this was accepted on request",
        net(calibration.engine()),
        net(engine)
    );
    Fitting {
        calibration,
        warning: Some(warning),
    }
}

/// The error for an engine without a shipped calibration; names the depths that exist.
fn none_shipped(engine: &EngineKey, shipped: &[AnyCalibration]) -> Error {
    let same = |it: &&AnyCalibration| it.engine().at_depth(0) == engine.at_depth(0);
    let mut depths: Vec<u8> = shipped
        .iter()
        .filter(same)
        .map(|it| it.engine().depth)
        .collect();
    depths.sort_unstable();
    depths.dedup();
    let known = match &depths[..] {
        [] => {
            let engines = shipped.iter().map(|it| it.engine().to_string());
            let mut engines: Vec<String> = engines.collect();
            engines.dedup();
            format!("those that do are for: {}", engines.join("; "))
        }
        [one] => format!("the one for this engine is of depth {one}"),
        several => {
            let several: Vec<String> = several.iter().map(u8::to_string).collect();
            format!(
                "those for this engine are of the depths {}",
                several.join(", ")
            )
        }
    };
    let engine = Box::new(engine.clone());
    RequestError::NoCalibration { engine, known }.into()
}

/// A description of a calibration for readers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AboutCalibration {
    /// The engine it is made with.
    pub engine: EngineKey,
    /// The family: `continuous`, or `agents` as in the paper.
    pub family: String,
    /// The curve of its agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curve: Option<String>,
    /// Their link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The estimator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimator: Option<String>,
    /// Elo = intercept + slope ad on the reference set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_line: Option<[f64; 2]>,
    /// The lowest and highest rating of the players it is made from.
    pub mileposts: [u16; 2],
    /// The number of turns it is made from.
    pub turns: usize,
}

impl AboutCalibration {
    pub(crate) fn new(calibration: &AnyCalibration) -> AboutCalibration {
        let about = AboutCalibration {
            engine: calibration.engine().clone(),
            family: String::new(),
            curve: None,
            link: None,
            estimator: None,
            reference_line: None,
            mileposts: calibration.calibrated().map(|elo| elo.round() as u16),
            turns: 0,
        };
        match calibration {
            AnyCalibration::Continuous(it) => AboutCalibration {
                family: "continuous".to_owned(),
                turns: it.origin.turns,
                ..about
            },
            AnyCalibration::Agents(it) => AboutCalibration {
                family: "agents".to_owned(),
                curve: Some(it.curve.to_string()),
                link: Some(it.link.to_string()),
                estimator: Some(it.estimator.to_string()),
                reference_line: Some([it.reference_line.intercept, it.reference_line.slope]),
                turns: it.classes.iter().map(|class| class.turns).sum(),
                ..about
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibrations_of_newer_versions_are_refused() {
        let refused = |text| AnyCalibration::from_json(text).unwrap_err().to_string();
        let newer = refused(r#"{"version": 3}"#);
        assert!(
            newer.contains("of version 3, and this program reads version 2;"),
            "{newer}"
        );
        assert_eq!(refused("{}"), "this is not a calibration");
    }
}
