//! The driver against a scripted engine.

use std::{thread, time::Duration};

use errare_core::{Deadline, Fault, FaultKind};
use errare_engine::{EngineError, Engines, Score};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::{
    evaluate,
    peer::{Peer, honest, legal},
    run, settings, start,
};

const KQK: &str = "8/8/8/8/4k3/8/1Q6/K7 w - - 0";
const KRK: &str = "8/8/8/8/4k3/8/1R6/K7 w - - 0";
const KPK: &str = "8/8/8/8/4k3/8/1P6/K7 w - - 0";

#[test]
fn an_honest_engine_is_understood() {
    let peer = Peer::new();
    peer.answer(KQK, &honest(KQK, 3));
    let settings = settings(peer.path(), 3);
    let evaluation = evaluate(&settings, KQK).expect("an evaluation");
    assert_eq!(evaluation.moves().len(), legal(KQK).len());
    let depths: Vec<u8> = evaluation.iterations().iter().map(|i| i.depth).collect();
    assert_eq!(depths, [1, 2, 3]);
    let moves = legal(KQK).len();
    let expected = format!(
        "uci \nsetoption name Threads value 1\nsetoption name Hash value 64\nisready \n\
         setoption name MultiPV value {moves}\nucinewgame \nisready \n\
         position fen {KQK} 1\ngo depth 3\n"
    );
    assert_eq!(peer.log(), expected);
    let key = start(&settings).expect("an engine").key().clone();
    assert_eq!(
        key.to_string(),
        "Peer 1.0 (peer.nnue), depth 3, multi-PV all"
    );
}

#[test]
fn noise_bounds_and_what_is_repeated_change_nothing() {
    let peer = Peer::new();
    let plain = honest(KQK, 3);
    peer.answer(KQK, &plain);
    let settings = settings(peer.path(), 3);
    let expected = evaluate(&settings, KQK).expect("an evaluation");

    let moves = legal(KQK);
    let mut noisy = String::from("\u{fffd}\n\ninfo\ninfo string depth 3 score cp 1 pv a1a1\n");
    for line in plain.lines() {
        let bound = line
            .replace(" nodes", " lowerbound nodes")
            .replace("cp ", "cp 9");
        noisy += &format!("{bound}\ninfo depth 3 currmove a1a2 currmovenumber 1\n{line}\r\n");
        if line.contains("depth 3 seldepth 3 multipv 1 ") {
            // After three seconds: everything again, including the previous depth, in another
            // order.
            for (rank, played) in (2..).zip(&moves) {
                noisy += &format!("info depth 2 multipv {rank} score cp 77 pv {played}\n");
            }
        }
    }
    peer.answer(KQK, &noisy);
    assert_eq!(evaluate(&settings, KQK).expect("an evaluation"), expected);
}

#[test]
fn a_crash_a_lie_or_a_missing_line_is_tried_again() {
    let peer = Peer::new();
    let line = "info depth 1 multipv 1 score cp 5 pv ";
    let first = [
        (KQK, "info depth 1\n@exit\n".to_owned()),
        (KRK, format!("{line}h8h7\nbestmove a1a2\n")),
        (KPK, format!("{line}a1a2\nbestmove a1a2\n")),
    ];
    for (fen, lines) in &first {
        peer.answer_first(fen, lines);
        peer.answer(fen, &honest(fen, 2));
    }
    let outcomes = run(&settings(peer.path(), 2), 2, &[KQK, KRK, KPK], 3);
    let expected = [
        "the engine ended; its last line was: info depth 1",
        "the engine named h8h7, which is not a legal move",
        "the engine evaluated 0 of 4 moves at depth 2; all of them only at depth 0",
    ];
    for (outcome, expected) in outcomes.iter().zip(expected) {
        let errors: Vec<String> = outcome.earlier.iter().map(ToString::to_string).collect();
        assert_eq!(errors, [expected]);
        let evaluation = outcome.result.as_ref().expect("a second attempt");
        assert_eq!(evaluation.moves().len(), outcome.job.legal.len());
    }
    assert_eq!(outcomes.len(), 3);
}

#[test]
fn an_engine_that_keeps_failing_is_reported_and_the_others_go_on() {
    let peer = Peer::new();
    peer.answer(KQK, "@exit\n");
    peer.answer(KRK, &honest(KRK, 2));
    peer.answer(KPK, "bestmove (none)\n");
    let outcomes = run(&settings(peer.path(), 2), 1, &[KQK, KRK, KPK], 3);
    let failed = |index: usize| outcomes[index].result.as_ref().expect_err("it fails");
    assert!(matches!(failed(0), EngineError::Ended(_)));
    assert_eq!(outcomes[0].earlier.len(), 2, "three attempts in all");
    assert!(outcomes[1].result.is_ok());
    assert!(matches!(failed(2), EngineError::NoBestMove));
}

#[test]
fn an_engine_without_progress_is_not_waited_for() {
    let peer = Peer::new();
    // Before and after the trouble the engine must also start within that time.
    for (trouble, seconds, expected) in [
        ("info depth 1\n@hang\n", 3, "said nothing for 3 seconds"),
        ("@babble\n", 3, "said nothing for 3 seconds"),
        ("@endless\n", 10, "a line that does not end"),
    ] {
        peer.answer_first(KQK, trouble);
        peer.answer(KQK, &honest(KQK, 2));
        let mut settings = settings(peer.path(), 2);
        settings.silence = Duration::from_secs(seconds);
        let outcomes = run(&settings, 1, &[KQK], 1);
        let error = outcomes[0].earlier[0].to_string();
        assert!(error.contains(expected), "{error}");
        assert!(outcomes[0].result.is_ok());
    }
}

#[test]
fn work_stops_when_it_is_told_to() {
    let peer = Peer::new();
    peer.answer(KQK, &honest(KQK, 2));
    peer.answer(KRK, "@hang\n");
    let outcomes = run(&settings(peer.path(), 2), 2, &[KQK, KRK], 1);
    assert_eq!(outcomes.len(), 1);
    assert_eq!(outcomes[0].job.fen, KQK);
}

/// Ending one of two working engines does not disturb the other.
#[test]
fn engines_are_cancelled_one_by_one() {
    let peer = Peer::new();
    peer.answer(KQK, "@hang\n");
    peer.answer(KRK, &honest(KRK, 2));
    let settings = settings(peer.path(), 2);
    let [mut hanging, mut other] = [(), ()].map(|()| start(&settings).expect("an engine"));
    let cancel = hanging.cancel().clone();
    let error = thread::scope(|scope| {
        let waiting = scope.spawn(|| hanging.evaluate(KQK, &legal(KQK)));
        while !peer.log().contains("go depth") {
            thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        waiting.join().expect("no panic").expect_err("cancelled")
    });
    assert!(matches!(error, EngineError::Stopped), "{error}");
    assert_eq!(error.kind(), FaultKind::Stopped);
    assert!(other.evaluate(KRK, &legal(KRK)).is_ok());
}

/// A request ends with its caller's watch; the engines answer others afterwards.
#[test]
fn a_question_can_be_given_up() {
    let peer = Peer::new();
    let position = |fen: &str| -> Chess {
        let fen: Fen = format!("{fen} 1").parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("legal")
    };
    peer.answer(KQK, "@hang\n");
    peer.answer(KRK, &honest(KRK, 2));
    let engines = Engines::start(settings(peer.path(), 2)).expect("an engine");
    let deadline = Deadline::after(Duration::from_millis(300), &());
    let error = engines
        .evaluate_watched(&position(KQK), &deadline)
        .expect_err("given up");
    assert!(matches!(error, EngineError::Stopped), "{error}");
    assert!(engines.evaluate(&position(KRK)).is_ok());
}

/// As many engines as there are positions, however many are allowed.
#[test]
fn no_more_engines_start_than_there_is_work() {
    let peer = Peer::new();
    for fen in [KQK, KRK] {
        peer.answer(fen, &honest(fen, 2));
    }
    let outcomes = run(&settings(peer.path(), 2), 100_000, &[KQK, KRK], 2);
    assert!(outcomes.iter().all(|outcome| outcome.result.is_ok()));
    assert!(peer.log().matches("uci \n").count() <= 2, "{}", peer.log());
}

#[test]
fn programs_that_are_no_use() {
    let peer = Peer::new();
    let mut settings = settings(peer.path(), 2);
    for (greeting, seconds, expected) in [
        ("@hang\n", 1, "did not greet within 1 seconds"),
        // However long it may be silent afterwards.
        ("@hang\n", 60, "did not greet within 10 seconds"),
        ("id name Slow\n@babble\n", 1, "did not greet"),
        ("@exit\n", 10, "ended"),
        ("hello\nuciok\n", 10, "did not give its name"),
    ] {
        settings.silence = Duration::from_secs(seconds);
        peer.write("greeting", greeting);
        let error = start(&settings).expect_err("no engine").to_string();
        assert!(error.contains(expected), "{error}");
    }
    peer.write(
        "greeting",
        "id name Small 1\noption name MultiPV type spin default 1 min 1 max 4\nuciok\n",
    );
    let error = evaluate(&settings, KQK)
        .expect_err("too many moves")
        .to_string();
    assert!(error.contains("4 lines at most"), "{error}");
    settings.path = peer.directory().join("nothing");
    assert!(matches!(start(&settings), Err(EngineError::Start { .. })));
}

#[test]
fn an_engine_that_is_replaced_is_noticed() {
    let peer = Peer::new();
    peer.answer(KQK, "@exit\n");
    let other = "id name Peer 2.0\noption name MultiPV type spin default 1 min 1 max 256\nuciok\n";
    let greeting = std::fs::read_to_string(peer.directory().join("greeting")).expect("a file");
    peer.write("greeting.first", &greeting);
    peer.write("greeting", other);
    let outcomes = run(&settings(peer.path(), 2), 1, &[KQK], 1);
    let error = outcomes[0].result.as_ref().expect_err("another engine");
    assert!(matches!(error, EngineError::Changed { .. }), "{error}");
}

#[test]
fn mates_are_kept() {
    let peer = Peer::new();
    let moves = legal(KQK);
    let mut lines = String::new();
    for (rank, played) in (1..).zip(&moves) {
        let mate = if rank == 1 { 8 } else { -rank };
        lines += &format!("info depth 1 multipv {rank} score mate {mate} pv {played}\n");
    }
    peer.answer(KQK, &format!("{lines}bestmove {}\n", moves[0]));
    // The search ends early because it has found a mate.
    let evaluation = evaluate(&settings(peer.path(), 5), KQK).expect("an evaluation");
    let iteration = evaluation.at(5).expect("its last");
    assert_eq!(iteration.depth, 1);
    assert_eq!(iteration.ranking[0].score, Score::Mate(8));
    assert_eq!(iteration.ranking[1].score, Score::Mate(-2));
}
