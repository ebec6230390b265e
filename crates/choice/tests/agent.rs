//! Laws of the model agents.

use errare_choice::{Agent, ChoiceProbabilities, Curve, Link, Parameter};
use proptest::prelude::*;

fn curve() -> impl Strategy<Value = Curve> {
    prop::sample::select(Curve::ALL.to_vec())
}

fn link() -> impl Strategy<Value = Link> {
    prop_oneof![
        Just(Link::LogLog),
        Just(Link::Norm),
        (0.0..=1.0).prop_map(|lambda| Link::Blend { lambda }),
    ]
}

/// Any agent, including ones unlike any human.
fn agent() -> impl Strategy<Value = Agent> {
    let skill = (-9.0..5.0, -4.0..3.0);
    (curve(), link(), skill).prop_map(|(curve, link, (log_s, log_c))| Agent {
        curve,
        link,
        s: f64::exp(log_s),
        c: f64::exp(log_c),
        weights: Vec::new(),
    })
}

/// Costs of 1 to 218 options, as many as a chess position can have; the best costs nothing.
fn costs() -> impl Strategy<Value = Vec<f64>> {
    let cost = prop_oneof![0.0..1.7, Just(0.0), Just(1.6), 0.0..1e-6];
    prop::collection::vec(cost, 1..219).prop_map(|mut costs| {
        costs[0] = 0.0;
        costs
    })
}

fn logarithms(costs: &[f64]) -> Vec<f64> {
    costs.iter().map(|cost| cost.ln()).collect()
}

/// z by bisection, from the formula as printed: sum of exp(-z / y_i) is 1.
fn plain(agent: &Agent, costs: &[f64]) -> Vec<f64> {
    let y: Vec<f64> = costs
        .iter()
        .map(|&cost| agent.curve.proxy(cost, agent.s, agent.c))
        .collect();
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..200 {
        let z = 0.5 * (low + high);
        if y.iter().map(|y| (-z / y).exp()).sum::<f64>() > 1.0 {
            low = z;
        } else {
            high = z;
        }
    }
    let sum: f64 = y.iter().sum();
    let lambda = agent.link.lambda();
    let blend = |y: &f64| (1.0 - lambda) * (-low / y).exp() + lambda * y / sum;
    y.iter().map(blend).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn probabilities_add_up(agent in agent(), costs in costs()) {
        let p = agent.probabilities(&costs);
        let sum: f64 = p.iter().sum();
        prop_assert!((sum - 1.0).abs() < 1e-12, "{}", sum - 1.0);
        prop_assert!(p.iter().all(|p| (0.0..=1.0).contains(p)));
    }

    #[test]
    fn what_costs_more_is_chosen_less(agent in agent(), costs in costs()) {
        let p = agent.probabilities(&costs);
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by(|&i, &j| costs[i].total_cmp(&costs[j]));
        for pair in order.windows(2) {
            let (cheap, dear) = (p[pair[0]], p[pair[1]]);
            prop_assert!(dear <= cheap * (1.0 + 1e-12), "{cheap} {dear}");
        }
    }

    #[test]
    fn the_plain_twin_agrees(agent in agent(), costs in costs()) {
        for (ours, theirs) in agent.probabilities(&costs).iter().zip(plain(&agent, &costs)) {
            prop_assert!((ours - theirs).abs() < 1e-11, "{ours} {theirs}");
        }
    }

    #[test]
    fn the_order_of_options_does_not_matter(agent in agent(), mut costs in costs()) {
        let mut p = agent.probabilities(&costs);
        costs.reverse();
        p.reverse();
        for (p, q) in p.iter().zip(agent.probabilities(&costs)) {
            prop_assert!((p - q).abs() < 1e-12);
        }
    }

    /// With s and c in the range of human players, on one level and on two. A slope lies between
    /// the differences on either side of it, even where the cap on reluctance bends the curve.
    #[test]
    fn slopes_are_differences(
        curve in curve(),
        link in link(),
        s in 0.05..0.3,
        c in 0.3..1.2,
        weight in 0.1..0.9,
        costs in prop::collection::vec((0.001..1.6, 0.001..1.6), 2..40),
        two in any::<bool>(),
    ) {
        let (mut deep, mut shallow): (Vec<f64>, Vec<f64>) = costs.into_iter().unzip();
        deep[0] = 0.0;
        *shallow.last_mut().unwrap() = 0.0;
        let levels = [logarithms(&deep), logarithms(&shallow)];
        let levels: Vec<&[f64]> = levels.iter().take(if two { 2 } else { 1 }).map(|l| &l[..]).collect();
        let weights = if two { vec![weight, 1.0 - weight] } else { Vec::new() };
        let agent = Agent { curve, link, s, c, weights };
        let mut parameters = vec![Parameter::LogS, Parameter::LogC];
        parameters.extend(two.then_some(Parameter::Weight(1)));
        if matches!(link, Link::Blend { lambda } if lambda > 0.01 && lambda < 0.99) {
            parameters.push(Parameter::Lambda);
        }
        let mut choice = ChoiceProbabilities::default();
        choice.make(&agent, &levels, &parameters);
        let step = 1e-5;
        for (number, &parameter) in parameters.iter().enumerate() {
            let (mut above, mut below) = (ChoiceProbabilities::default(), ChoiceProbabilities::default());
            above.make(&moved(&agent, parameter, step), &levels, &[]);
            below.make(&moved(&agent, parameter, -step), &levels, &[]);
            for (i, &slope) in choice.slopes(number).iter().enumerate() {
                let here = choice.log_probability(i);
                let ahead = (above.log_probability(i) - here) / step;
                let behind = (here - below.log_probability(i)) / step;
                let slack = 1e-4 * (1.0 + slope.abs());
                prop_assert!(
                    slope > ahead.min(behind) - slack && slope < ahead.max(behind) + slack,
                    "{parameter:?} {i}: {slope}, not between {behind} and {ahead}"
                );
            }
        }
    }
}

fn moved(agent: &Agent, parameter: Parameter, step: f64) -> Agent {
    let mut agent = agent.clone();
    match parameter {
        Parameter::LogS => agent.s *= step.exp(),
        Parameter::LogC => agent.c *= step.exp(),
        Parameter::Weight(level) => agent.weights[level] += step,
        Parameter::Lambda => {
            agent.link = Link::Blend {
                lambda: agent.link.lambda() + step,
            };
        }
    }
    agent
}

/// Section 1: if five moves are nearly equal and the others far worse, each of the five has about
/// 20 %.
#[test]
fn five_equal_moves_share() {
    let costs = [0.0, 1e-4, 2e-4, 3e-4, 4e-4, 1.2, 1.3];
    let p = Agent::of_paper(0.08, 0.513).probabilities(&costs);
    assert!(p[..5].iter().all(|p| (0.18..0.23).contains(p)), "{p:?}");
    assert!(p[5] < 1e-9);
}

#[test]
fn impossible_agents_are_refused() {
    let good = Agent::of_paper(0.1, 0.5);
    assert_eq!(good.check(), Ok(()));
    for (s, c) in [
        (0.0, 0.5),
        (0.1, -1.0),
        (f64::NAN, 0.5),
        (0.1, f64::INFINITY),
    ] {
        assert!(Agent::of_paper(s, c).check().is_err());
    }
    let link = Link::Blend { lambda: 1.5 };
    assert!(
        Agent {
            link,
            ..good.clone()
        }
        .check()
        .is_err()
    );
    let weights = vec![0.5, 0.6];
    assert!(Agent { weights, ..good }.check().is_err());
}
