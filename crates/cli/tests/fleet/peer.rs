//! A fast UCI engine: every legal move gets a score that depends on the position alone.

use std::{
    env,
    io::{self, BufRead, Write},
    process, thread,
    time::Duration,
};

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// The script that starts it.
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fleet/peer.sh");
/// How long a position takes, so that there is time to disturb.
const SEARCH: Duration = Duration::from_millis(4);

/// The engine itself where the script starts it; a test of the engine where all tests run.
#[test]
fn peer() {
    if env::var_os("PEER_SPEAKS").is_some() {
        return speak();
    }
    let said = answer("8/8/8/4k3/8/8/Q7/K7 w - - 0 1", 2);
    let lines: Vec<&str> = said.lines().collect();
    let (best, ranked) = lines.split_last().expect("it answers");
    let moves = ranked.len() / 2;
    assert_eq!(ranked.len(), 2 * moves, "every move at both depths");
    assert!(ranked[moves].contains("depth 2 seldepth 2 multipv 1 "));
    let first = ranked[moves].rsplit(' ').next().expect("a move");
    assert_eq!(*best, format!("bestmove {first}"));
}

fn speak() {
    let mut out = io::stdout().lock();
    let mut say = |text: String| {
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .unwrap_or_else(|_| process::exit(0));
    };
    say("\n".to_owned());
    let mut fen = String::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        match line.split_whitespace().next() {
            Some("uci") => say("id name Peer 1.0\n\
                 option name Threads type spin default 1 min 1 max 4\n\
                 option name Hash type spin default 1 min 1 max 64\n\
                 option name MultiPV type spin default 1 min 1 max 256\n\
                 option name EvalFile type string default peer.nnue\nuciok\n"
                .to_owned()),
            Some("isready") => say("readyok\n".to_owned()),
            Some("position") => fen = line["position fen ".len()..].to_owned(),
            Some("go") => {
                if env::var("PEER_POISON").is_ok_and(|poison| fen.starts_with(&poison)) {
                    process::exit(1);
                }
                let depth = line.rsplit(' ').next().and_then(|depth| depth.parse().ok());
                say(answer(&fen, depth.expect("a depth")));
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

fn answer(fen: &str, depth: u8) -> String {
    thread::sleep(SEARCH);
    let parsed: Fen = fen.parse().expect("a FEN");
    let board: Chess = parsed
        .into_position(CastlingMode::Standard)
        .expect("a position");
    let seed = fen.bytes().fold(7_u32, |sum, byte| {
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
                (-((worth % 400) as i32), played)
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
