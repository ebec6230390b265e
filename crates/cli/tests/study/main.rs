//! `errare evaluate`, `export` and `doctor`, the binary as users run it.
#![cfg(unix)]

mod disturbance;
mod doctor;
mod evaluate;
mod export;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../engine/tests/driver/peer.rs"]
mod peer;
#[path = "../program/mod.rs"]
mod program;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use errare_rating::GameRecord;
use serde_json::Value;
use tempfile::TempDir;

use self::peer::{Peer, honest};

/// A game with six positions to evaluate, a bad one, and one with five, of which one is in the first as
/// well.
const GAMES: &str = r#"[White "A"]
[Black "B"]
[WhiteElo "2500"]
[FEN "8/8/4k3/8/8/8/1Q6/K7 w - - 0 20"]

20. Kb1 Ke7 21. Qb5 Kf6 22. Qe8 Kf5 *

[White "Bad"]

1. e4 e5 2. Ke3 *

[White "C"]
[Black "D"]
[FEN "8/8/4k3/8/8/8/1Q6/K7 w - - 0 30"]

30. Qb5 Kd6 31. Qb4+ Kd5 32. Kb1 *
"#;

/// Games in a directory that also receives the study.
struct Desk {
    directory: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let directory = TempDir::new().expect("a directory");
        let desk = Desk { directory };
        fs::write(desk.path("games.pgn"), GAMES).expect("a file");
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::errare();
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("ERRARE_TABLES", self.path("tables"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn errare(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("errare")
    }
}

/// A scripted engine that knows the positions of the games.
fn honest_peer(depth: u8) -> Peer {
    let peer = Peer::new();
    for fen in positions() {
        peer.answer(&fen, &honest(&fen, depth));
    }
    peer
}

/// The positions to evaluate, without move numbers.
fn positions() -> Vec<String> {
    let games = errare_games::games(GAMES.as_bytes()).flatten();
    let turns = games.flat_map(GameRecord::new).flat_map(|game| game.turns);
    let mut positions: Vec<String> = turns.map(|turn| turn.position).collect();
    positions.sort();
    positions.dedup();
    assert_eq!(positions.len(), 10);
    positions
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn json(output: &Output) -> Value {
    assert_eq!(code(output), 0, "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn as_text(path: &Path) -> &str {
    OsStr::to_str(path.as_os_str()).expect("text")
}
