//! The continuous fit of 50,000 turns: 14 coefficients, from zero.
//!
//! `cargo bench -p errare-rating --bench continuous -- --data
//! turns.jsonl` also writes 5,000 turns for `peer_continuous.py` and prints our fit of them: coefficients
//! with standard errors.

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../tests/fitting/world.rs"]
mod world;

use std::{env, fs, time::Instant};

use errare_rating::continuous::{Choices, ContinuousFit, Lines, standard};
use nix::time::{ClockId, clock_gettime};
use world::{DEPTH, Spread, games, people};

/// How people differ from their Elo.
const SPREAD: Spread = Spread {
    player: 90.0,
    shared: 110.0,
    own: 140.0,
};

fn main() {
    for (people_count, name) in [(84, "5,000"), (834, "50,000")] {
        let people = people(people_count, SPREAD, 1);
        let choices = games(&people, 2, 30, SPREAD, 2);
        let start = Lines::new(standard(DEPTH));
        let (begun, used) = (Instant::now(), processor_seconds());
        let fit = ContinuousFit::new(&choices, &start, |_| true, &()).expect("there are turns");
        println!(
            "about {name} turns ({}): {:.3} s, CPU {:.3} s, {} steps, log-loss {:.9}",
            fit.turns,
            begun.elapsed().as_secs_f64(),
            processor_seconds() - used,
            fit.steps,
            fit.log_loss
        );
        if people_count == 84 {
            let errors = fit.covariance.diagonal();
            for (coefficient, variance) in fit.lines.coefficients().iter().zip(&errors) {
                println!("  {coefficient:.9} ({:.9})", variance.sqrt());
            }
            write(&choices);
        }
    }
}

fn processor_seconds() -> f64 {
    let clock = ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let time = clock_gettime(clock).expect("there is such a clock");
    time.tv_sec() as f64 + 1e-9 * time.tv_nsec() as f64
}

/// Writes features and choices, one line per turn, if a file is named.
fn write(choices: &Choices) {
    let mut arguments = env::args()
        .skip_while(|argument| argument != "--data")
        .skip(1);
    let Some(path) = arguments.next() else { return };
    let mut text = String::new();
    for stretch in choices.stretches() {
        let elo = stretch.elo.expect("all are rated");
        for turn in stretch.turns.clone() {
            let turn = choices.turn(turn);
            text += &format!(
                "{{\"elo\": {elo}, \"game\": {}, \"player\": {}, \"options\": {}, \"features\": {:?}, \"played\": {}}}\n",
                stretch.game.0,
                stretch.player.expect("all are named"),
                turn.costs.len(),
                turn.features,
                turn.played
            );
        }
    }
    fs::write(path, text).expect("the file can be written");
}
