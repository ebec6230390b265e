//! Ranks the legal moves of a position: `cargo run -p errare-engine --example rank -- FEN`.

use std::{env, error::Error, time::Duration};

use errare_core::parse_position;
use errare_engine::{EngineSettings, Engines, find};

/// A line for each move, best first.
fn rank(fen: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let engines = Engines::start(EngineSettings {
        path: find(None)?,
        depth: 6,
        silence: Duration::from_secs(60),
    })?;
    let evaluation = engines.evaluate(&parse_position(fen)?)?;
    let deepest = evaluation.deepest().ranking.iter();
    let lines = deepest.map(|ranked| {
        let m = &evaluation.moves()[usize::from(ranked.index)];
        format!("{m} {:?}", ranked.score)
    });
    Ok(lines.collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let fen = env::args().nth(1).ok_or("name a position")?;
    for line in rank(&fen)? {
        println!("{line}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    if let Err(error) = find(None) {
        return errare_testing::skip(&error.to_string());
    }
    let lines = rank("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").unwrap();
    assert!(lines[0].starts_with("g5g7"), "mate is best: {lines:?}");
}
