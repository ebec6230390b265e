//! How long `errare uci` takes from `go` to `bestmove` in a four-man endgame whose tables are built, measured by a
//! client before it sends and after it has read.
//!
//! Each player moves in every position of a game against itself, so that it reaches blocks of the table that were not
//! read before. The first move of a process, which opens the tables, is shown separately. It fails if the median is too
//! slow.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

const PROGRAM: &str = env!("CARGO_BIN_EXE_errare");
const PLAYERS: [&str; 4] = ["best", "rep:c=20", "emulator:c=20", "predator"];
/// Deep wins: by capture, and by promotion.
const STARTS: [(&str, &str); 2] = [
    ("KQKR", "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"),
    ("KRKP", "8/8/8/5K2/8/3p4/3k4/R7 w - - 0 1"),
];
const REPLIES: usize = 1_000;
/// Games end after this many plies, since some have no winner.
const LONGEST: usize = 100;
/// The median must stay below this.
const GOAL: Duration = Duration::from_millis(5);

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(player: &str, tables: &std::path::Path) -> Engine {
        let mut process = Command::new(PROGRAM)
            .args(["uci", player, "--tables"])
            .arg(tables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut engine = Engine {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        };
        engine.send("setoption name Engine value <empty>\nsetoption name Seed value 1\nisready");
        engine.until("readyok");
        engine
    }

    fn send(&mut self, lines: &str) {
        self.input
            .write_all(format!("{lines}\n").as_bytes())
            .unwrap();
    }

    fn until(&mut self, beginning: &str) -> String {
        let mut line = String::new();
        while !line.starts_with(beginning) {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended");
        }
        line
    }

    /// The times of the replies in games from a position, in order.
    fn replies(&mut self, start: &str) -> Vec<Duration> {
        let start: Fen = start.parse().unwrap();
        let start: Chess = start.into_position(CastlingMode::Standard).unwrap();
        let mut times = Vec::new();
        while times.len() < REPLIES {
            let (mut position, mut moves) = (start.clone(), String::new());
            self.send("ucinewgame");
            while !position.is_game_over() && moves.len() < LONGEST * 5 && times.len() < REPLIES {
                let fen = Fen::from_position(&start, shakmaty::EnPassantMode::Legal);
                self.send(&format!("position fen {fen} moves{moves}"));
                let began = Instant::now();
                self.send("go movetime 1000");
                let reply = self.until("bestmove");
                times.push(began.elapsed());
                let name = reply.split_whitespace().nth(1).unwrap();
                let played = name.parse::<UciMove>().unwrap().to_move(&position);
                position.play_unchecked(played.unwrap());
                moves += &format!(" {name}");
            }
        }
        times
    }
}

fn main() -> ExitCode {
    let tables = tempfile::tempdir().unwrap();
    let built = Command::new(PROGRAM)
        .args(["tables", "build"])
        .args(STARTS.map(|(endgame, _)| endgame))
        .args(["--metric", "dtc", "--metric", "dtm", "--tables"])
        .arg(tables.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    println!("| player | endgame | first, ms | median, ms | 99 %, ms | longest, ms |");
    println!("|---|---|---|---|---|---|");
    let mut slowest = Duration::ZERO;
    for player in PLAYERS {
        for (endgame, start) in STARTS {
            let mut engine = Engine::start(player, tables.path());
            let mut times = engine.replies(start);
            let first = times.remove(0);
            times.sort();
            let at = |share: usize| times[(times.len() - 1) * share / 100];
            slowest = slowest.max(at(50));
            let shown = [first, at(50), at(99), at(100)];
            let shown = shown.map(|time| format!("{:.2}", time.as_secs_f64() * 1e3));
            println!("| `{player}` | {endgame} | {} |", shown.join(" | "));
            engine.send("quit");
            engine.process.wait().unwrap();
        }
    }
    let (verdict, code) = match slowest < GOAL {
        true => ("below", ExitCode::SUCCESS),
        false => ("NOT below", ExitCode::FAILURE),
    };
    println!("\nThe slowest median, {slowest:.2?}, is {verdict} {GOAL:.0?}.");
    code
}
