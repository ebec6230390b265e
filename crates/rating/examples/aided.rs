//! Engine moves mixed into real games: how often screening notices them.
//!
//! `cargo run --release -p errare-rating --example aided -- STUDY.db DEPTH [CALIBRATION.json]`
//!
//! All players of a study are screened as one field. Then each of them in turn plays the engine's first move in the
//! share of turns that, according to the answer, would be noticed in four cases out of five, and in half of it, twenty
//! times with different turns.

use std::{env, error::Error, fs, path::Path};

use errare_rating::{
    Label, PlayerTurns, Screened, Screening, Study,
    continuous::{Calibration, Screenee},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How often each player is aided.
const TIMES: u64 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [study, depth, file @ ..] = &arguments[..] else {
        return Err("aided STUDY.db DEPTH [CALIBRATION.json]".into());
    };
    let study = Study::open(Path::new(study))?;
    let view = study.view(None, Some(depth.parse()?))?;
    let calibration = match file {
        [file] => Calibration::from_json(&fs::read_to_string(file)?)?,
        _ => Calibration::shipped(&view.engine).ok_or("no calibration is shipped for it")?,
    };
    calibration.must_fit(&view.engine)?;
    let players: Vec<Screenee> = PlayerTurns::all(&study, &view)?
        .iter()
        .map(|player| Screenee {
            name: player.name.clone(),
            elo: player.elo(),
            choices: player.choices(calibration.lines.features(), |_| true),
        })
        .collect();
    let field = calibration.screen(&players);
    let labelled: Vec<&Screened> = field
        .players
        .iter()
        .filter(|one| one.label.is_tested())
        .collect();
    println!("{:?}", field.thresholds);
    for label in [Label::Normal, Label::Watch, Label::FullTest] {
        let count = labelled.iter().filter(|one| one.label == label).count();
        println!("{label}: {count} of {}", labelled.len());
    }
    for part in [0.5, 1.0] {
        let [seen, tried] = aided(&calibration, &players, &field, &labelled, part);
        println!("{part} of the share that would be seen: {seen} of {tried} seen");
    }
    Ok(())
}

/// How many of how many aided players are noticed.
fn aided(
    calibration: &Calibration,
    players: &[Screenee],
    field: &Screening,
    labelled: &[&Screened],
    part: f64,
) -> [usize; 2] {
    let (mut seen, mut tried) = (0, 0);
    for (number, one) in labelled.iter().enumerate() {
        let Some(share) = one.smallest_effect.engine_share else {
            continue;
        };
        let player = players.iter().find(|it| it.name == one.player);
        let player = player.expect("only these were screened");
        for time in 0..TIMES {
            let mut random = ChaCha8Rng::seed_from_u64(TIMES * number as u64 + time);
            let played = (0..player.choices.turns())
                .map(|turn| match random.random_bool(part * share) {
                    true => 0,
                    false => player.choices.turn(turn).played as u32,
                })
                .collect();
            let aided = Screenee {
                choices: player.choices.with_choices(played),
                ..player.clone()
            };
            let alone = calibration.screen(&[aided]);
            tried += 1;
            let label = (alone.players[0].z()).map(|z| field.thresholds.label(z));
            seen += usize::from(label != Some(Label::Normal));
        }
    }
    [seen, tried]
}
