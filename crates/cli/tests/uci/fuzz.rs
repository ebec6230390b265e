//! Ten thousand nonsensical command lines, mutated or random: no thread panics or hangs, and no move is missing or
//! extra.
//!
//! `ERRARE_FUZZ=50000` sends that many lines instead, and `PROPTEST_RNG_SEED` draws others.

use std::env;

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

use crate::session::{Session, says};

/// Lines sent before the output is read.
const BATCH: usize = 50;

/// The commands of the protocol.
const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// Meaningful lines, to be mutated.
const LINES: [&str; 32] = [
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "register name x code y",
    "setoption name Agent value predator",
    "setoption name Agent value human",
    "setoption name Competence value -3.5",
    "setoption name Skill value 50",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1500",
    "setoption name Metric value dtm",
    "setoption name MultiPV value 5",
    "setoption name Seed value 18446744073709551615",
    "setoption name TablePath value /dev/null",
    "setoption name SyzygyPath value /dev/null:nowhere",
    "setoption name MoveTime value human",
    "position startpos moves e2e4 e7e5 g1f3",
    "go infinite",
    "position fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1 moves b1b4",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/8/8/4k3/8/8/8/K7 w - - 0 1",
    "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "setoption name Agent value minimax",
    "setoption name MinimaxDepth value 6",
    "setoption name Agent value hunter",
    "go ponder wtime 50 btime 50",
    "go movetime 3",
    "go wtime 10 btime 10 winc 1 binc 1 movestogo 2",
    "go searchmoves e2e4 b1b4 depth 2",
    "stop",
    "ponderhit",
];

/// The beginnings of random lines.
const BEGINNINGS: [&str; 4] = ["", "go ", "position fen ", "setoption name "];

/// A line with words dropped, doubled, replaced or corrupted.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        4 => Just(None),
        1 => "[ -~]{0,12}".prop_map(Some),
        1 => "\\PC{0,6}".prop_map(Some),
        1 => "-?[0-9]{1,24}".prop_map(Some),
        1 => prop::sample::select(&["moves", "value", "name", "fen", "infinite", "ponder", "0000", "go"][..])
            .prop_map(|word| Some(word.to_owned())),
    ];
    let line = prop::sample::select(&LINES[..]);
    (line, prop::collection::vec((word, 0usize..12), 0..4)).prop_map(|(line, changes)| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for (word, at) in changes {
            match word {
                Some(word) if at < words.len() => words[at] = word,
                Some(word) => words.push(word),
                None if at < words.len() => {
                    words.remove(at);
                }
                None => {}
            }
        }
        words.join(" ").into_bytes()
    })
}

/// A random line, perhaps after a command.
fn random() -> impl Strategy<Value = Vec<u8>> {
    let command = prop::sample::select(&BEGINNINGS[..]);
    let rest = prop::collection::vec(any::<u8>(), 0..80);
    (command, rest).prop_map(|(command, rest)| [command.as_bytes(), &rest].concat())
}

/// Is it a `go`, whatever comes before and after?
fn is_go(line: &str) -> bool {
    let known = |word: &&str| COMMANDS.contains(word);
    line.split_whitespace().find(known) == Some("go")
}

#[test]
fn lines_that_make_little_sense() {
    let asked = env::var("ERRARE_FUZZ").ok();
    let count = asked.map_or(10_000, |lines| lines.parse().expect("a number of lines"));
    let lines = prop_oneof![4 => mutated(), 1 => random()];
    let mut runner = TestRunner::default();
    let mut draw = || -> Vec<u8> {
        let mut line = lines.new_tree(&mut runner).expect("a line").current();
        line.retain(|byte| *byte != b'\n');
        line
    };
    let mut session = Session::start(&["rep:c=3"]);
    let (mut searches, mut moves) = (0, 0);
    for batch in 0..count / BATCH {
        let mut sent = 0;
        while sent < BATCH {
            let line = draw();
            let text = String::from_utf8_lossy(&line);
            // It ends at `quit`, as it should.
            if !text.split_whitespace().any(|word| word == "quit") {
                searches += usize::from(is_go(&text));
                session.send_bytes(&line);
                sent += 1;
            }
        }
        session.send("stop");
        session.send("debug on");
        session.send(&format!("end of batch {batch}"));
        let end = format!("info string unknown command \"end of batch {batch}\"");
        for line in session.until(&end) {
            assert!(!line.contains("the player failed"), "{line}");
            moves += usize::from(line.starts_with("bestmove"));
            // A `go` whose number is missing is refused.
            let refused = line.starts_with("info string ") && line.contains(" needs a number");
            searches -= usize::from(refused && !line.contains("unknown command"));
        }
    }
    // The last search may still be answered.
    while moves < searches {
        session.until("bestmove");
        moves += 1;
    }
    session.send("quit");
    let (said, well) = session.close();
    assert!(well && !says(&said, "bestmove"), "{said:?}");
    assert_eq!(moves, searches);
    assert!(moves > count / 20, "{moves} moves");
}
