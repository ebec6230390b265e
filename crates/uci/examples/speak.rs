//! A chess engine for programs that speak UCI: `cargo run -p errare-uci --example speak [PLAYER]`.

use std::{
    env,
    error::Error,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use errare_service::{Service, Supply};
use errare_tables::Store;
use errare_uci::{Options, speak};

/// Plays as this player until `quit` or the end of the input, and returns the output.
fn play<W: Write + Send + 'static>(
    player: &str,
    tables: &Path,
    input: impl BufRead + Send + 'static,
    out: W,
) -> Result<W, Box<dyn Error>> {
    let tables = Supply::new(Store::open(tables, 16 << 20));
    let options = Options::new(&player.parse()?, "stockfish", None);
    Ok(speak(Service { tables }, options, input, out)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let player = env::args().nth(1).unwrap_or_else(|| "predator".to_owned());
    let input = BufReader::new(io::stdin());
    play(&player, Path::new("tables"), input, io::stdout())?;
    Ok(())
}

#[test]
fn it_runs() {
    let commands = "position fen 8/8/8/4k3/8/8/Q7/K7 w - - 0 1\ngo movetime 5000\n";
    let tables = errare_testing::shared_tables();
    let out = play("best", &tables, commands.as_bytes(), Vec::new()).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("bestmove"), "{out}");
}
