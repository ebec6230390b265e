//! Projections: what an agent would have done in the turns of a sample, compared with what was
//! done.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 6.

use errare_choice::{Agent, ChoiceProbabilities};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    estimator::{Estimator, choose, chunks},
    sample::Sample,
};

/// The number of ranks in the quality of a fit, as many as the paper's engine gave.
const RANKS: usize = 50;

/// A frequency or mean: actual, and projected for an agent with its standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Compared {
    /// The actual value.
    pub actual: f64,
    /// The agent's expected value.
    pub projected: f64,
    /// The standard deviation of the agent's value.
    pub sd: f64,
}

impl Compared {
    /// How many standard deviations the actual value is above the projected one.
    #[must_use]
    pub fn z(&self) -> f64 {
        (self.actual - self.projected) / self.sd
    }
}

/// An agent compared with a sample.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Projection {
    /// How many turns.
    pub turns: usize,
    /// How often the engine's first move is played.
    pub mm: Compared,
    /// How often a move of the best value is played.
    pub equal: Compared,
    /// The average difference: the scaled cost of moves.
    pub ad: Compared,
    /// The mean of -ln p of the moves played.
    pub log_loss: f64,
    /// The percentile score S.
    pub percentile: f64,
    /// 10,000 times the mean squared difference of projected and actual frequencies of the moves of
    /// ranks 0 to 49.
    pub q_fit: f64,
    /// Frequencies of the moves of each rank, actual and projected.
    pub ranks: Vec<[f64; 2]>,
}

impl Projection {
    /// Compares an agent with a sample, which must not be empty.
    ///
    /// ```
    /// use errare_choice::Agent;
    /// use errare_rating::{Projection, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for played in [0, 0, 1, 0] {
    ///     sample.push(&[0.5, 0.4, 0.1, -1.0], played);
    /// }
    /// let mm = Projection::new(&sample, &Agent::of_paper(0.1, 0.5)).mm;
    /// assert_eq!(mm.actual, 0.75);
    /// assert!(mm.z() > 0.0, "such an agent would play fewer first moves");
    /// ```
    #[must_use]
    pub fn new(sample: &Sample, agent: &Agent) -> Projection {
        let turns = sample.turns() as f64;
        let ranges = chunks(sample);
        let parts: Vec<Sums> = ranges
            .par_iter()
            .map_init(ChoiceProbabilities::default, |choice, (range, _)| {
                let mut sums = Sums::default();
                for turn in range.clone() {
                    choose(choice, sample, agent, turn, &[]);
                    sums.add(sample, turn, choice);
                }
                sums
            })
            .collect();
        let sums = parts.iter().fold(Sums::default(), Sums::merge);
        let compared = |sums: [f64; 3]| Compared {
            actual: sums[0] / turns,
            projected: sums[1] / turns,
            sd: sums[2].sqrt() / turns,
        };
        let percentile = Estimator::Percentile;
        let tally = percentile.tally(sample, agent, &[], &ranges);
        let ranks: Vec<[f64; 2]> = sums
            .ranks
            .iter()
            .map(|rank| rank.map(|sum| sum / turns))
            .collect();
        let squares = ranks.iter().take(RANKS).map(|[a, p]| (a - p).powi(2));
        Projection {
            turns: sample.turns(),
            mm: compared(sums.mm),
            equal: compared(sums.equal),
            ad: compared(sums.ad),
            log_loss: sums.log_loss / turns,
            percentile: (tally.values / turns).norm_squared(),
            q_fit: 1e4 * squares.sum::<f64>() / RANKS as f64,
            ranks,
        }
    }
}

/// Sums over turns; triples are actual, projected, variance.
#[derive(Default)]
struct Sums {
    mm: [f64; 3],
    equal: [f64; 3],
    ad: [f64; 3],
    log_loss: f64,
    ranks: Vec<[f64; 2]>,
}

impl Sums {
    fn add(&mut self, sample: &Sample, turn: usize, choice: &ChoiceProbabilities) {
        let p = choice.probabilities();
        let turn = sample.turn(turn);
        let one = |happened: bool, p: f64| [f64::from(u8::from(happened)), p, p * (1.0 - p)];
        add(&mut self.mm, one(turn.played == 0, p[0]));
        let tops: f64 = p[..turn.tops].iter().sum();
        add(&mut self.equal, one(turn.equals_best(), tops.min(1.0)));
        let each = || p.iter().zip(turn.costs);
        let mean: f64 = each().map(|(p, cost)| p * cost).sum();
        let variance: f64 = each().map(|(p, cost)| p * (cost - mean).powi(2)).sum();
        add(&mut self.ad, [turn.costs[turn.played], mean, variance]);
        self.log_loss -= choice.log_probability(turn.played);
        let length = self.ranks.len().max(p.len());
        self.ranks.resize(length, [0.0; 2]);
        for (rank, p) in self.ranks.iter_mut().zip(p) {
            rank[1] += p;
        }
        self.ranks[turn.played][0] += 1.0;
    }

    fn merge(mut self, other: &Sums) -> Sums {
        add(&mut self.mm, other.mm);
        add(&mut self.equal, other.equal);
        add(&mut self.ad, other.ad);
        self.log_loss += other.log_loss;
        let length = self.ranks.len().max(other.ranks.len());
        self.ranks.resize(length, [0.0; 2]);
        for (rank, more) in self.ranks.iter_mut().zip(&other.ranks) {
            rank[0] += more[0];
            rank[1] += more[1];
        }
        self
    }
}

fn add(sums: &mut [f64; 3], more: [f64; 3]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}
