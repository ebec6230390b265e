//! Markov matrices and what follows from them.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{ChainState, Predictor, Values};
use shakmaty::Color;

use crate::tables::{endgame, oracle};

/// Haworth and Andrist (2004), section 6.2: from depth 31 97.20, 83.70 and 74.16 moves; section 6.3:
/// 12.67 %.
#[test]
fn published_lengths_of_kqkr() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept).unwrap();
    assert_eq!(
        (predictor.states().white, predictor.states().black),
        (31, 3)
    );
    let competences = [20.0, 0.0, 21.0, 22.0];
    let chains = predictor
        .chains(Color::White, &competences, f64::INFINITY)
        .unwrap();
    let lengths: Vec<f64> = chains.iter().map(|c| c.expected_moves()[31]).collect();
    println!("{lengths:?} {}", chains[0].win_within(50)[31]);
    println!("{}", chains[0].deviation()[31]);
}
