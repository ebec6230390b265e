//! Rates a player of a PGN file: `cargo run -p errare-rating --example rate -- GAMES.pgn PLAYER STUDY.db`.
//!
//! The study keeps the evaluations, so that the second run takes no time.

use std::{env, error::Error, path::Path};

use errare_rating::Study;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [games, player, study] = &arguments[..] else {
        return Err("three arguments are needed: GAMES.pgn PLAYER STUDY.db".into());
    };
    let mut study = Study::open_or_create(Path::new(study))?;
    study.evaluate_file(Path::new(games), 8, &())?;
    let rating = study.rate(player)?;

    println!(
        "{player}: {:.0}, {:.0} % interval {:.0} to {:.0}",
        rating.mean,
        100.0 * rating.level,
        rating.low,
        rating.high
    );
    Ok(())
}
