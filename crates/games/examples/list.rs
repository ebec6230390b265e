//! Lists the games of a file: `cargo run -p errare-games --example list -- GAMES.pgn`.

use std::{
    env,
    error::Error,
    io::{self, Write},
    path::Path,
};

use errare_games::{games, open};
use shakmaty::Color;

/// Writes a line for each game, as it is read.
pub(crate) fn list(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for game in games(open(path)?) {
        let game = game?;
        let [white, black] = [Color::White, Color::Black].map(|color| game.name(color));
        let result = game.result().unwrap_or("*");
        writeln!(
            out,
            "{}. {white} - {black} {result}, {} plies",
            game.number,
            game.moves.len()
        )?;
        for problem in &game.problems {
            writeln!(out, "   {problem}")?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("name a file of games")?;
    list(Path::new(&path), &mut io::stdout().lock())
}
