//! What `errare fit` answers.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use errare_choice::{Agent, Curve, Link};
use errare_engine::EngineKey;
use errare_rating::{
    Bootstrap, Calibration, Class, Compared, Convergence, Estimator, Exclusion, Fit, Line, Model,
    Point, Projection, Rating,
};
use serde::Serialize;

use super::{Arguments, inhabited};
use crate::modelling::linked;

/// How often the interval of a rating contains the true one.
const RATING_LEVEL: f64 = 0.95;

/// All classes.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) link: String,
    pub(super) curve: String,
    pub(super) engine: EngineKey,
    /// The fit that projections belong to; none if parameters were given.
    pub(super) method: Option<Estimator>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// c over Elo, if it was made a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) c_line: Option<Line>,
    pub(super) classes: Vec<ClassAnswer>,
}

/// One class.
#[derive(Serialize)]
pub(super) struct ClassAnswer {
    pub(super) milepost: Option<u16>,
    pub(super) turns: usize,
    pub(super) games: usize,
    pub(super) excluded: BTreeMap<Exclusion, usize>,
    /// The class as if it were one player, if that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rating: Option<Rating>,
    /// Nothing is known of a class without turns.
    #[serde(flatten)]
    pub(super) known: Option<Known>,
}

/// What is known of a class.
#[derive(Serialize)]
pub(super) struct Known {
    pub(super) mm: Compared,
    pub(super) equal: Compared,
    pub(super) ad: Compared,
    #[serde(flatten)]
    pub(super) fits: Option<Fits>,
    pub(super) q_fit: f64,
    pub(super) log_loss: f64,
    #[serde(rename = "S")]
    pub(super) percentile_score: f64,
    /// Frequencies of the moves of each rank, actual and projected.
    ranks: Vec<[f64; 2]>,
}

/// A fit by each method.
#[derive(Serialize)]
pub(super) struct Fits {
    pub(super) percentile: FitAnswer,
    pub(super) likelihood: FitAnswer,
    pub(super) mm_ad: FitAnswer,
}

impl Fits {
    pub(super) fn by(&self, method: Estimator) -> &FitAnswer {
        match method {
            Estimator::Percentile => &self.percentile,
            Estimator::Likelihood => &self.likelihood,
            Estimator::MmAd => &self.mm_ad,
        }
    }
}

/// One fit.
#[derive(Serialize)]
pub(super) struct FitAnswer {
    pub(super) s: f64,
    pub(super) c: f64,
    objective: f64,
    pub(super) s_se: Option<f64>,
    pub(super) c_se: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lambda: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lambda_se: Option<f64>,
    /// The weights of the depths, the deepest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
    correlation: Option<f64>,
    pub(super) convergence: Convergence,
    steps: usize,
    /// `turns`: independent turns; `games`: the bootstrap.
    errors: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_replicates: Option<usize>,
}

impl Answer {
    /// No fit: an agent held against the classes.
    pub(super) fn at(engine: EngineKey, classes: &[Class], agent: &Agent) -> Answer {
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

    /// Rates the classes that have turns.
    pub(super) fn rate(&mut self, classes: &[Class], calibration: &Calibration) -> Result<()> {
        for (answer, class) in self.classes.iter_mut().zip(classes) {
            if !class.sample.is_empty() {
                answer.rating = Some(calibration.rate(&class.sample, RATING_LEVEL)?);
            }
        }
        Ok(())
    }

    fn new(engine: EngineKey, curve: Curve, link: Link) -> Answer {
        Answer {
            link: link.name().to_owned(),
            curve: curve.to_string(),
            engine,
            method: None,
            seed: None,
            c_line: None,
            classes: Vec::new(),
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

/// How to find errors.
#[derive(Clone, Copy)]
struct Errors {
    replicates: Option<usize>,
    seed: u64,
}

/// Fits each class by each method.
pub(super) fn fit(arguments: &Arguments, engine: EngineKey, classes: &[Class]) -> Result<Answer> {
    let method = if arguments.paper {
        Estimator::Percentile
    } else {
        arguments.method
    };
    let model = model(arguments)?;
    let errors = Errors {
        replicates: arguments.bootstrap.map(|replicates| replicates as usize),
        seed: arguments.seed.unwrap_or_else(rand::random),
    };
    let c_line = (arguments.c_line || arguments.paper)
        .then(|| c_line(classes, &model, method))
        .transpose()?;
    let mut answer = Answer::new(engine, model.curve, model.link);
    answer.method = Some(method);
    answer.seed = errors.replicates.map(|_| errors.seed);
    answer.c_line = c_line;
    for class in classes {
        let mut model = model.clone();
        if let (Some(line), Some(milepost)) = (c_line, class.milepost) {
            model.c = Some(line.at(milepost.into()));
        }
        let known = if class.sample.is_empty() {
            None
        } else {
            Some(known(class, &model, method, errors)?)
        };
        answer.classes.push(ClassAnswer::new(class, known));
    }
    Ok(answer)
}

fn model(arguments: &Arguments) -> Result<Model> {
    if arguments.paper {
        return Ok(Model::of_paper());
    }
    let link = linked(arguments.link, arguments.lambda)?;
    let given = Agent {
        curve: arguments.curve,
        link,
        c: arguments.c.unwrap_or(1.0),
        ..Agent::of_paper(1.0, 1.0)
    };
    given.check()?;
    Ok(Model {
        c: arguments.c,
        lambda: arguments.lambda,
        levels: 1 + arguments.levels.len(),
        ..Model::new(arguments.curve, link)
    })
}

/// c over Elo from free fits.
fn c_line(classes: &[Class], model: &Model, method: Estimator) -> Result<Line> {
    let mut points = Vec::new();
    for class in inhabited(classes) {
        let fit = Fit::new(&class.sample, model, method)?;
        if let (Some(milepost), Some(error)) = (class.milepost, fit.c_error()) {
            points.push(Point {
                x: milepost.into(),
                y: fit.agent.c,
                error,
            });
        }
    }
    match Line::through(&points) {
        Some(line) => Ok(line),
        None => bail!("a line of c needs two mileposts with turns; give others with --milepost"),
    }
}

fn known(class: &Class, model: &Model, method: Estimator, errors: Errors) -> Result<Known> {
    let one = |estimator| -> Result<(Fit, FitAnswer)> {
        let fit = Fit::new(&class.sample, model, estimator)?;
        let answer = FitAnswer::new(class, &fit, estimator, errors);
        Ok((fit, answer))
    };
    let [percentile, likelihood, mm_ad] = [
        one(Estimator::ALL[0])?,
        one(Estimator::ALL[1])?,
        one(Estimator::ALL[2])?,
    ];
    let agent = match method {
        Estimator::Percentile => &percentile.0.agent,
        Estimator::Likelihood => &likelihood.0.agent,
        Estimator::MmAd => &mm_ad.0.agent,
    };
    let projection = Projection::new(&class.sample, agent);
    let fits = Fits {
        percentile: percentile.1,
        likelihood: likelihood.1,
        mm_ad: mm_ad.1,
    };
    Ok(Known::new(&projection, Some(fits)))
}

impl FitAnswer {
    fn new(class: &Class, fit: &Fit, estimator: Estimator, errors: Errors) -> FitAnswer {
        let Errors { replicates, seed } = errors;
        let bootstrap =
            replicates.map(|number| Bootstrap::new(&class.sample, fit, estimator, number, seed));
        let error = |of: fn(&Agent) -> f64, formula: Option<f64>| match &bootstrap {
            Some(bootstrap) => formula.and(bootstrap.standard_error(of)),
            None => formula,
        };
        FitAnswer {
            s: fit.agent.s,
            c: fit.agent.c,
            objective: fit.objective,
            s_se: error(|agent| agent.s, fit.s_error()),
            c_se: error(|agent| agent.c, fit.c_error()),
            lambda: fit.lambda(),
            lambda_se: error(|agent| agent.link.lambda(), fit.lambda_error()),
            weights: fit.agent.weights.clone(),
            correlation: fit.correlation(),
            convergence: fit.convergence,
            steps: fit.steps,
            errors: if bootstrap.is_some() {
                "games"
            } else {
                "turns"
            },
            failed_replicates: bootstrap.map(|bootstrap| bootstrap.failed),
        }
    }
}
