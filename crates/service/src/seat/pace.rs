//! Human-like timing: longer where the choice is hard, none where there is no choice.
//!
//! The difficulty of a choice is the entropy of the moves' probabilities in bits: 0 if one move is certain, 1 for two equal ones,
//! 5 for thirty-two. The probabilities are the player's own if its choice is random, otherwise those of R_20, a player of
//! middling skill. As in the law of Hick (1952) and Hyman (1953) for simpler choices, time grows linearly with the bits: a move
//! takes its share of the clock times 0.2 + 0.4 per bit, so that two bits, a usual choice, take a usual time. People are not
//! clocks: a random factor between two thirds and three halves is added. No move takes more than four shares, or half of the
//! clock.

use std::time::Duration;

use errare_choice::probabilities;
use errare_endgame::Weighting;
use errare_players::{Chosen, MoveValues};
use shakmaty::{Chess, Position};

use super::Limits;

/// The c of the player whose doubts stand in for those of a player that has none.
const MIDDLING: f64 = 20.0;
/// The time of a certain move, in usual times.
const CERTAIN: f64 = 0.2;
/// What a bit of doubt adds to it.
const PER_BIT: f64 = 0.4;
/// The difficulty of a usual choice, in bits: where nothing is known about the moves.
const USUAL: f64 = 2.0;
/// The greatest random factor; the least is its inverse.
const SCATTER: f64 = 1.5;

/// The total time that a move should take; `chance` is a random number from 0 to 1.
pub(super) fn human(chosen: &Chosen, position: &Chess, limits: &Limits, chance: f64) -> Duration {
    let Some([usual, most]) = limits.pace() else {
        return Duration::ZERO;
    };
    if position.legal_moves().len() == 1 {
        return Duration::ZERO;
    }
    let scatter = SCATTER.powf(2.0 * chance - 1.0);
    let time = usual.mul_f64((CERTAIN + PER_BIT * difficulty(chosen)) * scatter);
    time.min(most)
}

/// The bits of doubt in a choice.
fn difficulty(chosen: &Chosen) -> f64 {
    let own: Vec<f64> = chosen.chances.iter().map(|(_, chance)| *chance).collect();
    let doubts = own.iter().any(|chance| *chance > 0.0 && *chance < 1.0);
    match (&chosen.judgement, doubts) {
        (_, true) => entropy(&own),
        (Some(MoveValues::Tables { turn, .. }), false) => {
            let options = Weighting::keeping_value().options(turn, Default::default());
            entropy(&probabilities(options, MIDDLING))
        }
        (Some(MoveValues::Engine(list)), false) => {
            entropy(&probabilities(list.options(), MIDDLING))
        }
        (None, false) => USUAL,
    }
}

fn entropy(chances: &[f64]) -> f64 {
    let possible = chances.iter().filter(|chance| **chance > 0.0);
    possible.map(|chance| -chance * chance.log2()).sum()
}

#[cfg(test)]
mod tests {
    use errare_core::parse_position;
    use rand::RngExt;
    use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

    use super::*;
    use crate::seat::GameClock;

    /// The initial position and a choice in it with these probabilities.
    fn choice(chances: &[f64]) -> (Chess, Chosen) {
        let position = Chess::default();
        let moves = position.legal_moves();
        let mut chosen = Chosen::by_rules(moves[0]);
        chosen.chances = moves.into_iter().zip(chances.iter().copied()).collect();
        (position, chosen)
    }

    fn clock([left, increment]: [u64; 2], moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(GameClock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            overhead: Duration::from_millis(30),
            ..Limits::default()
        }
    }

    /// Games of 120 moves with several clocks: at the same clock, hard choices take several times as long as easy ones;
    /// hardly any are cut short; forced moves come at once; and time is left at the end.
    #[test]
    fn times_spread_by_difficulty_over_a_game() {
        let easy = choice(&[0.98, 0.02]);
        let usual = choice(&[0.4, 0.3, 0.2, 0.05, 0.05]);
        let hard = choice(&[1.0 / 20.0; 20]);
        let forced = parse_position("7k/8/8/8/8/8/6q1/7K w - - 0 1").expect("a position");
        let forced = (forced.clone(), Chosen::by_rules(forced.legal_moves()[0]));
        let mut rng = ChaCha8Rng::seed_from_u64(2004);
        for (start, increment, control) in [
            (10_000, 100, None),
            (60_000, 0, None),
            (180_000, 2_000, None),
            (300_000, 0, Some(40)),
            (5_400_000, 30_000, Some(40)),
        ] {
            let mut left = start;
            let (mut spent, mut cut) = ([0.0; 3], 0);
            for number in 0..120 {
                let to_go = control.map(|moves| moves - number % moves);
                if control.is_some() && number > 0 && to_go == control {
                    left += start;
                }
                let limits = clock([left, increment], to_go);
                let [share, most] = limits.pace().expect("a clock");
                let kind = number as usize % 4;
                let (position, chosen) = [&easy, &usual, &hard, &forced][kind];
                let time = human(chosen, position, &limits, rng.random());
                match kind {
                    3 => assert_eq!(time, Duration::ZERO),
                    // In shares of the clock at that moment, which shrinks as the game goes on.
                    kind => spent[kind] += time.as_secs_f64() / share.as_secs_f64() / 30.0,
                }
                cut += u32::from(time >= most);
                let taken = time.as_millis() as u64;
                assert!(taken < left, "{taken} of {left} at move {number}");
                left = left - taken + increment;
            }
            let [easy, usual, hard] = spent;
            assert!(
                easy < 0.4 && (0.6..1.4).contains(&usual) && hard > 1.5,
                "{spent:?}"
            );
            // Only just before a time control.
            assert!(
                cut <= if control.is_some() { 12 } else { 0 },
                "{cut} at {start}"
            );
            assert!(left > start / 100, "{left} of {start}");
        }
    }

    /// Whatever the clock shows, there is time left after a move, and no time is spent where there is no choice.
    #[test]
    fn nobody_loses_on_time_by_waiting() {
        let free = Chess::default();
        let forced = parse_position("7k/8/8/8/8/8/6q1/7K w - - 0 1").expect("a position");
        for milliseconds in [0, 1, 5, 50, 500, 5_000, 500_000] {
            let moves_to_go = (milliseconds == 50).then_some(1);
            let limits = clock([milliseconds, milliseconds / 10], moves_to_go);
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

    /// With a fixed time per move, hard choices take more of it and none takes it all.
    #[test]
    fn a_fixed_time_is_not_used_up() {
        let limits = Limits {
            move_time: Some(Duration::from_secs(10)),
            overhead: Duration::from_millis(30),
            ..Limits::default()
        };
        let time = |chances: &[f64], chance| {
            let (position, chosen) = choice(chances);
            human(&chosen, &position, &limits, chance)
        };
        assert!(time(&[0.98, 0.02], 1.0) < time(&[0.05; 20], 0.0));
        assert!(time(&[0.05; 20], 1.0) < Duration::from_millis(9_900));
    }

    #[test]
    fn doubt_is_counted_in_bits() {
        assert_eq!(entropy(&[1.0, 0.0, 0.0]), 0.0);
        assert_eq!(entropy(&[0.25; 4]), 2.0);
        assert!(entropy(&[0.9, 0.1]) < entropy(&[0.6, 0.4]));
        assert_eq!(entropy(&[]), 0.0);
    }
}
