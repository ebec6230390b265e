//! Asks the service for a verdict, as every face does: `cargo run -p errare-service --example ask [DIRECTORY]`.

use std::{env, error::Error, path::Path};

use errare_service::{
    Service, Supply,
    probe::{self, Answer, Request},
};
use errare_tables::Store;

/// Builds what is missing and answers.
fn ask(directory: &Path) -> Result<Answer, Box<dyn Error>> {
    let tables = Supply::new(Store::open(directory, 16 << 20));
    let request = Request::new("8/8/8/4k3/8/8/Q7/K7 w - - 0 1");
    Ok(probe::answer(&Service { tables }, &request, &())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = env::args_os().nth(1).unwrap_or_else(|| "tables".into());
    let answer = ask(Path::new(&directory))?;
    println!("{}", serde_json::to_string_pretty(&answer)?);
    Ok(())
}

#[test]
fn it_runs() {
    let answer = ask(&errare_testing::scratch_directory()).unwrap();
    assert_eq!(answer.position.endgame.to_string(), "KQK");
    assert!(answer.position.dtm > Some(0), "the queen wins");
}
