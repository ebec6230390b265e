//! No engine output makes the driver panic; the result is an evaluation or an error.

#![no_main]

use std::sync::LazyLock;

use errare_engine::{Collector, EngineOutput, Evaluation};
use libfuzzer_sys::fuzz_target;
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

static LEGAL: LazyLock<Vec<UciMove>> = LazyLock::new(|| {
    let moves = Chess::default().legal_moves();
    let uci = |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard);
    // Few enough that all of them may occur.
    moves.iter().take(3).map(uci).collect()
});

fuzz_target!(|input: &[u8]| {
    let mut collector = Collector::new(&LEGAL, 4);
    for line in input.split(|byte| *byte == b'\n') {
        match EngineOutput::parse(line) {
            EngineOutput::Exact(exact) => {
                if collector.hear(&exact).is_err() {
                    return;
                }
            }
            EngineOutput::BestMove(best) => {
                if let Ok(evaluation) = collector.finish(best) {
                    let blob = evaluation.encode();
                    assert_eq!(Evaluation::decode(&blob), Ok(evaluation));
                }
                return;
            }
            EngineOutput::ReadyOk | EngineOutput::Other => {}
        }
    }
});
