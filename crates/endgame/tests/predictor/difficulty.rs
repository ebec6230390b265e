//! How difficult endgames are.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{Difficulty, Predictor, Values};
use shakmaty::Color;

use crate::tables::{endgame, oracle};

/// Theorem 7 of Haworth (2002): there is a c*. It is not "quite small": 19.1 for KQKR.
#[test]
fn kqkr_asks_for_19() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept).unwrap();
    let found = Difficulty::of(&predictor, Metric::Dtc, Color::White, 50, &())
        .unwrap()
        .unwrap();
    let c_star = found.c_star.unwrap();
    assert!((c_star - 19.1).abs() < 0.05, "{c_star}");
    assert_eq!(found.deepest, 31);

    // Just above c* the expected depth falls everywhere, just below it not at the hardest depth.
    let matrices = predictor
        .matrices(Color::White, &[c_star + 1e-3, c_star - 1e-3], &())
        .unwrap();
    let hardest = found.hardest_depth.unwrap();
    for depth in 1..=31 {
        assert!(matrices[0].expected_depth(depth) < f64::from(depth));
    }
    assert!(matrices[1].expected_depth(hardest) > f64::from(hardest));

    // w*_d never falls with d and ends with c*.
    assert!(
        found
            .progress
            .iter()
            .all(|progress| progress.here <= progress.down)
    );
    assert!(found.progress.is_sorted_by_key(|progress| progress.down));
    assert_eq!(found.progress.last().unwrap().down, found.c_star);

    let even = found.even_chance.unwrap();
    let chain = &predictor
        .chains(Color::White, &[even], f64::INFINITY, &())
        .unwrap()[0];
    assert!((chain.win_within(50)[31] - 0.5).abs() < 1e-3);
    assert!(found.curve.is_sorted_by_key(|point| point.competence));
    assert!(
        found
            .verdict()
            .starts_with("KQKR: R_c makes progress at every depth from c = 19.1")
    );
}

#[test]
fn a_side_without_wins_has_no_difficulty() {
    let oracle = oracle("KQK", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQK"), Kappa::ONE, Values::Kept).unwrap();
    let found = Difficulty::of(&predictor, Metric::Dtc, Color::Black, 50, &()).unwrap();
    assert_eq!(found, None);
}
