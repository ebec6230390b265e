//! Makes a calibration, as described in [`crate::calibration`].

use errare_choice::{Agent, Curve, Link};
use errare_core::{Stopped, Watch};
use errare_engine::EngineKey;

use crate::{
    AgentCalibration, AgentFitError, AgentModel, Convergence, Estimator, Fit, Inflation,
    Projection, Sample, StraightLine,
    calibration::{CalibratedClass, CalibrationRow, LEAST_C},
    line::Point,
};

/// The minimum number of turns of a class.
pub(crate) const FEWEST_TURNS: usize = 100;
/// The size of the reference set, drawn evenly from all classes.
const REFERENCE_TURNS: usize = 3000;
/// The step of the table of agents, in Elo.
const STEP: f64 = 50.0;
/// How far the table extends beyond the classes, in Elo.
const BEYOND: f64 = 800.0;
/// The minimum numbers of turns and players for inflation factors.
const FEWEST_PLAYER_TURNS: usize = 30;
const FEWEST_PLAYERS: usize = 30;

/// How to make a calibration.
#[derive(Clone, Debug)]
pub struct AgentRecipe {
    /// The engine of the evaluations.
    pub engine: EngineKey,
    /// The curve.
    pub curve: Curve,
    /// The link; for a blend, one share is found for all classes.
    pub link: Link,
    /// The estimator.
    pub estimator: Estimator,
}

/// Why a calibration could not be made.
#[derive(Debug, thiserror::Error)]
pub enum AgentCalibrateError {
    /// Too few classes.
    #[error(
        "a calibration needs two mileposts or more with {FEWEST_TURNS} turns each, and there are {0}; \
         evaluate more games, or choose other mileposts"
    )]
    TooFewClasses(usize),
    /// A fit failed.
    #[error("the class of {milepost} cannot be fitted: {reason}")]
    Fit {
        /// The class.
        milepost: u16,
        /// Why.
        reason: String,
    },
    /// Elo and ad are not related by a line.
    #[error("ratings do not rise as ad falls in these classes, so that no line can be drawn")]
    NoLine,
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The turns of a player with a known rating.
#[derive(Clone, Debug)]
pub struct RatedSample {
    /// The rating.
    pub elo: f64,
    /// The turns.
    pub sample: Sample,
}

impl AgentRecipe {
    /// Makes a calibration from classes of turns by milepost. The scatter of z is estimated from the
    /// players, who are those of the classes.
    pub fn calibrate(
        &self,
        classes: &[(u16, Sample)],
        players: &[RatedSample],
        watch: &dyn Watch,
    ) -> Result<AgentCalibration, AgentCalibrateError> {
        let enough = |(_, sample): &&(u16, Sample)| sample.turns() >= FEWEST_TURNS;
        let used: Vec<&(u16, Sample)> = classes.iter().filter(enough).collect();
        if used.len() < 2 {
            return Err(AgentCalibrateError::TooFewClasses(used.len()));
        }
        tracing::info!(engine = %self.engine, classes = used.len(), players = players.len(), "calibrating");
        let mut warnings = warnings(classes, used.len());
        let link = self.common_link(&used, watch)?;
        let model = AgentModel {
            lambda: Some(link.lambda()),
            ..AgentModel::new(self.curve, link)
        };
        let free = self.fit_all(&used, |_| model.clone(), watch)?;
        let c_line = line(&used, &free, |fit| (fit.agent.c, fit.c_error()))?;
        let with_c = |elo| model.clone().with_c(c_line.at(elo).max(LEAST_C));
        let fitted = self.fit_all(&used, with_c, watch)?;
        let log_s = |fit: &Fit| (fit.agent.s.ln(), fit.s_error().map(|e| e / fit.agent.s));
        let log_s_line = line(&used, &fitted, log_s)?;

        let reference = reference_set(&used);
        let ads: Vec<f64> = fitted
            .iter()
            .map(|fit| ad(&reference, &fit.agent))
            .collect();
        let reference_line = reference_line(&used, &fitted, &ads, &reference)?;
        let classes = used
            .iter()
            .zip(free.iter().zip(&fitted))
            .zip(&ads)
            .map(|((class, (free, fit)), &ad)| calibrated(class, free, fit, ad));
        let mut calibration = AgentCalibration {
            version: AgentCalibration::VERSION,
            engine: self.engine.clone(),
            curve: self.curve,
            link,
            estimator: self.estimator,
            c_line,
            log_s_line,
            reference_line,
            reference_turns: reference.turns(),
            table: Vec::new(),
            inflation: Inflation::NONE,
            classes: classes.collect(),
            warnings: Vec::new(),
        };
        calibration.table = table(&calibration, &reference)?;
        match inflation(&calibration, players) {
            Some(inflation) => calibration.inflation = inflation,
            None => warnings.push(format!(
                "fewer than {FEWEST_PLAYERS} players have {FEWEST_PLAYER_TURNS} turns, \
                 so that z are not adjusted"
            )),
        }
        calibration.warnings = warnings;
        Ok(calibration)
    }

    /// For a blend, the share that suits all classes: the mean, weighted by turns.
    fn common_link(
        &self,
        classes: &[&(u16, Sample)],
        watch: &dyn Watch,
    ) -> Result<Link, AgentCalibrateError> {
        let Link::Blend { .. } = self.link else {
            return Ok(self.link);
        };
        let fits = self.fit_all(classes, |_| AgentModel::new(self.curve, self.link), watch)?;
        let turns: usize = classes.iter().map(|(_, sample)| sample.turns()).sum();
        let each = classes.iter().zip(&fits);
        let sum: f64 = each
            .map(|((_, sample), fit)| sample.turns() as f64 * fit.agent.link.lambda())
            .sum();
        let lambda = sum / turns as f64;
        Ok(Link::Blend { lambda })
    }

    fn fit_all(
        &self,
        classes: &[&(u16, Sample)],
        model: impl Fn(f64) -> AgentModel,
        watch: &dyn Watch,
    ) -> Result<Vec<Fit>, AgentCalibrateError> {
        let fit = |(milepost, sample): &&(u16, Sample)| {
            let failed = |reason: String| AgentCalibrateError::Fit {
                milepost: *milepost,
                reason,
            };
            let model = model(f64::from(*milepost));
            let fit = match Fit::watched(sample, &model, self.estimator, watch) {
                Ok(fit) => fit,
                Err(AgentFitError::Stopped(stopped)) => return Err(stopped.into()),
                Err(error) => return Err(failed(error.to_string())),
            };
            match fit.convergence {
                Convergence::NotConverged => Err(failed("the search does not converge".to_owned())),
                Convergence::Converged | Convergence::AtBound => Ok(fit),
            }
        };
        classes.iter().map(fit).collect()
    }
}

fn warnings(classes: &[(u16, Sample)], used: usize) -> Vec<String> {
    let few = classes
        .iter()
        .filter(|(_, sample)| sample.turns() < FEWEST_TURNS);
    let mut warnings: Vec<String> = few
        .map(|(milepost, sample)| {
            format!(
                "{milepost} has only {} turns and is left out",
                sample.turns()
            )
        })
        .collect();
    if used == 2 {
        warnings.push("two mileposts make a line that nothing checks".to_owned());
    }
    warnings
}

/// A line through some property of the fits over ratings.
fn line(
    classes: &[&(u16, Sample)],
    fits: &[Fit],
    of: impl Fn(&Fit) -> (f64, Option<f64>),
) -> Result<StraightLine, AgentCalibrateError> {
    let point = |((milepost, _), fit): (&&(u16, Sample), &Fit)| {
        let (y, error) = of(fit);
        let x = f64::from(*milepost);
        error.map(|error| Point { x, y, error })
    };
    let points: Vec<Point> = classes.iter().zip(fits).filter_map(point).collect();
    StraightLine::through(&points).ok_or(AgentCalibrateError::NoLine)
}

/// Elo as a line over projected ad. The errors of ad, which come from those of s, are converted to
/// errors of Elo by the slope of an unweighted line.
fn reference_line(
    classes: &[&(u16, Sample)],
    fits: &[Fit],
    ads: &[f64],
    reference: &Sample,
) -> Result<StraightLine, AgentCalibrateError> {
    let each = || classes.iter().zip(fits).zip(ads);
    let plain: Vec<Point> = each()
        .map(|(((milepost, _), _), &x)| {
            let y = f64::from(*milepost);
            Point { x, y, error: 1.0 }
        })
        .collect();
    let slope = StraightLine::through(&plain)
        .ok_or(AgentCalibrateError::NoLine)?
        .slope;
    let weighed: Vec<Point> = each()
        .zip(plain.iter())
        .map(|(((_, fit), ad_here), point)| {
            let error = fit.s_error().unwrap_or(fit.agent.s);
            let further = Agent {
                s: fit.agent.s + error,
                ..fit.agent.clone()
            };
            let error = slope * (ad(reference, &further) - ad_here);
            Point {
                error: error.abs().max(1.0),
                ..*point
            }
        })
        .collect();
    let line = StraightLine::through(&weighed).ok_or(AgentCalibrateError::NoLine)?;
    if line.slope < 0.0 {
        Ok(line)
    } else {
        Err(AgentCalibrateError::NoLine)
    }
}

fn ad(sample: &Sample, agent: &Agent) -> f64 {
    Projection::new(sample, agent).ad.projected
}

/// The same number of turns from each class, evenly spread over it.
fn reference_set(classes: &[&(u16, Sample)]) -> Sample {
    let share = REFERENCE_TURNS / classes.len();
    let mut reference = Sample::default();
    for (_, sample) in classes {
        let step = sample.turns().div_ceil(share).max(1);
        let turns: Vec<_> = (0..sample.turns())
            .step_by(step)
            .map(|i| i..i + 1)
            .collect();
        reference.extend(sample, &turns);
    }
    reference
}

fn calibrated(class: &(u16, Sample), free: &Fit, fit: &Fit, reference_ad: f64) -> CalibratedClass {
    let (milepost, sample) = class;
    let projection = Projection::new(sample, &fit.agent);
    CalibratedClass {
        milepost: *milepost,
        turns: sample.turns(),
        s: free.agent.s,
        c: free.agent.c,
        c_fit: fit.agent.c,
        s_fit: fit.agent.s,
        s_fit_error: fit.s_error(),
        mm: [projection.mm.actual, projection.mm.projected],
        ad: [projection.ad.actual, projection.ad.projected],
        q_fit: projection.q_fit,
        reference_ad,
    }
}

/// For each rating the s that puts its agent on the reference line, as far as there is one.
fn table(
    calibration: &AgentCalibration,
    reference: &Sample,
) -> Result<Vec<CalibrationRow>, AgentCalibrateError> {
    let [lowest, highest] = calibration.mileposts();
    let from = ((f64::from(lowest) - BEYOND).max(0.0) / STEP).ceil();
    let to = ((f64::from(highest) + BEYOND) / STEP).floor();
    let mut rows: Vec<CalibrationRow> = Vec::new();
    let mut s = 0.5;
    let mut elo = from * STEP;
    while elo <= to * STEP {
        let target = calibration.reference_line.inverse(elo);
        let agent = Agent {
            c: calibration.c(elo)[0],
            ..calibration.fresh_agent(s)
        };
        match sensitivity(reference, &agent, target) {
            Some(found) if rows.last().is_none_or(|row| found < row.s) => {
                s = found;
                rows.push(CalibrationRow { elo, s, ad: target });
            }
            // Beyond some rating even the best agent is not good enough.
            _ if rows.len() > 1 => break,
            _ => rows.clear(),
        }
        elo += STEP;
    }
    if rows.len() < 2 {
        return Err(AgentCalibrateError::NoLine);
    }
    Ok(rows)
}

impl AgentCalibration {
    fn fresh_agent(&self, s: f64) -> Agent {
        Agent {
            curve: self.curve,
            link: self.link,
            s,
            c: self.c_line.at(self.c_line.middle),
            weights: Vec::new(),
        }
    }
}

/// The s for which the agent has this projected ad; ln ad is almost linear in ln s.
fn sensitivity(reference: &Sample, agent: &Agent, target: f64) -> Option<f64> {
    if target <= 0.0 {
        return None;
    }
    let log_ad = |log_s: f64| {
        let s = log_s.exp();
        ad(reference, &Agent { s, ..agent.clone() }).ln()
    };
    let mut low = (agent.s.ln() - 0.2, 0.0);
    low.1 = log_ad(low.0) - target.ln();
    let mut high = (agent.s.ln(), 0.0);
    high.1 = log_ad(high.0) - target.ln();
    for _ in 0..60 {
        let step = (high.1 * (high.0 - low.0) / (high.1 - low.1)).clamp(-1.0, 1.0);
        let next = high.0 - step;
        if !(-12.0..=5.0).contains(&next) {
            return None;
        }
        if step.abs() < 1e-9 {
            return Some(next.exp());
        }
        low = high;
        high = (next, log_ad(next) - target.ln());
    }
    None
}

/// The root mean squares of the players' z, but at least 1.
fn inflation(calibration: &AgentCalibration, players: &[RatedSample]) -> Option<Inflation> {
    let enough = |player: &&RatedSample| player.sample.turns() >= FEWEST_PLAYER_TURNS;
    let projections: Vec<Projection> = players
        .iter()
        .filter(enough)
        .map(|player| Projection::new(&player.sample, &calibration.agent(player.elo)))
        .collect();
    if projections.len() < FEWEST_PLAYERS {
        return None;
    }
    let spread = |z: &dyn Fn(&Projection) -> f64| {
        let squares: f64 = projections.iter().map(|one| z(one).powi(2)).sum();
        (squares / projections.len() as f64).sqrt().max(1.0)
    };
    Some(Inflation {
        mm: spread(&|one| one.mm.z()),
        equal: spread(&|one| one.equal.z()),
        ad: spread(&|one| one.ad.z()),
        players: projections.len(),
    })
}
