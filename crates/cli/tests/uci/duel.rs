//! Two engines against each other at ten milliseconds a move.
//!
//! `ERRARE_DUEL=1000` plays so many games instead of a few, and says how late replies were.

use std::{env, time::Instant};

use errare_core::parse_position;
use shakmaty::{Chess, Position, uci::UciMove};

use crate::session::Session;

/// Where games start, and which players meet there.
const STARTS: [(&str, [&str; 2]); 4] = [
    ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", ["rep:c=10", "best"]),
    (
        "8/8/8/8/4k3/8/8/KR6 w - - 0 1",
        ["emulator:c=20", "predator"],
    ),
    ("8/8/8/4k3/8/8/8/KR6 b - - 0 1", ["predator", "rep:c=1"]),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ["minimax:depth=2", "random"],
    ),
];

/// Games end after so many plies.
const LONGEST: usize = 120;

#[test]
fn every_move_is_legal_and_in_time() {
    let games = env::var("ERRARE_DUEL").map_or(8, |games| games.parse().unwrap());
    let mut lateness: Vec<f64> = Vec::new();
    for (number, (fen, players)) in STARTS.iter().enumerate() {
        let mut engines = players.map(|player| Session::start(&[player]));
        for engine in &mut engines {
            engine.ask("isready", "readyok");
            // The first move opens tables; no clock runs yet.
            engine.send(&format!("position fen {fen}"));
            engine.go("");
        }
        for _ in (number..games).step_by(STARTS.len()) {
            for engine in &mut engines {
                engine.send("ucinewgame");
            }
            play(fen, &mut engines, &mut lateness);
        }
    }
    lateness.sort_by(f64::total_cmp);
    let at = |share: f64| lateness[((lateness.len() - 1) as f64 * share) as usize];
    let late = lateness.iter().filter(|time| **time > 10.0).count();
    println!(
        "{games} games, {} moves: median {:.2} ms, 99 % {:.2} ms, most {:.2} ms; {late} later than 10 ms",
        lateness.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
}

fn play(fen: &str, engines: &mut [Session; 2], lateness: &mut Vec<f64>) {
    let mut position: Chess = parse_position(fen).unwrap();
    let mut moves = String::new();
    for _ in 0..LONGEST {
        if position.is_game_over() || position.halfmoves() >= 100 {
            return;
        }
        let engine = &mut engines[position.turn().fold_wb(0, 1)];
        engine.send(&format!("position fen {fen} moves{moves}"));
        let began = Instant::now();
        let (name, said) = engine.go("movetime 10");
        lateness.push((engine.heard() - began).as_secs_f64() * 1e3);
        let m = name.parse::<UciMove>().unwrap().to_move(&position);
        let m = m.unwrap_or_else(|_| panic!("{name} in {fen} moves{moves}: {said:?}"));
        position.play_unchecked(m);
        moves += &format!(" {name}");
    }
}
