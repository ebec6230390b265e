//! The slow, obvious way: no slopes, no chunks, a search that only compares.

use errare_choice::{Agent, Curve, Link};
use errare_rating::{AgentModel, Convergence, Estimator, Fit, Projection, Sample};

use crate::positions::{play, positions};

/// The objectives in the words of section 6 of the paper.
fn objective(sample: &Sample, agent: &Agent, estimator: Estimator) -> f64 {
    let turns: Vec<_> = (0..sample.turns()).map(|turn| sample.turn(turn)).collect();
    let count = turns.len() as f64;
    let p: Vec<Vec<f64>> = turns
        .iter()
        .map(|turn| agent.probabilities(turn.costs))
        .collect();
    let each = || turns.iter().zip(&p);
    match estimator {
        Estimator::Likelihood => each().map(|(turn, p)| -p[turn.played].ln()).sum::<f64>() / count,
        Estimator::Percentile => (0..=20)
            .map(|step| {
                let q = f64::from(step) * 0.05;
                let up = |(turn, p): (&errare_rating::Observation, &Vec<f64>)| {
                    let minus: f64 = p[..turn.played].iter().sum();
                    let plus = minus + p[turn.played];
                    if plus <= q {
                        1.0
                    } else if minus >= q {
                        0.0
                    } else {
                        (q - minus) / (plus - minus)
                    }
                };
                (each().map(up).sum::<f64>() / count - q).powi(2)
            })
            .sum(),
        Estimator::MmAd => {
            let matched = turns.iter().filter(|turn| turn.played == 0).count() as f64;
            let mm = p.iter().map(|p| p[0]).sum::<f64>() - matched;
            let ad: f64 = each()
                .map(|(turn, p)| {
                    let mean: f64 = p.iter().zip(turn.costs).map(|(p, cost)| p * cost).sum();
                    mean - turn.costs[turn.played]
                })
                .sum();
            (mm / count / 0.5).powi(2) + (ad / count / 0.15).powi(2)
        }
    }
}

/// The best of a grid, then of ever finer ones around it.
fn search(sample: &Sample, estimator: Estimator, curve: Curve, link: Link) -> Agent {
    let agent = |s, c| Agent {
        curve,
        link,
        ..Agent::of_paper(s, c)
    };
    let mut best = (f64::INFINITY, 0.1_f64.ln(), 0.5_f64.ln());
    let mut width = 1.0;
    while width > 1e-6 {
        let (_, log_s, log_c) = best;
        for i in -3..=3 {
            for j in -3..=3 {
                let (log_s, log_c) = (
                    log_s + width * f64::from(i) / 3.0,
                    log_c + width * f64::from(j) / 3.0,
                );
                let value = objective(sample, &agent(log_s.exp(), log_c.exp()), estimator);
                if value < best.0 {
                    best = (value, log_s, log_c);
                }
            }
        }
        if (best.1, best.2) == (log_s, log_c) {
            width *= 0.4;
        }
    }
    agent(best.1.exp(), best.2.exp())
}

#[test]
fn fits_are_those_of_the_twin() {
    let sample = play(&positions(150, 3), &Agent::of_paper(0.12, 0.5), 4);
    for estimator in Estimator::ALL {
        let fit = Fit::new(&sample, &AgentModel::of_paper(), estimator).unwrap();
        assert_eq!(fit.convergence, Convergence::Converged);
        let twin = search(&sample, estimator, Curve::InverseExponential, Link::LogLog);
        let ours = objective(&sample, &fit.agent, estimator);
        assert!((fit.objective - ours).abs() < 1e-12, "{estimator}");
        let theirs = objective(&sample, &twin, estimator);
        // The percentile objective has kinks, and so several minima, much nearer to each other than
        // their errors.
        let (worse, apart) = match estimator {
            Estimator::Percentile => (1.05, 0.2),
            _ => (1.0 + 1e-9, 1e-3),
        };
        assert!(
            ours <= theirs * worse + 1e-12,
            "{estimator} {ours} {theirs}"
        );
        let z_s = (fit.agent.s - twin.s) / fit.s_error().unwrap();
        let z_c = (fit.agent.c - twin.c) / fit.c_error().unwrap();
        assert!(
            z_s.abs() < apart && z_c.abs() < apart,
            "{estimator} {z_s} {z_c}"
        );
    }
}

#[test]
fn all_curves_and_links_can_be_fitted() {
    let sample = play(&positions(600, 5), &Agent::of_paper(0.12, 0.5), 6);
    for curve in Curve::ALL {
        for link in [Link::LogLog, Link::Norm] {
            let fit = Fit::new(
                &sample,
                &AgentModel::new(curve, link),
                Estimator::Likelihood,
            )
            .unwrap();
            assert_eq!(fit.convergence, Convergence::Converged, "{curve} {link}");
            for factor in [0.99, 1.01] {
                let mut other = fit.agent.clone();
                other.s *= factor;
                let worse = objective(&sample, &other, Estimator::Likelihood);
                assert!(worse > fit.objective, "{curve} {link}");
                other = fit.agent.clone();
                other.c *= factor;
                let worse = objective(&sample, &other, Estimator::Likelihood);
                assert!(worse > fit.objective, "{curve} {link}");
            }
        }
    }
}

#[test]
fn projections_are_those_of_the_twin() {
    let agent = Agent::of_paper(0.1, 0.5);
    let sample = play(&positions(300, 7), &Agent::of_paper(0.15, 0.45), 8);
    let projection = Projection::new(&sample, &agent);
    let (mut mm, mut ad, mut variance) = (0.0, 0.0, 0.0);
    let mut ranks = vec![0.0; 50];
    for turn in 0..sample.turns() {
        let turn = sample.turn(turn);
        let p = agent.probabilities(turn.costs);
        mm += p[0];
        for ((rank, p), cost) in p.iter().enumerate().zip(turn.costs) {
            ad += p * cost;
            ranks[rank] += p;
            for (q, other) in agent.probabilities(turn.costs).iter().zip(turn.costs) {
                variance += 0.5 * p * q * (cost - other).powi(2);
            }
        }
        ranks[turn.played] -= 1.0;
    }
    let turns = sample.turns() as f64;
    assert!((projection.mm.projected - mm / turns).abs() < 1e-12);
    assert!((projection.ad.projected - ad / turns).abs() < 1e-12);
    assert!((projection.ad.sd - variance.sqrt() / turns).abs() < 1e-12);
    let q_fit = ranks.iter().map(|rank| (rank / turns).powi(2)).sum::<f64>() * 1e4 / 50.0;
    assert!((projection.q_fit - q_fit).abs() < 1e-9);
    for (estimator, ours) in [
        (Estimator::Likelihood, projection.log_loss),
        (Estimator::Percentile, projection.percentile),
    ] {
        assert!((ours - objective(&sample, &agent, estimator)).abs() < 1e-12);
    }
}

#[test]
fn who_never_errs_has_no_finite_fit() {
    let model = AgentModel::of_paper().with_c(0.5);
    let fit = Fit::new(&positions(60, 9), &model, Estimator::Likelihood).unwrap();
    assert_ne!(fit.convergence, Convergence::Converged);
    assert!(Fit::new(&Sample::default(), &model, Estimator::Likelihood).is_err());
}
