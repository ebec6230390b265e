//! Human-like timing: longer where the choice is hard, none where there is no choice.
//!
//! The difficulty of a choice is the entropy of the moves' probabilities divided by that of as many equal ones, from 0 (one
//! move is certain) to 1. The probabilities are the player's own if its choice is random, otherwise those of R_20, a player of
//! middling skill. A move takes the usual share of the clock times 0.2 to 2, by difficulty, times a log-uniform random factor
//! between one half and two. It never takes more than the budget.

use std::time::Duration;

use errare_choice::probabilities;
use errare_endgame::Weighting;
use errare_players::{Chosen, Judgement};
use shakmaty::{Chess, Position};

use super::Limits;

/// The c of the player whose doubts stand in for those of a player that has none.
const MIDDLING: f64 = 20.0;

/// The total time that a move should take; `chance` is a random number from 0 to 1.
pub(super) fn human(chosen: &Chosen, position: &Chess, limits: &Limits, chance: f64) -> Duration {
    let (Some(usual), Some(budget)) = (limits.usual(), limits.by_clock()) else {
        return Duration::ZERO;
    };
    if position.legal_moves().len() == 1 {
        return Duration::ZERO;
    }
    let scatter = 2f64.powf(2.0 * chance - 1.0);
    let time = usual.mul_f64((0.2 + 1.8 * difficulty(chosen)) * scatter);
    time.min(budget.mul_f64(0.9))
}

/// From 0 for a certain move to 1 for a choice among equals.
fn difficulty(chosen: &Chosen) -> f64 {
    let own: Vec<f64> = chosen.chances.iter().map(|(_, chance)| *chance).collect();
    let doubts = own.iter().any(|chance| *chance > 0.0 && *chance < 1.0);
    match (&chosen.judgement, doubts) {
        (_, true) => entropy(&own),
        (Some(Judgement::Tables { turn, .. }), false) => {
            let options = Weighting::keeping_value().options(turn, Default::default());
            entropy(&probabilities(options, MIDDLING))
        }
        (Some(Judgement::Engine(list)), false) => entropy(&probabilities(list.options(), MIDDLING)),
        (None, false) => 0.5,
    }
}

fn entropy(chances: &[f64]) -> f64 {
    if chances.len() < 2 {
        return 0.0;
    }
    let possible = chances.iter().filter(|chance| **chance > 0.0);
    let entropy: f64 = possible.map(|chance| -chance * chance.ln()).sum();
    entropy / (chances.len() as f64).ln()
}

#[cfg(test)]
mod tests {
    use errare_core::parse_position;

    use super::*;
    use crate::seat::Clock;

    /// Whatever the clock shows, there is time left after a move, and no time is spent where there is no choice.
    #[test]
    fn nobody_loses_on_time_by_waiting() {
        let free = Chess::default();
        let forced = parse_position("7k/8/8/8/8/8/6q1/7K w - - 0 1").expect("a position");
        for milliseconds in [0, 1, 5, 50, 500, 5_000, 500_000] {
            let limits = Limits {
                clock: Some(Clock {
                    left: Duration::from_millis(milliseconds),
                    increment: Duration::from_millis(milliseconds / 10),
                    moves_to_go: (milliseconds == 50).then_some(1),
                }),
                overhead: Duration::from_millis(30),
                ..Limits::default()
            };
            for chance in [0.0, 0.5, 1.0] {
                let time = |position: &Chess| {
                    let chosen = Chosen::by_rules(position.legal_moves()[0]);
                    human(&chosen, position, &limits, chance)
                };
                let most = Duration::from_millis((milliseconds / 2).max(1));
                assert!(time(&free) <= most, "{milliseconds} ms");
                assert_eq!(time(&forced), Duration::ZERO);
            }
        }
    }

    #[test]
    fn harder_choices_take_longer() {
        assert_eq!(entropy(&[1.0, 0.0, 0.0]), 0.0);
        assert!((entropy(&[0.25; 4]) - 1.0).abs() < 1e-12);
        assert!(entropy(&[0.9, 0.1]) < entropy(&[0.6, 0.4]));
        assert_eq!(entropy(&[1.0]), 0.0);
    }
}
