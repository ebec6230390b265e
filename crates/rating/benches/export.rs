//! A million evaluated moves: imported into a study, read as turns, and exported.

use std::{fmt::Write, path::Path, time::Instant};

use errare_rating::{
    Study,
    export::{ExportError, ExportFormat},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

const MOVES: usize = 1_000_000;
const DEPTH: usize = 10;

/// Lines of evaluated turns with this many moves in total, from random games.
fn lines() -> String {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut text = String::new();
    let (mut moves, mut game) = (0, 0);
    while moves < MOVES {
        game += 1;
        let mut position = Chess::default();
        while !position.is_game_over() && position.fullmoves().get() < 60 && moves < MOVES {
            let legal = position.legal_moves();
            let played = legal[random.random_range(0..legal.len())];
            if position.fullmoves().get() > 8 && legal.len() > 1 {
                moves += legal.len();
                let uci =
                    |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard).to_string();
                let mut scores = |depth: usize| -> Vec<i32> {
                    let score =
                        |index| 90 - 13 * index as i32 - depth as i32 + random.random_range(0..20);
                    (0..legal.len()).map(score).collect()
                };
                write!(
                    text,
                    r#"{{"id":"g{game}p{}","engine":"Bench 1","depth":{DEPTH},"fen":"{}","played":"{}","#,
                    moves,
                    Fen::from_position(&position, EnPassantMode::Legal),
                    uci(&played),
                )
                .expect("a string");
                let all: Vec<String> = legal.iter().map(uci).collect();
                write!(
                    text,
                    r#""moves":{all:?},"eval":{:?},"depths":{{"#,
                    scores(DEPTH)
                )
                .expect("a string");
                for depth in 1..DEPTH {
                    let comma = if depth == 1 { "" } else { "," };
                    write!(text, r#"{comma}"{depth}":{:?}"#, scores(depth)).expect("a string");
                }
                text.push_str("}}\n");
            }
            position.play_unchecked(played);
        }
    }
    text
}

fn timed<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let value = act();
    println!("{what:<24} {:.2} s", begun.elapsed().as_secs_f64());
    value
}

fn export(study: &Study, directory: &Path, format: ExportFormat) {
    let view = study.view(None, None).expect("a view");
    let name = format!("export, {format:?}");
    match timed(&name, || study.export(&view, directory, format, &())) {
        Ok(exported) => {
            for file in exported.files {
                let bytes = file.metadata().expect("a file").len();
                println!("  {} bytes in {}", bytes, file.display());
            }
        }
        Err(ExportError::NoParquet) => println!("  left out: built without Parquet"),
        Err(error) => panic!("{error}"),
    }
}

fn main() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = lines();
    let mut study = Study::open_or_create(&directory.path().join("study.db")).expect("a study");
    let imported = timed("import", || study.import(text.as_bytes())).expect("imported");
    println!("  {} turns, {MOVES} moves", imported.turns);
    let view = study.view(None, None).expect("a view");
    timed("read as turns", || study.turns(&view)).expect("turns");
    export(&study, directory.path(), ExportFormat::Csv);
    export(&study, directory.path(), ExportFormat::Parquet);
}
