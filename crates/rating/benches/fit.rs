//! Fits of s and c to 10,000 and 100,000 turns, and the bootstrap of a player of 250 turns.
//!
//! `cargo bench -p errare-rating --bench fit -- --data
//! turns.jsonl` also writes the 10,000 turns for `peer.py`.

#[allow(dead_code, reason = "tests use the rest")]
#[path = "../tests/fitting/positions.rs"]
mod positions;

use std::{env, fs, time::Instant};

use errare_choice::Agent;
use errare_rating::{AgentModel, Bootstrap, Estimator, Fit, Sample};
use nix::time::{ClockId, clock_gettime};

/// Repetitions, of which the best counts.
const REPEAT: usize = 5;

fn main() {
    let agent = Agent::of_paper(0.12, 0.5);
    let sample = |turns| positions::play(&positions::positions(turns, 3), &agent, 4);
    for turns in [10_000, 100_000] {
        let sample = sample(turns);
        println!("{turns} turns, {} options", sample.options());
        if turns == 10_000 {
            write(&sample);
        }
        for estimator in Estimator::ALL {
            let fit =
                || Fit::new(&sample, &AgentModel::of_paper(), estimator).expect("there are turns");
            let agent = fit().agent;
            let time = best(|| drop(fit()));
            println!("  {estimator:10} {time}  s {:.6} c {:.6}", agent.s, agent.c);
        }
    }
    let sample = sample(250);
    println!("1,000 replicates of 250 turns");
    for estimator in Estimator::ALL {
        let fit = Fit::new(&sample, &AgentModel::of_paper(), estimator).expect("there are turns");
        let time = best(|| drop(Bootstrap::new(&sample, &fit, estimator, 1000, 1, &())));
        println!("  {estimator:10} {time}");
    }
}

/// The least wall-clock and processor seconds over some runs.
fn best(work: impl Fn()) -> String {
    let (mut wall, mut cpu) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..REPEAT {
        let (started, used) = (Instant::now(), processor_seconds());
        work();
        wall = wall.min(started.elapsed().as_secs_f64());
        cpu = cpu.min(processor_seconds() - used);
    }
    format!("{wall:.3} s, CPU {cpu:.3} s")
}

fn processor_seconds() -> f64 {
    let clock = ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let time = clock_gettime(clock).expect("there is such a clock");
    time.tv_sec() as f64 + 1e-9 * time.tv_nsec() as f64
}

/// Writes costs and choices, one line per turn, if a file is named.
fn write(sample: &Sample) {
    let mut arguments = env::args()
        .skip_while(|argument| argument != "--data")
        .skip(1);
    let Some(path) = arguments.next() else { return };
    let line = |turn| {
        let turn = sample.turn(turn);
        format!(
            "{{\"costs\": {:?}, \"played\": {}}}\n",
            turn.costs, turn.played
        )
    };
    let text: String = (0..sample.turns()).map(line).collect();
    fs::write(path, text).expect("the file can be written");
}
