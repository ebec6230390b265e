//! A bootstrap in parts, for machines that have only the data they are sent.

use std::ops::Range;

use errare_core::{Stopped, Watch};
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use crate::{
    bootstrap::{Bootstrap, replicate},
    estimator::Estimator,
    fit::Fit,
    model::{AgentModel, Family, Free},
    sample::Sample,
};

/// A sample and the fit to be bootstrapped.
///
/// ```
/// use errare_rating::{AgentModel, Bootstrap, Estimator, Fit, Replicates, Sample};
///
/// let mut sample = Sample::default();
/// for _ in 0..4 {
///     sample.begin_game();
///     for played in [0, 0, 1, 0, 2, 0, 0, 1] {
///         sample.push(&[0.5, 0.4, 0.1, -1.0], played);
///     }
/// }
/// let model = AgentModel::of_paper().with_c(0.5);
/// let fit = Fit::new(&sample, &model, Estimator::Likelihood)?;
/// let task = Replicates::new(&sample, &fit, Estimator::Likelihood, 7);
/// let elsewhere = Replicates::read(&task.write()).ok_or("it was sent whole")?;
/// let mut points = task.part(0..2, &())?;
/// points.extend(elsewhere.part(2..4, &())?);
/// let merged = task.bootstrap(points).ok_or("the points are of this model")?;
/// let here = Bootstrap::new(&sample, &fit, Estimator::Likelihood, 4, 7, &())?;
/// assert_eq!(merged.agents, here.agents);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replicates {
    sample: Sample,
    model: AgentModel,
    estimator: Estimator,
    at: DVector<f64>,
    seed: u64,
}

/// The header that describes the numbers after it in a message.
#[derive(Serialize, Deserialize)]
struct Head {
    curve: String,
    link: String,
    c: Option<f64>,
    lambda: Option<f64>,
    levels: usize,
    estimator: Estimator,
    at: Vec<f64>,
    seed: u64,
    sample: [usize; 4],
}

impl Replicates {
    /// The replicates of a fit to a sample.
    #[must_use]
    pub fn new(sample: &Sample, fit: &Fit, estimator: Estimator, seed: u64) -> Replicates {
        Replicates {
            sample: sample.clone(),
            model: fit.model.clone(),
            estimator,
            at: fit.at.clone(),
            seed,
        }
    }

    /// The best points for the replicates with these numbers; `None` where the search did not
    /// converge.
    pub fn part(
        &self,
        numbers: Range<usize>,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<Vec<f64>>>, Stopped> {
        let family = Free::new(&self.model);
        let Replicates {
            sample,
            estimator,
            at,
            seed,
            ..
        } = self;
        let points = replicate(sample, &family, *estimator, at, numbers, *seed, watch)?;
        let plain = |point: DVector<f64>| point.iter().copied().collect();
        Ok(points.into_iter().map(|point| point.map(plain)).collect())
    }

    /// Combines the points of all parts into a bootstrap; `None` if they belong to another model.
    #[must_use]
    pub fn bootstrap(&self, points: Vec<Option<Vec<f64>>>) -> Option<Bootstrap> {
        let fits = |point: &Vec<f64>| point.len() == self.at.len();
        if !points.iter().flatten().all(fits) {
            return None;
        }
        let points: Vec<_> = points
            .into_iter()
            .map(|point| point.map(DVector::from_vec))
            .collect();
        Some(Bootstrap::of(&Free::new(&self.model), &points))
    }

    /// Encodes a message.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let (numbers, sample) = self.sample.to_numbers();
        let head = Head {
            curve: self.model.curve.to_string(),
            link: self.model.link.to_string(),
            c: self.model.c,
            lambda: self.model.lambda,
            levels: self.model.levels,
            estimator: self.estimator,
            at: self.at.iter().copied().collect(),
            seed: self.seed,
            sample,
        };
        let head = serde_json::to_vec(&head).expect("it is numbers and text");
        let mut message = (head.len() as u64).to_le_bytes().to_vec();
        message.extend(head);
        message.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        message
    }

    /// Decodes a message; `None` if it is malformed.
    #[must_use]
    pub fn read(message: &[u8]) -> Option<Replicates> {
        let (length, rest) = message.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (head, numbers) = rest.split_at_checked(length)?;
        let head: Head = serde_json::from_slice(head).ok()?;
        let (words, tail) = numbers.as_chunks::<8>();
        if !tail.is_empty() {
            return None;
        }
        let numbers: Vec<f64> = words.iter().map(|word| f64::from_le_bytes(*word)).collect();
        let model = AgentModel {
            c: head.c,
            lambda: head.lambda,
            levels: head.levels,
            ..AgentModel::new(head.curve.parse().ok()?, head.link.parse().ok()?)
        };
        let sample = Sample::from_numbers(&numbers, head.sample)?;
        let sound = !sample.is_empty()
            && sample.levels() == head.levels
            && Free::new(&model).bounds().len() == head.at.len()
            && head.at.iter().all(|number| number.is_finite());
        sound.then(|| Replicates {
            sample,
            model,
            estimator: head.estimator,
            at: DVector::from_vec(head.at),
            seed: head.seed,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts that were sent as messages give the same bootstrap as the whole.
    #[test]
    fn parts_are_the_whole() {
        let mut sample = Sample::default();
        for game in 0..12 {
            sample.begin_game();
            for turn in 0..6 {
                let pawns = [0.5, 0.5, 0.4 - f64::from(turn) / 20.0, -1.0];
                sample.push(&pawns, [0, 2, 0, 3, 1, 0][(game + turn) as usize % 6]);
            }
        }
        let estimator = Estimator::Likelihood;
        let fit = Fit::new(&sample, &AgentModel::of_paper(), estimator).unwrap();
        let whole = Bootstrap::new(&sample, &fit, estimator, 8, 7, &()).unwrap();
        let sent = Replicates::new(&sample, &fit, estimator, 7).write();
        let got = Replicates::read(&sent).unwrap();
        assert_eq!(got.write(), sent);
        let mut points = got.part(0..3, &()).unwrap();
        points.extend(got.part(3..8, &()).unwrap());
        let parts = got.bootstrap(points).unwrap();
        assert_eq!((parts.failed, &parts.agents), (whole.failed, &whole.agents));
        assert!(Replicates::read(&sent[..sent.len() - 8]).is_none());
        assert!(got.bootstrap(vec![Some(vec![0.0; 7])]).is_none());
    }
}
