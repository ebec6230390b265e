//! Fits each class with each estimator.

use errare_choice::Agent;
use errare_core::Watch;
use errare_engine::EngineKey;
use errare_rating::{AgentModel, Class, Estimator, Fit, Point, Projection, StraightLine};

use super::{AgentFit, Answer, ClassAnswer, ErrorsOf, Fits, Known, Request, linked};
use crate::{
    Error, RequestError,
    fleet::{Drawn, QueueChoice, bootstrap},
};

/// How to compute errors.
#[derive(Clone, Copy)]
struct Errors<'a> {
    replicates: Option<usize>,
    seed: u64,
    queue: Option<&'a QueueChoice>,
}

/// Fits each class with each estimator.
pub(super) fn fit(
    request: &Request,
    engine: EngineKey,
    classes: &[Class],
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    let method = if request.paper {
        Estimator::Percentile
    } else {
        request.method
    };
    let model = model(request)?;
    let errors = Errors {
        replicates: request.bootstrap,
        seed: request.seed.unwrap_or_else(rand::random),
        queue: request.queue.as_ref(),
    };
    let c_line = (request.c_line || request.paper)
        .then(|| c_line(classes, &model, method, watch))
        .transpose()?;
    let mut answer = Answer::new(engine, model.curve, model.link);
    answer.method = Some(method);
    answer.seed = errors.replicates.map(|_| errors.seed);
    answer.c_line = c_line;
    if errors.replicates.is_none() {
        watch.begin("fitting classes", Some(classes.len() as u64));
    }
    for class in classes {
        watch.check()?;
        let mut model = model.clone();
        if let (Some(line), Some(milepost)) = (c_line, class.milepost) {
            model.c = Some(line.at(milepost.into()));
        }
        let known = if class.sample.is_empty() {
            None
        } else {
            Some(known(class, &model, method, errors, watch)?)
        };
        answer.classes.push(ClassAnswer::new(class, known));
        if errors.replicates.is_none() {
            watch.advance(1);
        }
    }
    Ok(answer)
}

fn model(request: &Request) -> Result<AgentModel, Error> {
    if request.paper {
        return Ok(AgentModel::of_paper());
    }
    let link = linked(request.link, request.lambda)?;
    let given = Agent {
        curve: request.curve,
        link,
        c: request.c.unwrap_or(1.0),
        ..Agent::of_paper(1.0, 1.0)
    };
    given
        .check()
        .map_err(|error| Error::bad_request(error.to_string()))?;
    Ok(AgentModel {
        c: request.c,
        lambda: request.lambda,
        levels: 1 + request.levels.len(),
        ..AgentModel::new(request.curve, link)
    })
}

/// c over Elo from free fits.
fn c_line(
    classes: &[Class],
    model: &AgentModel,
    method: Estimator,
    watch: &dyn Watch,
) -> Result<StraightLine, Error> {
    let mut points = Vec::new();
    for class in classes.iter().filter(|class| !class.sample.is_empty()) {
        let fit = Fit::watched(&class.sample, model, method, watch)?;
        if let (Some(milepost), Some(error)) = (class.milepost, fit.c_error()) {
            points.push(Point {
                x: milepost.into(),
                y: fit.agent.c,
                error,
            });
        }
    }
    Ok(StraightLine::through(&points).ok_or(RequestError::NoLine)?)
}

fn known(
    class: &Class,
    model: &AgentModel,
    method: Estimator,
    errors: Errors<'_>,
    watch: &dyn Watch,
) -> Result<Known, Error> {
    let one = |estimator| -> Result<(Fit, AgentFit), Error> {
        let fit = Fit::watched(&class.sample, model, estimator, watch)?;
        let answer = fit_answer(class, &fit, estimator, errors, watch)?;
        Ok((fit, answer))
    };
    let [percentile, likelihood, mm_ad] = [
        one(Estimator::Percentile)?,
        one(Estimator::Likelihood)?,
        one(Estimator::MmAd)?,
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

fn fit_answer(
    class: &Class,
    fit: &Fit,
    estimator: Estimator,
    errors: Errors<'_>,
    watch: &dyn Watch,
) -> Result<AgentFit, Error> {
    let drawn = |replicates| Drawn {
        sample: &class.sample,
        fit,
        estimator,
        replicates,
        seed: errors.seed,
    };
    let bootstrap = errors
        .replicates
        .map(|number| bootstrap(errors.queue, &drawn(number), watch))
        .transpose()?
        .flatten();
    let error = |of: fn(&Agent) -> f64, formula: Option<f64>| match &bootstrap {
        Some(bootstrap) => formula.and(bootstrap.standard_error(of)),
        None => formula,
    };
    Ok(AgentFit {
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
        errors: match bootstrap {
            Some(_) => ErrorsOf::Games,
            None => ErrorsOf::Turns,
        },
        failed_replicates: bootstrap.map(|bootstrap| bootstrap.failed),
    })
}
