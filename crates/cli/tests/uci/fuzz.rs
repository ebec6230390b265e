//! Ten thousand command lines that make little sense: no panic of any thread, no hang, no move too many or too few.

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use crate::session::Session;

/// Lines that make sense, to be mutated.
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

/// A line with words left out, doubled, swapped for others or spoilt.
fn mutated() -> impl Strategy<Value = String> {
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
        words.join(" ").replace(['\n', '\r'], " ")
    })
}

#[test]
fn ten_thousand_mutated_lines() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let lines = mutated();
    let mut session = Session::start(&["rep:c=3"]);
    let (mut searches, mut moves) = (0, 0);
    for batch in 0..200 {
        for _ in 0..50 {
            let line = loop {
                let line = lines.new_tree(&mut runner).expect("a line").current();
                // It ends at that, as it should.
                if !line.split_whitespace().any(|word| word == "quit") {
                    break line;
                }
            };
            session.send(&line);
        }
        session.send("stop");
        session.send("debug on");
        session.send(&format!("end of batch {batch}"));
        let end = format!("info string unknown command \"end of batch {batch}\"");
        for line in session.until(&end) {
            assert!(!line.contains("the player failed"), "{line}");
            searches += usize::from(line.starts_with("info depth") || line.starts_with("bestmove"));
            moves += usize::from(line.starts_with("bestmove"));
        }
    }
    assert!(moves > 500, "{moves} moves in {searches} lines");
    session.send("setoption name Agent value random");
    session.send("setoption name UCI_LimitStrength value false");
    session.send("setoption name MoveTime value instant");
    session.send("position startpos");
    session.go("movetime 100");
    session.send("quit");
    assert!(session.close().1);
}
