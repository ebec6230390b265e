//! A scripted engine for tests: its answers are written beforehand.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};
use tempfile::TempDir;

/// A program file just written cannot be run while another thread is starting a process: this one exists
/// already.
const PROGRAM: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../engine/tests/driver/peer.sh"
);

const GREETING: &str = "\
Peer 1.0 by nobody
id name Peer 1.0
id author nobody
option name Threads type spin default 1 min 1 max 4
option name Hash type spin default 1 min 1 max 64
option name MultiPV type spin default 1 min 1 max 256
option name EvalFile type string default peer.nnue
uciok
";

/// A scripted engine in its own directory.
pub(crate) struct Peer {
    directory: TempDir,
}

impl Peer {
    /// An engine that greets and is ready, and knows no position.
    pub(crate) fn new() -> Peer {
        let directory = TempDir::new().expect("a directory");
        let peer = Peer { directory };
        symlink(PROGRAM, peer.path()).expect("a link");
        peer.write("greeting", GREETING);
        peer.write("ready", "readyok\n");
        peer
    }

    /// The program.
    pub(crate) fn path(&self) -> PathBuf {
        self.directory.path().join("peer")
    }

    /// The directory of the program.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file beside the program.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.directory.path().join(name), text).expect("a file");
    }

    /// Sets the answer to a position, given without its move number.
    pub(crate) fn answer(&self, fen: &str, lines: &str) {
        self.write(&file(fen), lines);
    }

    /// Sets the first answer.
    pub(crate) fn answer_first(&self, fen: &str, lines: &str) {
        self.write(&format!("{}.first", file(fen)), lines);
    }

    /// The commands it has received so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.directory.path().join("log")).unwrap_or_default()
    }
}

fn file(fen: &str) -> String {
    format!("{fen} 1").replace(['/', ' '], "_")
}

/// The legal moves of a position, given without its move number.
pub(crate) fn legal(fen: &str) -> Vec<UciMove> {
    let fen: Fen = format!("{fen} 1").parse().expect("a FEN");
    let position: Chess = fen
        .into_position(CastlingMode::Standard)
        .expect("a legal position");
    let moves = position.legal_moves();
    let uci = |m: &shakmaty::Move| m.to_uci(CastlingMode::Standard);
    moves.iter().map(uci).collect()
}

/// What an honest engine might say: every legal move at every depth, in an order that changes.
pub(crate) fn honest(fen: &str, depth: u8) -> String {
    let legal = legal(fen);
    let mut text = String::new();
    for depth in 1..=depth {
        let worth = |played: &UciMove| {
            let squares = played.to_string();
            let sum: u32 = squares.bytes().map(u32::from).sum();
            (sum * (7 + u32::from(depth))) % 100
        };
        let mut ranked = legal.clone();
        ranked.sort_by_key(|played| std::cmp::Reverse(worth(played)));
        for (rank, played) in (1..).zip(&ranked) {
            let score = worth(played);
            text += &format!("info depth {depth} seldepth {depth} multipv {rank} ");
            text += &format!("score cp {score} nodes 100 pv {played} a1a1\n");
        }
    }
    text + &format!("bestmove {}\n", legal[0])
}
