//! A fast UCI engine: every legal move gets a score that depends on the position alone.
//!
//! The test program itself is the engine when `peer.sh` starts it. Variables make it misbehave:
//!
//! | variable | what the engine does |
//! |---|---|
//! | `PEER_NAME` | has another name |
//! | `PEER_POISON` | dies at this position |
//! | `PEER_HANG` | falls silent once, if this file does not exist, and creates it |
//! | `PEER_LIES` | scores every move differently |

use std::{
    env,
    fs::OpenOptions,
    io::{self, BufRead, Write},
    process, thread,
    time::Duration,
};

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// The script that starts it.
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fleet/peer.sh");
/// How long a position takes, so that there is time to disturb.
const SEARCH: Duration = Duration::from_millis(4);

/// The input to the engine in its own test, and its answers.
const ASKED: &str = "uci\nisready\nposition fen 7k/8/5K2/8/8/8/8/6R1 b - - 0 1\ngo depth 2\nquit\n";

/// The engine, if the script started this program; otherwise a test of it.
#[test]
fn the_engine_ranks_all_legal_moves() {
    if env::var_os("PEER_SPEAKS").is_some() {
        // After the line that the test harness has started.
        println!();
        return speak(io::stdin().lock(), io::stdout().lock()).unwrap_or_else(|_| process::exit(0));
    }
    let mut said = Vec::new();
    speak(ASKED.as_bytes(), &mut said).expect("it fits into memory");
    let said = String::from_utf8(said).expect("text");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "id name Peer 1.0");
    assert!(lines.contains(&"uciok") && lines.contains(&"readyok"));
    for depth in [1, 2] {
        let head = format!("info depth {depth} ");
        let ranked: Vec<&str> = lines
            .iter()
            .filter(|line| line.starts_with(&head))
            .filter_map(|line| line.rsplit(' ').next())
            .collect();
        assert_eq!(ranked, ["h8h7"], "the only legal move");
    }
    assert_eq!(lines.last(), Some(&"bestmove h8h7"));
}

/// Answers until `quit` or the end of the input.
fn speak(questions: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let mut fen = String::new();
    for line in questions.lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => {
                let name = env::var("PEER_NAME").unwrap_or_else(|_| "Peer 1.0".to_owned());
                write!(
                    out,
                    "id name {name}\n\
                     option name Threads type spin default 1 min 1 max 4\n\
                     option name Hash type spin default 1 min 1 max 64\n\
                     option name MultiPV type spin default 1 min 1 max 256\n\
                     option name EvalFile type string default peer.nnue\nuciok\n"
                )?;
            }
            Some("isready") => writeln!(out, "readyok")?,
            Some("position") => line["position fen ".len()..].clone_into(&mut fen),
            Some("go") => {
                misbehave(&fen);
                let depth = line.rsplit(' ').next().and_then(|depth| depth.parse().ok());
                out.write_all(answer(&fen, depth.expect("a depth")).as_bytes())?;
            }
            Some("quit") => break,
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

/// Dies or falls silent, if requested.
fn misbehave(fen: &str) {
    if env::var("PEER_POISON").is_ok_and(|poison| fen.starts_with(&poison)) {
        process::exit(1);
    }
    let Some(once) = env::var_os("PEER_HANG") else {
        return;
    };
    let first = OpenOptions::new().write(true).create_new(true).open(once);
    while first.is_ok() {
        thread::park();
    }
}

fn answer(fen: &str, depth: u8) -> String {
    thread::sleep(SEARCH);
    let parsed: Fen = fen.parse().expect("a FEN");
    let board: Chess = parsed
        .into_position(CastlingMode::Standard)
        .expect("a position");
    let lies = u32::from(env::var_os("PEER_LIES").is_some());
    let seed = fen.bytes().fold(7 + lies, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let mut text = String::new();
    let mut best = String::new();
    for depth in 1..=depth {
        let mut ranked: Vec<(i32, String)> = board
            .legal_moves()
            .iter()
            .map(|played| {
                let played = played.to_uci(CastlingMode::Standard).to_string();
                let sum: u32 = played.bytes().map(u32::from).sum();
                let worth = seed.wrapping_mul(sum * (7 + u32::from(depth))) >> 16;
                (200 - (worth % 400) as i32, played)
            })
            .collect();
        ranked.sort();
        best.clone_from(&ranked[0].1);
        for (rank, (score, played)) in (1..).zip(&ranked) {
            text += &format!(
                "info depth {depth} seldepth {depth} multipv {rank} score cp {} nodes 9 pv {played}\n",
                -score
            );
        }
    }
    text + &format!("bestmove {best}\n")
}
