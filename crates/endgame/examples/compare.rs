//! How likely players of three competences are to choose each move of a position:
//! `cargo run -p errare-endgame --example compare [DIRECTORY]`.
//!
//! The tables of king and queen against king are built in the directory, which takes about a second.

use std::{env, error::Error, path::Path};

use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{Oracle, ReferencePlayer, Weighting};
use errare_tables::{Prober, Store, build};

/// A line for each move: its name and its probability at c = 0, 5 and 20.
fn compare(directory: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let store = Store::open(directory, 16 << 20);
    build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
    let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
    let turn = oracle.turn(&parse_position("8/8/8/4k3/8/8/Q7/K7 b - - 0 1")?)?;

    let [random, weak, strong] = [0.0, 5.0, 20.0].map(|competence| {
        let player = ReferencePlayer {
            competence,
            kappa: Kappa::ONE,
            weighting: Weighting::keeping_value(),
        };
        player.probabilities(&turn)
    });
    let lines = turn.choices().iter().enumerate().map(|(i, choice)| {
        let (random, weak, strong) = (random[i], weak[i], strong[i]);
        format!("{} {random:.3} {weak:.3} {strong:.3}", choice.r#move)
    });
    Ok(lines.collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = env::args_os().nth(1).unwrap_or_else(|| "tables".into());
    for line in compare(Path::new(&directory))? {
        println!("{line}");
    }
    Ok(())
}

#[test]
fn it_runs() {
    let lines = compare(&errare_testing::scratch_directory()).unwrap();
    assert_eq!(lines.len(), 6, "{lines:?}");
}
