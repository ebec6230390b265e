//! How long `errare uci` takes from `go` to `bestmove` in a four-man endgame whose table is built.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use criterion::{Criterion, criterion_group, criterion_main};

/// The deepest win of KQKR in DTC.
const DEEPEST: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

fn reply(criterion: &mut Criterion) {
    let program = env!("CARGO_BIN_EXE_errare");
    let tables = tempfile::tempdir().unwrap();
    let built = Command::new(program)
        .args([
            "tables", "build", "KQKR", "--metric", "dtc", "--metric", "dtm",
        ])
        .arg("--tables")
        .arg(tables.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    for player in ["rep:c=20", "emulator:c=20", "predator"] {
        let mut engine = Command::new(program)
            .args(["uci", player, "--tables"])
            .arg(tables.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = engine.stdin.take().unwrap();
        let mut output = BufReader::new(engine.stdout.take().unwrap());
        writeln!(input, "setoption name Engine value <empty>").unwrap();
        writeln!(input, "position fen {DEEPEST}").unwrap();
        let mut go = || {
            writeln!(input, "go movetime 1000").unwrap();
            let mut line = String::new();
            while !line.starts_with("bestmove") {
                line.clear();
                output.read_line(&mut line).unwrap();
            }
        };
        criterion.bench_function(&format!("go in KQKR, {player}"), |bencher| {
            bencher.iter(&mut go);
        });
        engine.kill().unwrap();
        engine.wait().unwrap();
    }
}

criterion_group!(benches, reply);
criterion_main!(benches);
