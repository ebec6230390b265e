//! Makes a calibration from the games of players of known ratings.

use errare_choice::{Curve, Link};
use errare_core::{FaultKind, Watch};
use errare_rating::{
    AgentRecipe, Estimator, EvaluatedTurn, EvaluationView, PlayerTurns, RatedSample, Sample, Study,
    StudyGame,
    continuous::{self, Choices, Feature, ReadError},
};
use serde::{Deserialize, Serialize};

pub use crate::calibration::AnyCalibration as Answer;
use crate::{Error, Service, fit::Classes, study::StudyView};

/// The data and settings of a calibration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CalibrateRequest))]
pub struct Request {
    /// The study.
    #[serde(flatten)]
    pub view: StudyView,
    /// The first and last year of the games.
    #[serde(default)]
    pub years: Option<[u16; 2]>,
    /// Agents by rating, as in the paper; the continuous family if missing.
    #[serde(default)]
    pub agents: Option<Agents>,
    /// The features of the continuous family by name, such as `cost` and `ranks:1-1`; the standard ones if empty.
    #[serde(default)]
    pub features: Vec<String>,
}

/// Settings for calibrating agents by rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Agents {
    /// The mileposts.
    #[serde(default)]
    pub classes: Classes,
    /// How proxies become probabilities.
    #[serde(with = "crate::text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub link: Link,
    /// The curve.
    #[serde(with = "crate::text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub curve: Curve,
    /// The estimator.
    pub method: Estimator,
}

impl Agents {
    /// Settings with these choices and defaults for the rest; `None` if nothing was chosen.
    #[must_use]
    pub fn chosen(
        classes: Classes,
        link: Option<Link>,
        curve: Option<Curve>,
        method: Option<Estimator>,
    ) -> Option<Agents> {
        let blend = Link::Blend {
            lambda: Link::USUAL_LAMBDA,
        };
        let any = link.is_some() || curve.is_some() || method.is_some();
        any.then(|| Agents {
            classes,
            link: link.unwrap_or(blend),
            curve: curve.unwrap_or(Curve::InverseExponential),
            method: method.unwrap_or(Estimator::Likelihood),
        })
    }

    /// The paper's settings: inverse exponential, loglog, percentiles.
    #[must_use]
    pub fn of_paper(classes: Classes) -> Agents {
        Agents {
            classes,
            link: Link::LogLog,
            curve: Curve::InverseExponential,
            method: Estimator::Percentile,
        }
    }
}

/// Makes a calibration.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let (study, view) = request.view.opened(watch)?;
    match &request.agents {
        Some(_) if !request.features.is_empty() => Err(Error::bad_request(
            "agents by milepost choose by cost alone; features are for the continuous family",
        )),
        Some(agents) => by_agents(&study, view, agents, request.years, watch),
        None => continuously(&study, &view, request, watch),
    }
}

fn continuously(
    study: &Study,
    view: &EvaluationView,
    request: &Request,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    let mut recipe = continuous::Recipe::new(view.engine.clone());
    if !request.features.is_empty() {
        recipe.features = continuous::list(&request.features, view.engine.depth)?;
    }
    let choices = choices(study, view, &recipe.features, request.years, watch)?;
    let calibration = recipe.calibrate(&choices, watch)?;
    Ok(Answer::Continuous(Box::new(calibration)))
}

/// The turns of a study with their features, restricted to these years if given.
pub(crate) fn choices(
    study: &Study,
    view: &EvaluationView,
    features: &[Box<dyn Feature>],
    years: Option<[u16; 2]>,
    watch: &dyn Watch,
) -> Result<Choices, Error> {
    let which = |turn: &EvaluatedTurn| {
        let year = turn.place.game.year();
        years.is_none_or(|[from, to]| year.is_some_and(|year| (from..=to).contains(&year)))
    };
    let choices =
        Choices::read(study, view, features, which, watch).map_err(|error| match error {
            ReadError::Study(error) => error.into(),
            ReadError::Stopped(stopped) => Error::from(stopped),
        })?;
    if choices.is_empty() {
        let text = match years {
            Some([from, to]) => format!("no turn of {from} to {to} can be used"),
            None => "no turn of the study can be used".to_owned(),
        };
        return Err(Error::new(FaultKind::Missing, text));
    }
    Ok(choices)
}

fn by_agents(
    study: &Study,
    mut view: EvaluationView,
    agents: &Agents,
    years: Option<[u16; 2]>,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    watch.begin("calibrating", None);
    if let Some([from, to]) = years.or(agents.classes.years) {
        let games = study.games()?.into_values();
        let among = |game: &StudyGame| game.year().is_some_and(|it| (from..=to).contains(&it));
        view.games = Some(games.filter(|it| among(it)).map(|it| it.id).collect());
    }
    let classes = agents.classes.classing(&[]).read(study, &view)?;
    let classes: Vec<(u16, Sample)> = classes
        .into_iter()
        .filter_map(|class| Some((class.milepost?, class.sample)))
        .collect();
    let players: Vec<RatedSample> = PlayerTurns::all(study, &view)?
        .iter()
        .filter_map(|player| {
            let elo = player.elo()?;
            let sample = player.sample(|_| true);
            Some(RatedSample { elo, sample })
        })
        .collect();
    watch.check()?;
    let recipe = AgentRecipe {
        engine: view.engine,
        curve: agents.curve,
        link: agents.link,
        estimator: agents.method,
    };
    let calibration = recipe.calibrate(&classes, &players, watch)?;
    Ok(Answer::Agents(Box::new(calibration)))
}
