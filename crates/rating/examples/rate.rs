//! Rates a player of a PGN file: `cargo run -p errare-rating --example rate -- GAMES.pgn PLAYER STUDY.db`.
//!
//! The study keeps the evaluations, so the second run takes no time.

use std::{env, error::Error, path::Path};

use errare_rating::{
    Study,
    continuous::{Interval, Rated},
    study::StepError,
};

/// Opens the study, evaluates the games that are new to it, and rates the player.
fn rate(games: &Path, player: &str, study: &Path) -> Result<Rated, StepError> {
    let mut study = Study::open_or_create(study)?;
    study.evaluate_file(games, 8, &())?;
    study.rate(player)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [games, player, study] = &arguments[..] else {
        return Err("three arguments are needed: GAMES.pgn PLAYER STUDY.db".into());
    };
    let rated = rate(Path::new(games), player, Path::new(study))?;
    println!("{player}, {:.0} % intervals", 100.0 * rated.level);
    println!(
        "these moves were played like those of {}",
        told(rated.quality)
    );
    println!("which suggests an Elo of {}", told(rated.elo));
    Ok(())
}

/// An estimate with its interval; a single game often leaves an end of it open.
fn told(interval: Interval) -> String {
    let Interval {
        mean, low, high, ..
    } = interval;
    match (interval.open_below, interval.open_above) {
        (false, false) => format!("{mean:.0}, {low:.0} to {high:.0}"),
        (false, true) => format!("{low:.0} or more"),
        (true, false) => format!("{high:.0} or less"),
        (true, true) => "anything".to_owned(),
    }
}

#[test]
fn it_runs() {
    const GAME: &str = "[White \"Smith, A\"]\n[Black \"Jones, B\"]\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 Nxd5 10. Nxe5 Nxe5 \
        11. Rxe5 c6 12. d4 Bd6 13. Re1 Qh4 14. g3 Qh3 15. Be3 Bg4 16. Qd3 Rae8 17. Nd2 Re6 18. a4 Qh5 1/2-1/2\n";
    let directory = tempfile::tempdir().unwrap();
    let games = directory.path().join("games.pgn");
    std::fs::write(&games, GAME).unwrap();
    match rate(&games, "Smith", &directory.path().join("study.db")) {
        Ok(rated) => {
            for interval in [rated.quality, rated.elo] {
                assert!(interval.low < interval.high, "{interval:?}");
            }
            assert!(rated.elo.low <= rated.quality.low, "{rated:?}");
        }
        Err(error @ (StepError::NotFound(_) | StepError::NoCalibration(_))) => {
            errare_testing::skip(&error.to_string());
        }
        Err(error) => panic!("{error}"),
    }
}
