//! Fits the agent that plays like the players of a rating.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, sections 5 to 7.

mod methods;
mod typed;

pub use typed::Years;

use std::collections::BTreeMap;

use errare_choice::{Agent, Curve, Link};
use errare_core::Watch;
use errare_engine::EngineKey;
use errare_rating::{
    AgentCalibration, By, Class, Classing, Compared, Convergence, Estimator, Exclusion, Projection,
    Rating, StraightLine,
};
use serde::{Deserialize, Serialize};

use crate::{
    Error, RequestError, Service,
    calibration::{AnyCalibration, CalibrationChoice},
    fleet::QueueChoice,
    study::StudyView,
};

/// The level of a rating's interval.
const RATING_LEVEL: f64 = 0.95;

/// The fit and its data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FitRequest))]
pub struct Request {
    /// The study.
    #[serde(flatten)]
    pub view: StudyView,
    /// How turns are classified.
    #[serde(default)]
    pub classes: Classes,
    /// How proxies become probabilities.
    #[serde(with = "crate::text", default = "default_link")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub link: Link,
    /// The share of `norm` in the blend; fitted if missing.
    #[serde(default)]
    pub lambda: Option<f64>,
    /// The curve.
    #[serde(with = "crate::text", default = "default_curve")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub curve: Curve,
    /// c, if only s is to be fitted.
    #[serde(default)]
    pub c: Option<f64>,
    /// Make c a line over the ratings, and then fit s alone?
    #[serde(default)]
    pub c_line: bool,
    /// Use the paper's settings: inverse exponential, loglog, percentiles, c from a line?
    #[serde(default)]
    pub paper: bool,
    /// The estimator whose projections are reported.
    #[serde(default = "default_method")]
    pub method: Estimator,
    /// Depths used besides that of the view.
    #[serde(default)]
    pub levels: Vec<u8>,
    /// No fit: compare this agent with the classes.
    #[serde(default)]
    pub at: Option<At>,
    /// The calibration with which each class is rated as if it were one player, if requested.
    #[serde(default)]
    pub rate: Option<CalibrationChoice>,
    /// The number of replicates for errors by the bootstrap over games.
    #[serde(default)]
    pub bootstrap: Option<usize>,
    /// Its seed; random if missing.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The queue whose workers fit the replicates, instead of this machine.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub queue: Option<QueueChoice>,
}

impl Request {
    /// The default fit to a study.
    #[must_use]
    pub fn new(view: StudyView) -> Request {
        Request {
            view,
            classes: Classes::default(),
            link: default_link(),
            lambda: None,
            curve: default_curve(),
            c: None,
            c_line: false,
            paper: false,
            method: default_method(),
            levels: Vec::new(),
            at: None,
            rate: None,
            bootstrap: None,
            seed: None,
            queue: None,
        }
    }
}

fn default_link() -> Link {
    Link::LogLog
}

fn default_curve() -> Curve {
    Curve::InverseExponential
}

fn default_method() -> Estimator {
    Estimator::Percentile
}

/// Classes of turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Classes {
    /// Put all turns into one class, whatever the ratings?
    pub all: bool,
    /// The ratings to use; every hundred that has games if empty.
    pub mileposts: Vec<u16>,
    /// The maximum distance of both players' ratings from the milepost.
    pub width: u16,
    /// The first and last year of the games.
    pub years: Option<[u16; 2]>,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes {
            all: false,
            mileposts: Vec::new(),
            width: 20,
            years: None,
        }
    }
}

impl Classes {
    pub(crate) fn classing(&self, shallow: &[u8]) -> Classing {
        let by = match self.all {
            true => By::All,
            false => By::Elo {
                mileposts: self.mileposts.clone(),
                width: self.width,
            },
        };
        Classing {
            by,
            years: self.years.map(|[from, to]| from..=to),
            shallow: shallow.to_vec(),
        }
    }
}

/// The parameters of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct At {
    /// Sensitivity.
    pub s: f64,
    /// Consistency.
    pub c: f64,
    /// The share of `norm`, if the link blends.
    #[serde(default)]
    pub lambda: Option<f64>,
}

/// The fits of all classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FitAnswer))]
pub struct Answer {
    /// The link.
    pub link: String,
    /// The curve.
    pub curve: String,
    /// The engine of the evaluations.
    pub engine: EngineKey,
    /// The fit that the projections belong to; none if parameters were given.
    pub method: Option<Estimator>,
    /// The seed of the bootstrap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// c over Elo, if it was made a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_line: Option<StraightLine>,
    /// The classes.
    pub classes: Vec<ClassAnswer>,
    /// Warnings for the reader.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Answer {
    /// How the search of each fit ended, with the name of its class.
    pub fn convergence(&self) -> impl Iterator<Item = (String, Estimator, Convergence)> + '_ {
        self.classes.iter().flat_map(|class| {
            let fits = class.known.as_ref().and_then(|known| known.fits.as_ref());
            let ended = |fits| {
                Estimator::ALL
                    .map(|method| (class.name(), method, Fits::by(fits, method).convergence))
            };
            fits.map(ended).into_iter().flatten()
        })
    }

    /// Did all searches succeed?
    pub fn converged(&self) -> bool {
        self.convergence()
            .all(|(_, _, it)| it != Convergence::NotConverged)
    }
}

/// One class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClassAnswer {
    /// The rating of its players, if classes are by rating.
    pub milepost: Option<u16>,
    /// Turns used.
    pub turns: usize,
    /// Games.
    pub games: usize,
    /// Excluded turns, by reason.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, usize>))]
    pub excluded: BTreeMap<Exclusion, usize>,
    /// The rating of the class as if it were one player, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The results; none for a class without turns.
    #[serde(flatten)]
    pub known: Option<Known>,
}

impl ClassAnswer {
    /// The milepost, or `all` if there is none.
    pub fn name(&self) -> String {
        self.milepost
            .map_or_else(|| "all".to_owned(), |elo| elo.to_string())
    }
}

/// The results for a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Known {
    /// First-move matches.
    pub mm: Compared,
    /// Moves of the best value.
    pub equal: Compared,
    /// Average difference.
    pub ad: Compared,
    /// The fits, unless parameters were given.
    #[serde(flatten)]
    pub fits: Option<Fits>,
    /// The quality of the projected rank frequencies.
    pub q_fit: f64,
    /// The mean of -ln p of the moves played.
    pub log_loss: f64,
    /// The percentile score.
    #[serde(rename = "S")]
    pub percentile_score: f64,
    /// Frequencies of the moves of each rank, actual and projected.
    pub ranks: Vec<[f64; 2]>,
}

/// A fit by each method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Fits {
    /// By percentiles, as in the paper.
    pub percentile: AgentFit,
    /// By maximum likelihood.
    pub likelihood: AgentFit,
    /// By matching mm and ad.
    pub mm_ad: AgentFit,
}

impl Fits {
    /// The fit by this method.
    #[must_use]
    pub fn by(&self, method: Estimator) -> &AgentFit {
        match method {
            Estimator::Percentile => &self.percentile,
            Estimator::Likelihood => &self.likelihood,
            Estimator::MmAd => &self.mm_ad,
        }
    }
}

/// One fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentFit {
    /// Sensitivity.
    pub s: f64,
    /// Consistency.
    pub c: f64,
    /// The estimator's objective there.
    pub objective: f64,
    /// The standard error of s.
    pub s_se: Option<f64>,
    /// The standard error of c, if it was fitted.
    pub c_se: Option<f64>,
    /// The share of `norm`, if the link blends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda: Option<f64>,
    /// Its standard error, if it was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lambda_se: Option<f64>,
    /// The weights of the depths, the deepest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// The correlation of ln s and ln c, if both were fitted.
    pub correlation: Option<f64>,
    /// How the search ended.
    pub convergence: Convergence,
    /// Steps it took.
    pub steps: usize,
    /// What the errors account for.
    pub errors: ErrorsOf,
    /// Replicates of the bootstrap that did not converge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_replicates: Option<usize>,
}

/// What standard errors account for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ErrorsOf {
    /// Independent turns.
    Turns,
    /// Independent games, by the bootstrap.
    Games,
}

/// Fits, or compares a given agent with the classes.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    if request.queue.is_some() && request.bootstrap.is_none() {
        return Err(RequestError::NoReplicates.into());
    }
    let (study, view) = request.view.opened(watch)?;
    let rates = request
        .rate
        .as_ref()
        .map(|choice| agents(choice, &view.engine));
    let rates = rates.transpose()?;
    let classes = request
        .classes
        .classing(&request.levels)
        .read(&study, &view)?;
    if classes.iter().all(|class| class.sample.is_empty()) {
        return Err(RequestError::NoClass.into());
    }
    let mut answer = match &request.at {
        Some(at) => held(view.engine, &classes, &agent(request, *at)?),
        None => methods::fit(request, view.engine, &classes, watch)?,
    };
    if let Some((calibration, warning)) = rates {
        for (answer, class) in answer.classes.iter_mut().zip(&classes) {
            watch.check()?;
            if !class.sample.is_empty() {
                let rating = calibration.rate(&class.sample, RATING_LEVEL)?;
                answer.rating = Some(rating);
            }
        }
        answer.warnings.extend(warning);
    }
    Ok(answer)
}

/// The calibration that classes are rated by, and a warning about its fit to the evaluations.
fn agents(
    choice: &CalibrationChoice,
    engine: &EngineKey,
) -> Result<(Box<AgentCalibration>, Option<String>), Error> {
    let fitting = choice.load(engine)?;
    match fitting.calibration {
        AnyCalibration::Agents(calibration) => Ok((calibration, fitting.warning)),
        AnyCalibration::Continuous(_) => Err(RequestError::AgentsNeeded.into()),
    }
}

fn agent(request: &Request, at: At) -> Result<Agent, Error> {
    let agent = Agent {
        curve: request.curve,
        link: linked(request.link, at.lambda)?,
        s: at.s,
        c: at.c,
        weights: Vec::new(),
    };
    agent
        .check()
        .map_err(|error| Error::bad_request(error.to_string()))?;
    Ok(agent)
}

/// The link with the given share of `norm`.
fn linked(link: Link, lambda: Option<f64>) -> Result<Link, Error> {
    match (link, lambda) {
        (Link::Blend { .. }, Some(lambda)) => Ok(Link::Blend { lambda }),
        (_, Some(_)) => Err(RequestError::LambdaWithoutBlend.into()),
        (link, None) => Ok(link),
    }
}

/// No fit: compares an agent with the classes.
fn held(engine: EngineKey, classes: &[Class], agent: &Agent) -> Answer {
    let known = |class: &Class| {
        let inhabited = !class.sample.is_empty();
        inhabited.then(|| Known::new(&Projection::new(&class.sample, agent), None))
    };
    let answer = |class: &Class| ClassAnswer::new(class, known(class));
    Answer {
        classes: classes.iter().map(answer).collect(),
        ..Answer::new(engine, agent.curve, agent.link)
    }
}

impl Answer {
    fn new(engine: EngineKey, curve: Curve, link: Link) -> Answer {
        Answer {
            link: link.name().to_owned(),
            curve: curve.to_string(),
            engine,
            method: None,
            seed: None,
            c_line: None,
            classes: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

impl ClassAnswer {
    fn new(class: &Class, known: Option<Known>) -> ClassAnswer {
        ClassAnswer {
            milepost: class.milepost,
            turns: class.sample.turns(),
            games: class.sample.games().len(),
            excluded: class.excluded.clone(),
            rating: None,
            known,
        }
    }
}

impl Known {
    fn new(projection: &Projection, fits: Option<Fits>) -> Known {
        Known {
            mm: projection.mm,
            equal: projection.equal,
            ad: projection.ad,
            fits,
            q_fit: projection.q_fit,
            log_loss: projection.log_loss,
            percentile_score: projection.percentile,
            ranks: projection.ranks.clone(),
        }
    }
}
