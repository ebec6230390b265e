//! Two engines against each other at ten milliseconds a move.
//!
//! A reply later than its time and a margin loses the game on time, and no game may be lost that way. The default
//! margin is for a busy machine. `ERRARE_DUEL=1000` plays that many games instead of a few, without a margin: on a
//! quiet machine.

use std::{
    env,
    time::{Duration, Instant},
};

use errare_core::parse_position;
use shakmaty::{Chess, Position, uci::UciMove};

use crate::session::{Session, says};

/// The starting positions of games, and their players.
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

/// Games end after this many plies.
const LONGEST: usize = 120;
/// The time per move.
const MOVE_TIME: Duration = Duration::from_millis(10);
/// How late a reply may be on a busy machine; more than that is not due to waiting for a processor.
const MARGIN: Duration = Duration::from_secs(1);

#[test]
fn every_move_is_legal_and_in_time() {
    let asked = env::var("ERRARE_DUEL").ok();
    let games = (asked.as_ref()).map_or(8, |games| games.parse().expect("a number of games"));
    let margin = asked.map_or(MARGIN, |_| Duration::ZERO);
    let mut times: Vec<Duration> = Vec::new();
    let (mut lost, mut replaced) = (0, 0);
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
            let game = play(fen, &mut engines);
            lost += usize::from(game.iter().any(|reply| reply.time > MOVE_TIME + margin));
            replaced += game.iter().filter(|reply| reply.replaced).count();
            times.extend(game.iter().map(|reply| reply.time));
        }
    }
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let late = times.iter().filter(|time| **time > MOVE_TIME).count();
    println!(
        "{games} games, {} moves: median {:.2?}, 99 % {:.2?}, most {:.2?}; {late} later than {MOVE_TIME:?}, \
         {replaced} by the stand-in; {lost} games lost on time with a margin of {margin:?}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0),
    );
    assert_eq!(
        lost,
        0,
        "games lost on time; the slowest replies took {:?}",
        at(1.0)
    );
}

/// A reply: its time, and whether the player itself was too late for it.
struct Reply {
    time: Duration,
    replaced: bool,
}

fn play(fen: &str, engines: &mut [Session; 2]) -> Vec<Reply> {
    let mut position: Chess = parse_position(fen).unwrap();
    let mut moves = String::new();
    let mut replies = Vec::new();
    while replies.len() < LONGEST && !position.is_game_over() && position.halfmoves() < 100 {
        let engine = &mut engines[position.turn().fold_wb(0, 1)];
        engine.send(&format!("position fen {fen} moves{moves}"));
        let began = Instant::now();
        let (name, said) = engine.go(&format!("movetime {}", MOVE_TIME.as_millis()));
        replies.push(Reply {
            time: engine.heard() - began,
            replaced: says(&said, "out of time"),
        });
        let m = name.parse::<UciMove>().unwrap().to_move(&position);
        let m = m.unwrap_or_else(|_| panic!("{name} in {fen} moves{moves}: {said:?}"));
        position.play_unchecked(m);
        moves += &format!(" {name}");
    }
    replies
}
