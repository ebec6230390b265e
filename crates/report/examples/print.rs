//! Prints an answer as people read it: `cargo run -p errare-report --example print`.

use std::{error::Error, io};

use errare_report::text::Text;
use errare_service::minimax::dominate::{self, Request};

fn main() -> Result<(), Box<dyn Error>> {
    let answer = dominate::answer(&Request {
        good: "[2 3]".to_owned(),
        bad: "[3 2]".to_owned(),
        alpha: "continuous".parse()?,
        shallow: None,
    })?;
    answer.write(&mut io::stdout().lock())?;
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
