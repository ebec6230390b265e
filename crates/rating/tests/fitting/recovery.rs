//! The parameters of simulated players are recovered.

use errare_choice::{Agent, Curve, Link};
use errare_rating::{AgentModel, Bootstrap, Convergence, Estimator, Fit};

use crate::positions::{play, positions, positions_at_two_depths};

/// Over fifty simulated players: estimates are within two standard errors nineteen times out of
/// twenty, and unbiased on the whole.
#[test]
fn all_estimators_recover_s_and_c() {
    const PLAYERS: u64 = 50;
    let agent = Agent::of_paper(0.12, 0.5);
    let turns = positions(800, 11);
    for estimator in Estimator::ALL {
        let (mut within, mut bias) = (0, [0.0; 2]);
        for player in 0..PLAYERS {
            let fit = Fit::new(
                &play(&turns, &agent, player),
                &AgentModel::of_paper(),
                estimator,
            )
            .unwrap();
            assert_eq!(fit.convergence, Convergence::Converged);
            let z_s = (fit.agent.s - agent.s) / fit.s_error().unwrap();
            let z_c = (fit.agent.c - agent.c) / fit.c_error().unwrap();
            within += [z_s, z_c].iter().filter(|z| z.abs() < 2.0).count();
            bias[0] += z_s;
            bias[1] += z_c;
        }
        let share = within as f64 / (2 * PLAYERS) as f64;
        println!("{estimator}: {share} within two errors, bias {bias:?}");
        assert!((0.90..=0.99).contains(&share), "{estimator}: {share}");
        assert!(
            bias.iter().all(|sum| sum.abs() / (PLAYERS as f64) < 0.4),
            "{bias:?}"
        );
    }
}

#[test]
fn the_blend_is_recovered() {
    let agent = Agent {
        link: Link::Blend { lambda: 0.3 },
        ..Agent::of_paper(0.1, 0.7)
    };
    let sample = play(&positions(20_000, 12), &agent, 13);
    let model = AgentModel::new(Curve::InverseExponential, Link::Blend { lambda: 0.2 });
    let fit = Fit::new(&sample, &model, Estimator::Likelihood).unwrap();
    let near = |found: f64, truth: f64, error: Option<f64>| {
        assert!(
            (found - truth).abs() < 2.0 * error.unwrap(),
            "{found} {truth} {error:?}"
        );
    };
    near(fit.agent.s, 0.1, fit.s_error());
    near(fit.agent.c, 0.7, fit.c_error());
    near(fit.lambda().unwrap(), 0.3, fit.lambda_error());
}

/// Section 8 of Regan and Haworth (2011): weaker players look less deep. The weights are about those
/// of real players of 2700, 2100 and 1800 on depth 10 beside depth 1.
#[test]
fn weights_of_depths_are_recovered() {
    let turns = positions_at_two_depths(8000, 16);
    let model = AgentModel {
        levels: 2,
        ..AgentModel::of_paper()
    };
    for (number, deep) in [0.81, 0.64, 0.46].into_iter().enumerate() {
        let agent = Agent {
            weights: vec![deep, 1.0 - deep],
            ..Agent::of_paper(0.12, 0.5)
        };
        let sample = play(&turns, &agent, 17 + number as u64);
        let fit = Fit::new(&sample, &model, Estimator::Likelihood).unwrap();
        assert_eq!(fit.convergence, Convergence::Converged);
        let [found, rest] = fit.agent.weights[..] else {
            panic!("there are two depths: {:?}", fit.agent);
        };
        println!("{deep}: {found}, s {} c {}", fit.agent.s, fit.agent.c);
        assert!((found + rest - 1.0).abs() < 1e-12);
        assert!((found - deep).abs() < 0.05, "{found} for {deep}");
        assert!((fit.agent.s - agent.s).abs() < 3.0 * fit.s_error().unwrap());
        // A model that sees only one depth takes the other for carelessness.
        let one = Fit::new(&sample, &AgentModel::of_paper(), Estimator::Likelihood).unwrap();
        assert!(one.objective > fit.objective);
    }
}

/// The bootstrap over games and the formula agree where turns are independent.
#[test]
fn bootstrap_and_formula_agree() {
    let sample = play(&positions(3000, 14), &Agent::of_paper(0.12, 0.5), 15);
    for estimator in Estimator::ALL {
        let fit = Fit::new(&sample, &AgentModel::of_paper(), estimator).unwrap();
        let bootstrap = Bootstrap::new(&sample, &fit, estimator, 200, 1, &()).unwrap();
        assert_eq!(bootstrap.failed, 0);
        let error = bootstrap.standard_error(|agent| agent.s).unwrap();
        let ratio = error / fit.s_error().unwrap();
        println!("{estimator}: {ratio}");
        assert!((0.8..1.25).contains(&ratio), "{estimator}: {ratio}");
        let again = Bootstrap::new(&sample, &fit, estimator, 200, 1, &()).unwrap();
        assert_eq!(bootstrap.agents, again.agents);
    }
}
