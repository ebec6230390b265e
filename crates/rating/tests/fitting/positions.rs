//! Made-up positions that look like real ones: evaluations of twenty to forty moves.

use errare_choice::{Agent, ChoiceProbabilities};
use errare_rating::Sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The evaluations of one position in pawns, the best first, in hundredths.
fn evaluations(random: &mut ChaCha8Rng) -> Vec<f64> {
    let best = 300.0 * (random.random::<f64>() - random.random::<f64>());
    let moves = random.random_range(2..45);
    let mut below = 0.0;
    let mut values = vec![best.round() / 100.0];
    for _ in 1..moves {
        // Gaps are small among good moves; now and then there is a cliff.
        let gap: f64 = random.random();
        below += 40.0 * gap * gap * if random.random_bool(0.05) { 10.0 } else { 1.0 };
        values.push((best - below).round() / 100.0);
    }
    values
}

/// Games of 30 turns each in which the first move is always played.
pub(crate) fn positions(turns: usize, seed: u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sample = Sample::default();
    for turn in 0..turns {
        if turn % 30 == 0 {
            sample.begin_game();
        }
        sample.push(&evaluations(&mut random), 0);
    }
    sample
}

/// The same seen at a shallower depth too, where every move is off by up to about half a pawn.
pub(crate) fn positions_at_two_depths(turns: usize, seed: u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sample = Sample::default();
    for turn in 0..turns {
        if turn % 30 == 0 {
            sample.begin_game();
        }
        let deep = evaluations(&mut random);
        let mut hasty = |value: &f64| {
            let off = random.random::<f64>() + random.random::<f64>() - 1.0;
            ((value + off / 2.0) * 100.0).round() / 100.0
        };
        let shallow = deep.iter().map(&mut hasty).collect();
        sample.push_levels(&deep, &[shallow], 0);
    }
    sample
}

/// The same turns as played by an agent.
pub(crate) fn play(sample: &Sample, agent: &Agent, seed: u64) -> Sample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut choice = ChoiceProbabilities::default();
    let mut choose = |turn| {
        let levels: Vec<_> = (0..agent.weights.len().max(1))
            .map(|level| sample.log_costs(turn, level))
            .collect();
        choice.make(agent, &levels, &[]);
        let mut left: f64 = random.random();
        let chosen = choice.probabilities().iter().position(|p| {
            left -= p;
            left < 0.0
        });
        chosen.unwrap_or(0) as u32
    };
    sample.with_choices((0..sample.turns()).map(&mut choose).collect())
}
