//! What the driver costs compared with the engine: its own processor time per second of the engine's.
//!
//! A raw pipe, which sends the same commands and looks only for the end of each search, is the lower
//! bound for any driver.
#![cfg(unix)]

use std::{
    io::{Read, Write},
    process::{Command, Stdio},
    time::Duration,
};

use errare_core::Cancel;
use errare_engine::{Engine, EngineSettings, find};
use nix::sys::{
    resource::{UsageWho, getrusage},
    time::TimeValLike,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Epd, san::San, uci::UciMove};

const DEPTH: u8 = 8;
const ROUNDS: usize = 3;

/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const GAME: &str = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 \
                    Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8";

/// Every position of the game that has a choice, without its move number, and its legal moves.
fn positions() -> Vec<(String, Vec<UciMove>)> {
    let mut position = Chess::default();
    let mut positions = Vec::new();
    for san in GAME.split_whitespace() {
        let legal = position.legal_moves();
        if legal.len() > 1 {
            let epd = Epd::from_position(&position, EnPassantMode::Legal);
            let uci = |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard);
            let fen = format!("{epd} {}", position.halfmoves());
            positions.push((fen, legal.iter().map(uci).collect()));
        }
        let san: San = san.parse().expect("a move");
        position.play_unchecked(san.to_move(&position).expect("a legal move"));
    }
    positions
}

/// Processor time in seconds, of this process or of the children that have ended.
fn seconds(who: UsageWho) -> f64 {
    let usage = getrusage(who).expect("usage");
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    microseconds as f64 / 1e6
}

/// Runs something that starts an engine and ends it; returns both processor times.
fn measure(name: &str, positions: usize, run: impl FnOnce()) {
    let times = || [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(seconds);
    let before = times();
    run();
    let [own, engine] = [0, 1].map(|index| times()[index] - before[index]);
    println!(
        "{name:<10} {positions} positions, engine {engine:.3} s, own {own:.4} s: {:.2} %, {:.0} microseconds a position",
        100.0 * own / engine,
        1e6 * own / positions as f64,
    );
}

fn driver(settings: &EngineSettings, positions: &[(String, Vec<UciMove>)]) {
    let mut engine = Engine::start(settings, Cancel::default()).expect("an engine");
    for (fen, legal) in positions {
        engine.evaluate(fen, legal).expect("an evaluation");
    }
}

fn raw_pipe(settings: &EngineSettings, positions: &[(String, Vec<UciMove>)]) {
    let mut child = Command::new(&settings.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an engine");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    writeln!(input, "setoption name Hash value 64").expect("written");
    let mut buffer = vec![0; 1 << 16];
    for (fen, legal) in positions {
        let lines = legal.len();
        write!(
            input,
            "setoption name MultiPV value {lines}\nucinewgame\nposition fen {fen} 1\ngo depth {DEPTH}\n"
        )
        .expect("written");
        // The end of a search is a short line, and comes alone.
        loop {
            let length = output.read(&mut buffer).expect("read");
            let tail = &buffer[length.saturating_sub(40)..length];
            if tail.windows(9).any(|word| word == b"bestmove ") {
                break;
            }
        }
    }
    drop(input);
    child.wait().expect("ended");
}

fn main() {
    let settings = EngineSettings {
        path: find(None).unwrap_or_else(|error| panic!("{error}")),
        depth: DEPTH,
        silence: Duration::from_secs(60),
    };
    let positions = positions();
    for _ in 0..ROUNDS {
        measure("driver", positions.len(), || driver(&settings, &positions));
        measure("raw pipe", positions.len(), || {
            raw_pipe(&settings, &positions);
        });
    }
}
