//! Games of files.

use std::path::PathBuf;

use anyhow::{Context, Result};
use errare_games::{Game, games, open};

/// Reads all games of all files, numbers them consecutively and reports their mistakes.
pub(crate) fn read(files: &[PathBuf]) -> Result<Vec<Game>> {
    let mut all = Vec::new();
    for path in files {
        for game in games(open(path)?) {
            let game =
                game.with_context(|| format!("cannot read {} to its end", path.display()))?;
            let number = all.len() + 1;
            for problem in &game.problems {
                talk!("errare: game {number}: {problem}");
            }
            all.push(Game { number, ..game });
        }
    }
    Ok(all)
}
