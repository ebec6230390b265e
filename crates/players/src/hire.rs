//! Turns a name into a player that is ready to play, with tables, engines and a calibration.

use std::{path::PathBuf, sync::Arc};

use errare_core::{Elo, Fault, FaultKind};
use errare_endgame::{Hunter, Opponent, Oracle, PlayerSpec, Predator, PredatorDepth};
use errare_engine::{EngineError, EngineKey, NotFound};
use errare_rating::{CalibrationError, continuous::Calibration};
use errare_tables::Judge;
use shakmaty::Chess;

use crate::{
    Chooser, EngineName, EngineRoom, PlayerName, Seats, Sight,
    agent::BoardAgent,
    engine::EnginePlayer,
    human::Human,
    predator::{Learned, PredatorMind},
};

/// The resources players need: tables, engines, a calibration. Clones share engines and tables.
#[derive(Debug, Clone, Default)]
pub struct Means {
    /// The tables, in the metric by which agents play.
    pub oracle: Option<Arc<Oracle>>,
    /// Syzygy tables, for positions outside our own.
    pub syzygy: Option<Judge>,
    /// The engines.
    pub room: Arc<EngineRoom>,
    /// The memory for solved endgames in bytes; `None` for the default.
    pub memory: Option<u64>,
    /// The calibration of human play; `None` for the one shipped for the engine.
    pub calibration: Option<Arc<Calibration>>,
}

/// A player that is ready for any number of games.
#[derive(Debug, Clone)]
pub struct Hired {
    name: PlayerName,
    pub(crate) body: Body,
    remarks: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Agent {
        spec: PlayerSpec,
        sight: Sight,
        calibration: Option<Arc<Calibration>>,
    },
    Automaton(errare_minimax::MinimaxPlayer),
    Human(Human),
    Engine(Sight),
}

/// Why a player could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum HireError {
    /// The engine was not found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// The engine does not start, or is not a UCI engine.
    #[error("{} does not work as an engine", path.display())]
    Engine {
        /// The program.
        path: PathBuf,
        /// What went wrong.
        source: EngineError,
    },
    /// There is no calibration for this engine and depth.
    #[error(
        "no calibration for {engine} comes with the program; {}",
        depths_known(depths)
    )]
    NoCalibration {
        /// The engine.
        engine: Box<EngineKey>,
        /// The depths for which there are calibrations for it.
        depths: Vec<u8>,
    },
    /// The calibration is for another engine.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The rating is outside the calibration's range.
    #[error("the calibration covers ratings from {least} to {most}, not {elo}")]
    BeyondCalibration {
        /// The rating asked for.
        elo: Elo,
        /// The lowest rating it covers.
        least: f64,
        /// The highest.
        most: f64,
    },
}

impl Fault for HireError {
    fn kind(&self) -> FaultKind {
        match self {
            HireError::NotFound(_) | HireError::NoCalibration { .. } => FaultKind::Missing,
            HireError::Engine { .. } => FaultKind::Internal,
            HireError::Calibration(_) | HireError::BeyondCalibration { .. } => {
                FaultKind::BadRequest
            }
        }
    }
}

impl Means {
    /// A sight with tables only.
    pub fn without_engine(&self) -> Sight {
        Sight {
            oracle: self.oracle.clone(),
            syzygy: self.syzygy.clone(),
            engines: None,
        }
    }

    /// The calibration for this engine's evaluations.
    fn calibration(&self, engine: &EngineKey) -> Result<Arc<Calibration>, HireError> {
        match &self.calibration {
            Some(calibration) => {
                calibration.must_fit(engine)?;
                Ok(Arc::clone(calibration))
            }
            None => Calibration::shipped(engine)
                .map(Arc::new)
                .ok_or_else(|| no_calibration(engine)),
        }
    }

    fn sight(&self, engine: Option<&EngineName>) -> Result<Sight, HireError> {
        Ok(Sight {
            engines: engine.map(|engine| self.room.open(engine)).transpose()?,
            ..self.without_engine()
        })
    }
}

impl PlayerName {
    /// Makes the player ready.
    pub fn hire(&self, means: &Means) -> Result<Hired, HireError> {
        let mut remarks = Vec::new();
        let body = match self {
            PlayerName::Agent { spec, engine } => {
                let sight = means.sight(engine.as_ref())?;
                let key = sight.engines.as_ref().map(|engines| engines.key());
                let learns = match spec {
                    PlayerSpec::Predator { known, .. } => known.is_none(),
                    PlayerSpec::Hunter(hunter) => hunter.known.is_none(),
                    _ => false,
                };
                if key.is_some() && matches!(spec, PlayerSpec::Hunter(_)) {
                    remarks.push(format!("outside tables {self} plays as the Predator does"));
                }
                let calibration = match key.filter(|_| learns).map(|key| means.calibration(key)) {
                    Some(Err(error)) => {
                        remarks.push(format!("{self} learns a competence, not a rating: {error}"));
                        None
                    }
                    found => found.transpose()?,
                };
                let spec = spec.clone();
                Body::Agent {
                    spec: match means.memory {
                        Some(bytes) => spec.with_memory(bytes),
                        None => spec,
                    },
                    sight,
                    calibration,
                }
            }
            PlayerName::Automaton(player) => Body::Automaton(*player),
            PlayerName::Human { elo, engine } => {
                let sight = means.sight(Some(engine))?;
                let key = sight.engines.as_ref().map(|engines| engines.key());
                let calibration = means.calibration(key.expect("it was opened"))?;
                remarks.extend(remark(&calibration, *elo)?);
                Body::Human(Human {
                    elo: elo.get(),
                    calibration,
                    sight,
                })
            }
            PlayerName::Engine(engine) => Body::Engine(means.sight(Some(engine))?),
        };
        tracing::debug!(player = %self, "player hired");
        Ok(Hired {
            name: self.clone(),
            body,
            remarks,
        })
    }
}

fn no_calibration(engine: &EngineKey) -> HireError {
    let known = Calibration::all_shipped().map(|it| it.engine);
    let same = known.filter(|it| it.at_depth(0) == engine.at_depth(0));
    let mut depths: Vec<u8> = same.map(|it| it.depth).collect();
    depths.sort_unstable();
    HireError::NoCalibration {
        engine: Box::new(engine.clone()),
        depths,
    }
}

/// What there is instead of a calibration for some depth.
fn depths_known(depths: &[u8]) -> String {
    let names: Vec<String> = depths.iter().map(u8::to_string).collect();
    match depths.first() {
        None => "make one with this engine and depth".to_owned(),
        Some(first) => format!(
            "there are calibrations for the depths {}: human:elo=1800,depth={first}",
            names.join(" and ")
        ),
    }
}

/// A remark on a rating outside the range of the calibration's data.
fn remark(calibration: &Calibration, elo: Elo) -> Result<Option<String>, HireError> {
    let [least, most] = calibration.range();
    if !(least..=most).contains(&elo.get()) {
        return Err(HireError::BeyondCalibration { elo, least, most });
    }
    let [low, high] = calibration.calibrated();
    Ok((!(low..=high).contains(&elo.get())).then(|| {
        format!(
            "human:elo={elo} extrapolates: the calibration is made of players rated {low:.0} to {high:.0}"
        )
    }))
}

impl Hired {
    /// The player's name.
    pub fn name(&self) -> &PlayerName {
        &self.name
    }

    /// Remarks for the user, such as that the player extrapolates.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Starts one side of a new game.
    pub fn sit(&self) -> Box<dyn Chooser> {
        match &self.body {
            Body::Agent {
                spec,
                sight,
                calibration,
            } => {
                let mind = predator(spec).map(|predator| PredatorMind {
                    learned: Learned::new(&predator, calibration.as_ref()),
                    predator,
                    hunter: match spec {
                        PlayerSpec::Hunter(hunter) => Some(hunter.sit()),
                        _ => None,
                    },
                });
                Box::new(BoardAgent::new(spec, sight.clone(), mind))
            }
            Body::Automaton(player) => Seats::<Chess>::sit(player),
            Body::Human(human) => Box::new(human.clone()),
            Body::Engine(sight) => Box::new(EnginePlayer {
                sight: sight.clone(),
            }),
        }
    }
}

impl Seats for Hired {
    fn sit(&self) -> Box<dyn Chooser> {
        Hired::sit(self)
    }
}

/// The Predator that a specification describes; a Hunter uses its own for endgames it has not
/// solved.
fn predator(spec: &PlayerSpec) -> Option<Predator> {
    let (plies, kappa, grid, known) = match *spec {
        PlayerSpec::Predator {
            plies,
            kappa,
            grid,
            known,
        } => (plies, kappa, grid, known),
        PlayerSpec::Hunter(Hunter { kappa, known, .. }) => {
            (PredatorDepth::TWO, kappa, PlayerSpec::default_grid(), known)
        }
        _ => return None,
    };
    Some(match known {
        Some(competence) => Predator {
            kappa,
            plies,
            opponent: Opponent::Known(competence),
        },
        None => Predator::learning(kappa, plies, grid),
    })
}
