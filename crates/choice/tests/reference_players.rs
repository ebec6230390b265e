//! The requirements of Haworth and Andrist (2004), appendix B, and theorems 1-5 of Haworth (2002), on
//! random profiles; and the Analyser's short cuts against the obvious computation.

use errare_choice::{
    Bounds, Grid, Kappa, Likelihood, Posterior, Preference, PriorShape, Profile, State,
    probabilities,
};
use proptest::prelude::*;

const DEEPEST_WIN: u16 = 31;
const DEEPEST_LOSS: u16 = 3;

/// All states, best first.
fn states() -> Vec<State> {
    let wins = (0..=DEEPEST_WIN).map(State::Win);
    let losses = (0..=DEEPEST_LOSS).rev().map(State::Loss);
    wins.chain([State::Draw]).chain(losses).collect()
}

fn kappa() -> impl Strategy<Value = Kappa> {
    (0.01..20.0).prop_map(|kappa: f64| kappa.to_string().parse().unwrap())
}

fn preference(kappa: Kappa) -> Preference {
    Preference::for_depths(kappa, DEEPEST_WIN, DEEPEST_LOSS)
}

/// Depths with weights, for a side that keeps its value.
fn depths() -> impl Strategy<Value = Vec<(u16, f64)>> {
    prop::collection::vec((0..100u16, prop_oneof![Just(1.0), 0.0..3.0]), 1..30)
        .prop_filter("something can be chosen", |options| {
            options.iter().any(|option| option.1 > 0.0)
        })
}

/// The expected depth after a move of R_c.
fn expected(options: &[(u16, f64)], state: fn(u16) -> State, kappa: Kappa, c: f64) -> f64 {
    let preference = Preference::for_depths(kappa, 100, 100);
    let pairs = options
        .iter()
        .map(|&(depth, weight)| (preference.aversion(state(depth)), weight));
    let depths = options.iter().map(|option| f64::from(option.0));
    let chances = probabilities(pairs, c);
    depths
        .zip(chances)
        .map(|(depth, chance)| depth * chance)
        .sum()
}

/// Rounding error of a sum of a few dozen terms of size 100.
const ROUNDING: f64 = 1e-9;

#[test]
fn kqkr_has_37_states() {
    assert_eq!(states().len(), 37, "Haworth and Andrist (2004), p. 66");
}

proptest! {
    #[test]
    fn preferences_meet_the_requirements(kappa in kappa(), c in 0.1..60.0) {
        let preference = preference(kappa);
        let g = |state| preference.aversion(state);
        // S = exp(-c g) is finite and positive; log S falls along the states, by more for greater c.
        for pair in states().windows(2) {
            let difference = g(pair[1]) - g(pair[0]);
            prop_assert!(g(pair[0]).is_finite() && difference > 0.0, "{pair:?}");
        }
        // S(draw) = S(win, n1) = S(loss, n2).
        prop_assert_eq!(g(State::Draw), g(State::Win(DEEPEST_WIN + 1)));
        let loss = g(State::Loss(DEEPEST_LOSS + 1));
        prop_assert!((g(State::Draw) - loss).abs() < 1e-12);
        // W(d) and L(d) fall towards 1.
        let log_ratio = |a: State, b: State| c * (g(b) - g(a));
        for d in 0..1000 {
            let w = |d| log_ratio(State::Win(d), State::Win(d + 1));
            let l = |d| log_ratio(State::Loss(d + 1), State::Loss(d));
            prop_assert!(w(d) > w(d + 1) && w(d + 1) > 0.0);
            prop_assert!(l(d) > l(d + 1) && l(d + 1) > 0.0);
        }
        prop_assert!(log_ratio(State::Win(60_000), State::Win(60_001)) < c / 60_000.0);
    }

    #[test]
    fn r_0_is_random_and_infinite_players_are_pure(kappa in kappa(), weights in prop::collection::vec(0.1..3.0, 37)) {
        let preference = preference(kappa);
        let aversions: Vec<_> = states().into_iter().map(|s| preference.aversion(s)).collect();
        let pairs = || aversions.iter().copied().zip(weights.iter().copied());
        let sum: f64 = weights.iter().sum();
        for (chance, weight) in probabilities(pairs(), 0.0).into_iter().zip(&weights) {
            prop_assert!((chance - weight / sum).abs() < 1e-15);
        }
        let best = probabilities(pairs(), f64::INFINITY);
        let worst = probabilities(pairs(), f64::NEG_INFINITY);
        prop_assert_eq!((best[0], worst[36]), (1.0, 1.0));
    }

    /// Expectations of the state and of the value are no worse for greater c.
    #[test]
    fn competence_is_a_linear_order(kappa in kappa(), c in -50.0..50.0, more in 0.0..50.0,
        weights in prop::collection::vec(0.0..3.0, 37)) {
        let preference = preference(kappa);
        let pairs = || states().into_iter().map(|s| preference.aversion(s)).zip(weights.iter().copied());
        let mean = |c: f64, f: &dyn Fn(usize) -> f64| -> f64 {
            probabilities(pairs(), c).iter().enumerate().map(|(i, p)| p * f(i)).sum()
        };
        let (number, value) = (|i: usize| i as f64, |i: usize| f64::from(states()[i].value()));
        prop_assert!(mean(c + more, &number) <= mean(c, &number) + ROUNDING);
        prop_assert!(mean(c + more, &value) >= mean(c, &value) - ROUNDING);
    }

    /// Theorems 1 and 3, with the weights of theorem 5.
    #[test]
    fn expected_depth_is_monotone(options in depths(), kappa in kappa(), c in -50.0..50.0) {
        let loser = |c| expected(&options, State::Loss, kappa, c);
        prop_assert!(loser(c) <= loser(c + 1.0) + ROUNDING);
        let winner = |c| expected(&options, State::Win, kappa, c);
        prop_assert!(winner(c) >= winner(c + 1.0) - ROUNDING);
    }

    /// Theorems 2 and 4, with the weights of theorem 5.
    #[test]
    fn expected_depth_tends_to_the_best(options in depths(), kappa in kappa()) {
        let possible = || options.iter().filter(|option| option.1 > 1e-6).map(|option| option.0);
        prop_assume!(possible().count() == options.iter().filter(|option| option.1 > 0.0).count());
        let (least, greatest) = (possible().min().unwrap(), possible().max().unwrap());
        let loser = expected(&options, State::Loss, kappa, 1e5);
        prop_assert!((loser - f64::from(greatest)).abs() < 1e-6);
        let winner = expected(&options, State::Win, kappa, 1e5);
        prop_assert!((winner - f64::from(least)).abs() < 1e-6);
    }

    /// As κ grows R_c tends to R_0 (section 4.2 of Haworth and Andrist 2004).
    #[test]
    fn kappa_blurs(options in depths(), c in 0.0..30.0) {
        let kappa = |text: &str| text.parse().unwrap();
        let winner = |k: &str| expected(&options, State::Win, kappa(k), c);
        prop_assert!(winner("1") <= winner("5") + ROUNDING);
        let random = expected(&options, State::Win, kappa("1"), 0.0);
        prop_assert!((winner("1e9") - random).abs() < 1e-3);
    }

    #[test]
    fn the_grid_agrees_with_the_obvious(turns in prop::collection::vec((depths(), any::<prop::sample::Index>()), 1..40),
        kappa in prop_oneof![Just(Kappa::ZERO), kappa()]) {
        let grid: Grid = "-3(0.25)60".parse().unwrap();
        let preference = Preference::for_depths(kappa, 100, 100);
        let mut posterior = Posterior::new(grid, &PriorShape::Normal { mean: 20.0, sd: 9.0 });
        let mut obvious: Vec<f64> = grid.points().map(|c| -((c - 20.0) / 9.0f64).powi(2) / 2.0).collect();
        for (options, choice) in &turns {
            let pairs: Vec<_> = options
                .iter()
                .map(|&(depth, weight)| (preference.aversion(State::Win(depth)), weight))
                .collect();
            let possible: Vec<_> = pairs.iter().filter(|pair| pair.1 > 0.0).collect();
            let chosen = choice.get(&possible).0;
            let profile = Profile::new(pairs.iter().copied());
            posterior.observe(&profile, chosen);
            if profile.is_informative() {
                for (log, c) in obvious.iter_mut().zip(grid.points()) {
                    *log += profile.log_probability(c, chosen);
                }
            }
        }
        let normalised = |logs: Vec<f64>| {
            let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            logs.into_iter().map(|log| log - most).collect::<Vec<_>>()
        };
        if obvious.iter().all(|&log| log == f64::NEG_INFINITY) {
            prop_assert!(posterior.summary().is_none());
            return Ok(());
        }
        let pairs = normalised(obvious).into_iter().zip(normalised(posterior.log_weights()));
        for (expected, found) in pairs {
            let close = (expected - found).abs() <= 1e-8 * (1.0 + expected.abs());
            prop_assert!(close || expected == found, "{expected} {found}");
        }
    }

    #[test]
    fn the_continuous_analyser_agrees_with_a_fine_grid(
        turns in prop::collection::vec((depths(), any::<prop::sample::Index>()), 1..40)) {
        let grid: Grid = "0(0.01)50".parse().unwrap();
        let preference = Preference::for_depths(Kappa::ONE, 100, 100);
        let mut posterior = Posterior::new(grid, &PriorShape::Uniform);
        let mut likelihood = Likelihood::default();
        for (options, choice) in &turns {
            let pairs: Vec<_> = options
                .iter()
                .filter(|option| option.1 > 0.0)
                .map(|&(depth, weight)| (preference.aversion(State::Win(depth)), weight))
                .collect();
            let chosen = choice.get(&pairs).0;
            let profile = Profile::new(pairs);
            posterior.observe(&profile, chosen);
            likelihood.observe(&profile, chosen);
        }
        let grid = posterior.summary().unwrap();
        let exact = likelihood.summary(Bounds { min: 0.0, max: 50.0 }, &PriorShape::Uniform).unwrap();
        // A grid gives its ends the weight of a whole step, and the posterior may lie there.
        prop_assert!((grid.mean - exact.mean).abs() < 6e-3, "{grid:?} {exact:?}");
        prop_assert!((grid.sd - exact.sd).abs() < 6e-3, "{grid:?} {exact:?}");
        prop_assert!((grid.mode - exact.mode).abs() < 6e-3, "{grid:?} {exact:?}");
        prop_assert!((grid.low - exact.low).abs() < 0.02, "{grid:?} {exact:?}");
        prop_assert!((grid.high - exact.high).abs() < 0.02, "{grid:?} {exact:?}");
    }
}

/// With κ = 0+ a player who passes up an immediate win is a random player or worse.
#[test]
fn infinite_preferences_are_a_limit() {
    let preference = Preference::for_depths(Kappa::ZERO, 31, 3);
    let g = |state| preference.aversion(state);
    let options = [State::Win(0), State::Win(3), State::Draw].map(g);
    let profile = Profile::new(options.map(|aversion| (aversion, 1.0)));
    assert_eq!(profile.probabilities(2.0), [1.0, 0.0, 0.0]);
    assert_eq!(profile.probabilities(0.0), [1.0 / 3.0; 3]);
    assert_eq!(profile.probabilities(-1.0)[0], 0.0);

    let mut posterior = Posterior::new("0(1)50".parse().unwrap(), &PriorShape::Uniform);
    posterior.observe(&profile, g(State::Win(3)));
    assert_eq!(posterior.summary().unwrap().mean, 0.0);
    let mut positive = Posterior::new("1(1)50".parse().unwrap(), &PriorShape::Uniform);
    positive.observe(&profile, g(State::Win(3)));
    assert!(positive.summary().is_none());
}

/// With κ = 0+ no player with c > 0 loses at once; its other errors are as before.
#[test]
fn infinite_dislikes_leave_the_rest_to_be_judged() {
    let preference = Preference::for_depths(Kappa::ZERO, 31, 31);
    let g = |depth| preference.aversion(State::Loss(depth));
    let profile = Profile::new([0, 3, 9].map(|depth| (g(depth), 1.0)));
    let mut posterior = Posterior::new("0.01(0.01)50".parse().unwrap(), &PriorShape::Uniform);
    let mut likelihood = Likelihood::default();
    for chosen in [3, 9, 9, 9] {
        posterior.observe(&profile, g(chosen));
        likelihood.observe(&profile, g(chosen));
    }
    let bounds = Bounds {
        min: 0.01,
        max: 50.0,
    };
    let exact = likelihood.summary(bounds, &PriorShape::Uniform).unwrap();
    // Three times out of four the better of two: 3^c = 3.
    assert!((exact.mode - 1.0).abs() < 1e-9, "{exact:?}");
    assert!((posterior.summary().unwrap().mode - exact.mode).abs() < 6e-3);
}

/// A posterior may be the prior of the next game.
#[test]
fn posteriors_add_up() {
    let preference = Preference::for_depths(Kappa::ONE, 31, 3);
    let g = |depth| preference.aversion(State::Win(depth));
    let turns = [([3, 4, 9], 4), ([7, 7, 8], 7), ([12, 20, 13], 20)];
    let grid: Grid = "0(1)50".parse().unwrap();
    let mut whole = Posterior::new(grid, &PriorShape::Uniform);
    let mut parts = whole.clone();
    for (depths, chosen) in turns {
        let profile = Profile::new(depths.map(|depth| (g(depth), 1.0)));
        whole.observe(&profile, g(chosen));
        parts = parts.as_prior();
        parts.observe(&profile, g(chosen));
    }
    let (whole, parts) = (whole.summary().unwrap(), parts.summary().unwrap());
    assert!((whole.mean - parts.mean).abs() < 1e-12);
}
