//! Move probabilities for trees too large to count, by quadrature.
//!
//! The probability of a move is the integral of the product of the other moves' distribution
//! functions over its own,
//!
//! > prob(n) = ∫ ∏ F_m dF_n over the other moves m.
//!
//! For continuous leaves the scores are taken on a logit scale. The first step is to find the window outside of
//! which the best score lies with negligible probability; the product of all F, which is the distribution
//! function of the best score, bounds it. Inside the window, panels of Gauss-Legendre nodes are bisected until
//! halving changes nothing that matters; the derivative of each F is that of the polynomial through its values.
//! A fixed grid would not do: the F of deep trees are nearly jumps, at places not known beforehand.
//!
//! Scores with an atom (a recognised draw, or every score with finite α) are jumps from F(v-) to F(v).
//! A tie shared uniformly is the integral along the straight line between them.
//!
//! The probabilities sum to 1 with ties shared, whatever the tree, and nothing here forces them to:
//! the sum certifies the numerics.
//!
//! Reference: Levene & Fenner, section 5, and the remark on continuous scores in section 7.

use std::array::from_fn;
use std::num::NonZeroUsize;

use errare_core::{Stopped, Watch};
use gauss_quad::GaussLegendre;

use crate::distribution::{LANES, ScorePoint, ScoreRow, Scores, best_within};
use crate::panel::PANEL;
use crate::polynomial::products_of_others;
use crate::{Alpha, Ties};

/// Probabilities of moves, with a bound of their error.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbabilityEstimate {
    /// The probability of each move.
    pub probabilities: Vec<f64>,
    /// A bound of the sum of the absolute errors of the probabilities: the change at the last halving of each
    /// panel, and the mass outside the window. For finite α only rounding error is left.
    pub error: f64,
    /// Passes over the tree, of [`LANES`] points each.
    pub passes: usize,
}

impl ProbabilityEstimate {
    /// The sum of the probabilities: 1 where ties are shared.
    pub fn certificate(&self) -> f64 {
        self.probabilities.iter().sum()
    }
}

/// The probability of each move, refined until the error is at most `tolerance` if the leaves are
/// continuous. Below some 1e-12 rounding may keep it from getting there: see [`ProbabilityEstimate::error`].
pub fn probabilities(
    scores: &impl Scores,
    alpha: Alpha,
    ties: Ties,
    tolerance: f64,
) -> ProbabilityEstimate {
    let estimate = probabilities_watched(scores, alpha, ties, tolerance, &());
    estimate.expect("nobody stops it")
}

/// Like [`probabilities`], watched: a step is a pass over the tree. The number of passes is not known beforehand
/// if the leaves are continuous.
pub fn probabilities_watched(
    scores: &impl Scores,
    alpha: Alpha,
    ties: Ties,
    tolerance: f64,
    watch: &dyn Watch,
) -> Result<ProbabilityEstimate, Stopped> {
    let passes = alpha
        .scores()
        .map(|scores| u64::from(scores) / LANES as u64 + 1);
    watch.begin("evaluating the tree", passes);
    let mut race = Race {
        scores,
        watch,
        ties,
        chosen: vec![0.0; scores.moves()],
        error: 0.0,
        passes: 0,
        shared: GaussLegendre::new(NonZeroUsize::MIN.saturating_add(scores.moves() / 2)),
    };
    match alpha.scores() {
        Some(alpha) => race.run_steps(alpha)?,
        None => race.run_continuously(tolerance)?,
    }
    Ok(ProbabilityEstimate {
        probabilities: race.chosen,
        error: race.error,
        passes: race.passes,
    })
}

/// Where the search for the window starts and ends: the sinh of this is a logit beyond which no tree that fits
/// into memory has its scores.
const FARTHEST: f64 = 7.0;

/// Accuracy needed for the ends of the window, on the same scale.
const FINE: f64 = 0.01;

/// With more panels than this, only rounding is left to refine; the error says how much.
const MOST_PANELS: usize = 2048;

/// The sum of the probabilities over the intervals of scores done so far.
struct Race<'s, S> {
    scores: &'s S,
    watch: &'s dyn Watch,
    ties: Ties,
    chosen: Vec<f64>,
    error: f64,
    passes: usize,
    /// Exact for the product of the distribution functions along a line.
    shared: GaussLegendre,
}

/// An interval on the logit scale.
#[derive(Debug, Clone)]
struct Panel {
    from: f64,
    to: f64,
    chosen: Vec<f64>,
}

/// A panel in two halves.
struct Halved {
    halves: [Panel; 2],
    /// How much the halving changed.
    change: f64,
}

impl<S: Scores> Race<'_, S> {
    fn evaluate(&mut self, points: &[ScorePoint; LANES]) -> Result<Vec<ScoreRow>, Stopped> {
        self.watch.check()?;
        self.passes += 1;
        self.watch.advance(1);
        Ok(self.scores.distributions(points))
    }

    /// The scores jump from below an atom to above it.
    fn jump(&mut self, before: &[f64], after: &[f64]) {
        let chosen: Vec<f64> = match self.ties {
            Ties::All => {
                let others = products_of_others(after, 1.0, |a, b| a * b);
                let atoms = before
                    .iter()
                    .zip(after)
                    .map(|(before, after)| after - before);
                atoms
                    .zip(others)
                    .map(|(atom, others)| atom * others)
                    .collect()
            }
            Ties::Uniform => {
                let rule: Vec<(f64, f64)> = self
                    .shared
                    .iter()
                    .map(|(x, w)| ((x + 1.0) / 2.0, w / 2.0))
                    .collect();
                let lines = before.iter().zip(after);
                let (values, slopes): (Vec<Vec<f64>>, Vec<Vec<f64>>) = lines
                    .map(|(&before, &after)| {
                        let atom = after - before;
                        (
                            rule.iter().map(|(x, _)| before + x * atom).collect(),
                            vec![atom; rule.len()],
                        )
                    })
                    .unzip();
                best_within(&values, &slopes, rule.iter().map(|&(_, weight)| weight))
            }
        };
        self.add(&chosen);
    }

    fn add(&mut self, chosen: &[f64]) {
        for (sum, part) in self.chosen.iter_mut().zip(chosen) {
            *sum += part;
        }
    }

    /// Leaves score 1..=alpha: one jump per score, and one for each end of the game.
    fn run_steps(&mut self, alpha: u32) -> Result<(), Stopped> {
        let step = |i: u32| ScorePoint {
            below: f64::from(i) / f64::from(alpha),
            above: f64::from(alpha - i) / f64::from(alpha),
            draw: if 2 * u64::from(i) > u64::from(alpha) {
                1.0
            } else {
                0.0
            },
        };
        // With even alpha a draw lies between two scores.
        let split = (alpha.is_multiple_of(2)).then_some(ScorePoint::AFTER_DRAW);
        let lower = (0..=alpha / 2).map(step);
        let mut points = lower
            .chain(split)
            .chain((alpha / 2 + 1..=alpha).map(step))
            .peekable();
        let mut before = vec![0.0; self.chosen.len()];
        while points.peek().is_some() {
            // Past the last score nothing jumps.
            let batch = from_fn(|_| points.next().unwrap_or(ScorePoint::WIN));
            let rows = self.evaluate(&batch)?;
            for lane in 0..LANES {
                let after = column(&rows, lane);
                self.jump(&before, &after);
                before = after;
            }
        }
        self.jump(&before, &vec![1.0; before.len()]);
        Ok(())
    }

    fn run_continuously(&mut self, tolerance: f64) -> Result<(), Stopped> {
        let ends = [
            ScorePoint::LOSS,
            ScorePoint::BEFORE_DRAW,
            ScorePoint::AFTER_DRAW,
            ScorePoint::WIN,
        ];
        let rows = self.evaluate(&from_fn(|lane| ends[lane % ends.len()]))?;
        let [loss, before_draw, after_draw, win] = from_fn(|lane| column(&rows, lane));
        self.jump(&vec![0.0; loss.len()], &loss);
        self.jump(&before_draw, &after_draw);
        self.jump(&win, &vec![1.0; win.len()]);
        // If every move loses, or one wins, that was all.
        if product(&loss) == 1.0 || product(&win) == 0.0 {
            return Ok(());
        }
        let [from, to] = self.window(tolerance / 8.0)?;
        self.error += tolerance / 4.0;
        let draws = before_draw != after_draw && from < 0.0 && to > 0.0;
        let stretches = if draws {
            vec![[from, 0.0], [0.0, to]]
        } else {
            vec![[from, to]]
        };
        self.run_panels(stretches, tolerance * 0.75)
    }

    /// The interval of logits outside of which, on each side, the best score lies with at most this probability.
    fn window(&mut self, outside: f64) -> Result<[f64; 2], Stopped> {
        // The ends of the window lie between these, on a scale that is finest around 0.
        let (mut from, mut to) = ([-FARTHEST, FARTHEST], [-FARTHEST, FARTHEST]);
        let unknown = |from: [f64; 2], to: [f64; 2]| (from[1] - from[0]).max(to[1] - to[0]);
        while unknown(from, to) > FINE && unknown(from, to) > (to[1] - from[0]) / 8.0 {
            let within = |[start, end]: [f64; 2], step: usize| {
                start + (end - start) * (step + 1) as f64 / (LANES / 2 + 1) as f64
            };
            let at = from_fn(|lane| match lane / (LANES / 2) {
                0 => within(from, lane),
                _ => within(to, lane % (LANES / 2)),
            });
            let rows = self.evaluate(&at.map(|at| ScorePoint::at_logit(at.sinh())))?;
            for (lane, at) in at.into_iter().enumerate() {
                let best_below = product(&column(&rows, lane));
                narrow(&mut from, at, best_below <= outside);
                narrow(&mut to, at, 1.0 - best_below > outside);
            }
        }
        Ok([from[0].sinh(), to[1].sinh()])
    }

    /// Bisects until all panels together change by at most `tolerance`.
    fn run_panels(&mut self, stretches: Vec<[f64; 2]>, tolerance: f64) -> Result<(), Stopped> {
        let whole: Vec<Panel> = stretches
            .into_iter()
            .map(|[from, to]| self.panel(from, to))
            .collect::<Result<_, _>>()?;
        let halved = whole.iter().map(|panel| self.halve(panel));
        let mut panels: Vec<Halved> = halved.collect::<Result<_, _>>()?;
        let change = |panels: &[Halved]| panels.iter().map(|panel| panel.change).sum::<f64>();
        while change(&panels) > tolerance && panels.len() < MOST_PANELS {
            let fair = tolerance / panels.len() as f64;
            let (settled, open): (Vec<_>, Vec<_>) =
                panels.into_iter().partition(|panel| panel.change <= fair);
            panels = settled;
            let halves = open.iter().flat_map(|panel| &panel.halves);
            for half in halves {
                panels.push(self.halve(half)?);
            }
        }
        self.error += change(&panels);
        for half in panels.iter().flat_map(|panel| &panel.halves) {
            self.add(&half.chosen);
        }
        Ok(())
    }

    fn halve(&mut self, panel: &Panel) -> Result<Halved, Stopped> {
        let middle = f64::midpoint(panel.from, panel.to);
        let halves = [
            self.panel(panel.from, middle)?,
            self.panel(middle, panel.to)?,
        ];
        let [left, right] = &halves;
        let both = left
            .chosen
            .iter()
            .zip(&right.chosen)
            .map(|(left, right)| left + right);
        let change = panel
            .chosen
            .iter()
            .zip(both)
            .map(|(whole, both)| (whole - both).abs())
            .sum();
        Ok(Halved { halves, change })
    }

    fn panel(&mut self, from: f64, to: f64) -> Result<Panel, Stopped> {
        let half = (to - from) / 2.0;
        let values = self.evaluate(
            &PANEL
                .nodes
                .map(|node| ScorePoint::at_logit(from + half * (1.0 + node))),
        )?;
        let slopes: Vec<ScoreRow> = values.iter().map(|row| PANEL.derivative(row)).collect();
        // The width of the panel cancels between slope and weight.
        let chosen = best_within(&values, &slopes, PANEL.weights.iter().copied());
        Ok(Panel { from, to, chosen })
    }
}

/// Narrows a bracket, given whether the target lies after a point.
fn narrow(bracket: &mut [f64; 2], at: f64, after: bool) {
    if after {
        bracket[0] = bracket[0].max(at);
    } else {
        bracket[1] = bracket[1].min(at);
    }
}

fn column(rows: &[ScoreRow], lane: usize) -> Vec<f64> {
    rows.iter().map(|row| row[lane]).collect()
}

fn product(values: &[f64]) -> f64 {
    values.iter().product()
}
