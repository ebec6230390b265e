//! How the agents play behind the protocol.

use std::{os::unix::fs::PermissionsExt, path::Path, process::Command, time::Duration};

use errare_testing::scratch_directory;

use crate::{
    TABLES, WON, program,
    session::{Session, says},
};

#[test]
fn scores_are_those_of_the_tables() {
    let mut session = Session::start(&["best"]);
    session.set("Metric", "dtm");
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    let (chosen, said) = session.go("");
    assert_eq!(chosen, "g1g7", "{said:?}");
    assert!(says(&said, "score mate 1"), "{said:?}");
    assert!(
        says(&said, "probability 1.000 ceded 0 by tables (dtm)"),
        "{said:?}"
    );
    // The defender is mated in as many moves as the winner needs.
    session.send("position fen 7k/8/5K2/8/8/8/8/Q7 b - - 0 1");
    let (_, said) = session.go("");
    assert!(says(&said, "score mate -"), "{said:?}");
}

/// Tables know the worth of a move, whoever chooses it.
#[test]
fn scores_are_true_for_agents_who_do_not_look_at_tables() {
    let mut session = Session::start(&["minimax:depth=1"]);
    session.send(&format!("position fen {WON}"));
    let (chosen, said) = session.go("");
    assert!(says(&said, "score mate "), "{said:?}");
    assert!(says(&said, &format!("pv {chosen}")), "{said:?}");
    assert!(says(&said, "(dtc) by the rules alone") || says(&said, "ceded the result"));
    // Elsewhere they have no opinion, except on a mate.
    session.send("position startpos");
    assert!(says(&session.go("").1, "score cp 0 "));
}

#[test]
fn the_predator_says_what_it_has_learnt() {
    let mut session = Session::start(&["predator"]);
    session.send("position fen 8/8/8/4k3/8/8/8/KQ6 b - - 0 1 moves e5d5 b1b4 d5e5 b4a4 e5d5 a4a8");
    let (_, said) = session.go("");
    assert!(says(&said, "opponent: "), "{said:?}");
    assert!(says(&said, "after 3 moves"), "{said:?}");
}

/// In a table position the hunter plays the move that is best by its solution, which is not the Predator's here.
#[test]
fn the_hunter_plays_by_its_solution() {
    const LOST: &str = "8/8/8/4k3/7R/8/8/3K4 b - - 0 1";
    let advice = program::errare()
        .args([
            "advise", LOST, "--skill", "10", "--hunter", "--json", "--tables", &TABLES,
        ])
        .output()
        .expect("it starts");
    let advice: serde_json::Value = serde_json::from_slice(&advice.stdout).expect("an answer");
    let best = advice["hunter"]["length"]["best"].as_str().expect("a move");
    assert_ne!(advice["best"], best);
    let mut session = Session::start(&["hunter:c=10"]);
    session.send(&format!("position fen {LOST}"));
    let (chosen, said) = session.go("");
    assert_eq!(chosen, best, "{said:?}");
}

#[test]
fn without_an_engine_it_says_so_and_plays() {
    for agent in [
        "player",
        "emulator",
        "predator",
        "hunter",
        "infallible",
        "human",
    ] {
        let mut session = Session::start(&[]);
        session.set("Agent", agent);
        session.send("position startpos");
        let (_, said) = session.go("");
        assert!(says(&said, "engine"), "{agent}: {said:?}");
        assert!(says(&said, "knows only the rules"), "{agent}: {said:?}");
        assert!(says(&said, "by the rules alone"), "{agent}: {said:?}");
    }
    let mut session = Session::start(&["human:elo=1800"]);
    session.set("Engine", "/no/such/engine");
    session.send("position startpos");
    let (_, said) = session.go("");
    assert!(says(&said, "/no/such/engine"), "{said:?}");
    assert!(says(&said, "knows only the rules"), "{said:?}");
}

/// The model of people comes from undecided games: in a table position R_c of the option `Competence` decides, with or
/// without the engine, and a message says so.
#[test]
fn tables_decide_for_people_too() {
    let mut session = Session::start(&["human:elo=1600"]);
    session.set("Competence", "12.5");
    session.send(&format!("position fen {WON}"));
    let (_, said) = session.go("");
    assert!(
        says(&said, "in table positions rep:c=12.5 decides"),
        "{said:?}"
    );
    assert!(says(&said, " by tables (dtc)"), "{said:?}");
    session.send("position startpos");
    assert!(says(&session.go("").1, "knows only the rules"));
    session.set("Engine", "stockfish");
    assert!(says(&session.go("").1, "by the engine's list at depth 8"));
    session.send(&format!("position fen {WON}"));
    assert!(says(&session.go("").1, " by tables (dtc)"));
}

/// A Predator that would look very far ahead moves in time, by what it has seen so far.
#[test]
fn a_deep_predator_moves_in_time() {
    let mut session = Session::start(&["predator:plies=40,c=20"]);
    session.ask("isready", "readyok");
    session.send("position fen 8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let (_, said) = session.go("wtime 20000 btime 20000");
    assert!(says(&said, "of 40 plies ahead"), "{said:?}");
    assert!(says(&said, "by tables (dtc)"), "{said:?}");
}

/// A user's calibration sets the range of ratings and how such people play; one of agents by rating is refused.
#[test]
fn a_calibration_of_ones_own() {
    let shown = |name: &str| {
        let shown = program::errare()
            .args(["calibration", "show", name, "--json"])
            .output()
            .unwrap();
        String::from_utf8(shown.stdout).unwrap()
    };
    let directory = scratch_directory();
    let file = directory.join("calibration.json");
    let path = file.to_str().unwrap();
    let shipped = shown("stockfish-15.1-depth-8");
    let mut own: serde_json::Value = serde_json::from_str(&shipped).unwrap();
    own["origin"]["elo"] = serde_json::json!([1000.0, 2000.0]);
    std::fs::write(&file, own.to_string()).unwrap();
    let mut session = Session::bare(&["human:elo=900", "--calibration", path]);
    let said = session.ask("uci", "uciok");
    let elo = "option name UCI_Elo type spin default 900 min 500 max 2600";
    assert!(says(&said, elo), "{said:?}");
    session.send("position startpos");
    session.ask("isready", "readyok");
    let (_, said) = session.go("wtime 60000 btime 60000");
    // The engine installed by the tests matches the calibration; others are refused.
    let remark = match says(&said, "by the engine's list at depth 8") {
        true => "human:elo=900 extrapolates: the calibration is made of players rated 1000 to 2000",
        false => "the calibration is for Stockfish 15.1",
    };
    assert!(says(&said, remark), "{said:?}");

    std::fs::write(&file, shown("stockfish-15.1-depth-8-paper")).unwrap();
    let refused = program::errare()
        .args(["uci", "--calibration", path])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8_lossy(&refused.stderr);
    assert!(words.contains("one of the continuous family"), "{words}");
}

/// `isready` and `stop` are answered while a table is built.
#[test]
fn it_listens_while_a_table_is_built() {
    let directory = scratch_directory();
    let mut session = Session::bare(&["rep:c=20"]);
    session.set("Engine", "<empty>");
    session.set("TablePath", directory.display());
    session.send("position fen 8/8/8/4k3/8/8/2r5/KQ6 w - - 0 1");
    session.send("go infinite");
    assert!(!says(&session.ask("isready", "readyok"), "bestmove"));
    session.ask("stop", "bestmove");
    let (_, said) = session.go("movetime 100");
    assert!(says(&said, "bestmove"));
    session.send("quit");
    assert!(session.close().1);
}

/// An engine that is slow to start: the real one after a pause.
fn slow_engine(pause: &str) -> String {
    let engine = errare_engine::find(None).expect("cargo xtask test installs Stockfish");
    let script = scratch_directory().join("slow");
    let text = format!("#!/bin/sh\nsleep {pause}\nexec {}\n", engine.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script.to_str().unwrap().to_owned()
}

/// The time for a move runs from `go`, even while an engine starts: the rest goes to the engine, not to a stand-in. The
/// share of the clock may be used up before the engine has started, but the clock allows more.
#[test]
fn an_engine_that_starts_late_still_moves() {
    let engine = slow_engine("1");
    let moves = |limits: &str| {
        let mut session = Session::bare(&["rep:c=20"]);
        session.set("Engine", &engine);
        session.set("EngineDepth", 90);
        session.send("position startpos");
        says(&session.go(limits).1, "by the engine's list at depth")
    };
    // A busy machine may need more time.
    let patience = [1, 4, 16];
    assert!((patience.iter()).any(|times| moves(&format!("movetime {}", times * 3000))));
    assert!((patience.iter()).any(|times| moves(&format!("wtime {0} btime {0}", times * 30_000))));
}

/// An engine that does not start in time is distinguished from one that thinks too long.
#[test]
fn an_engine_that_starts_too_late_is_told() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.set("Engine", slow_engine("5"));
    session.send("position startpos");
    let (_, said) = session.go("movetime 500");
    assert!(says(&said, "the player was not ready in time"), "{said:?}");
}

/// An engine that stops listening costs a move, and another takes its place.
#[test]
fn a_deaf_engine_is_replaced() {
    let engine = errare_engine::find(None).expect("cargo xtask test installs Stockfish");
    let directory = scratch_directory();
    let (script, number) = (directory.join("named"), directory.join("number"));
    let text = format!(
        "#!/bin/sh\necho $$ > {}\nexec {}\n",
        number.display(),
        engine.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut session = Session::bare(&["rep:c=20"]);
    session.set("Engine", script.display());
    session.set("EngineDepth", 90);
    session.ask("isready", "readyok");
    let deaf = std::fs::read_to_string(&number).unwrap();
    let stopped = Command::new("kill").args(["-STOP", deaf.trim()]).status();
    assert!(stopped.unwrap().success());
    session.send("position startpos");
    assert!(says(&session.go("movetime 500").1, "out of time"));
    // A busy machine may need several moves for it.
    assert!((0..20).any(|_| says(
        &session.go("movetime 3000").1,
        "by the engine's list at depth"
    )));
    assert_ne!(std::fs::read_to_string(&number).unwrap(), deaf);
}

/// Each move says why there is no player of that rating: there may well be an engine.
#[test]
fn a_missing_calibration_is_not_a_missing_engine() {
    let mut session = Session::bare(&["human:elo=1600"]);
    session.set("EngineDepth", 12);
    session.send("position startpos");
    for _ in 0..2 {
        let (_, said) = session.go("");
        assert!(says(&said, "no calibration for"), "{said:?}");
        assert!(!says(&said, "no engine"), "{said:?}");
    }
}

/// After `ponderhit` time runs as after `go`, however long the engine would like to think.
#[test]
fn pondering_ends_in_time_with_the_engines_move() {
    for player in ["rep:c=20", "predator", "human:elo=2000"] {
        let mut session = Session::bare(&[player]);
        session.ask("isready", "readyok");
        // `human` has only the depth of its calibration, which is soon reached.
        if !player.starts_with("human") {
            session.set("EngineDepth", 90);
        }
        session.send("position startpos moves e2e4 e7e5");
        session.send("go ponder wtime 60000 btime 60000");
        session.ask("isready", "readyok");
        let said = session.ask("ponderhit", "bestmove");
        assert!(
            says(&said, "by the engine's list at depth"),
            "{player}: {said:?}"
        );
    }
}

/// A player that searches by itself stops when told to and when its time is up: it is free for the next move.
#[test]
fn minimax_is_stopped() {
    let mut session = Session::start(&["minimax:depth=12"]);
    session.send("position startpos");
    session.send("go infinite");
    session.ask("isready", "readyok");
    let said = session.ask("stop", "bestmove");
    assert!(says(&said, "out of time"), "{said:?}");
    assert!(says(&session.go("movetime 50").1, "out of time"));
    // Without a limit the answer waits for the player, whose search would have taken years.
    session.set("Agent", "random");
    let (_, said) = session.go("");
    assert!(!says(&said, "out of time"), "{said:?}");
}

/// Where neither side can mate there is still a move, whichever player plays.
#[test]
fn dead_positions_have_moves() {
    for player in [
        "rep:c=20",
        "minimax:depth=2",
        "random",
        "predator",
        "human:elo=1800",
    ] {
        let mut session = Session::start(&[player]);
        session.send("position fen 8/8/8/4k3/8/8/8/K7 w - - 0 1");
        let (chosen, said) = session.go("movetime 500");
        assert!(chosen.starts_with("a1"), "{player}: {said:?}");
    }
}

/// The Hunter has solved endgames and nothing else: elsewhere it plays as the Predator does, and says so.
#[test]
fn the_hunter_plays_by_an_engine_outside_tables() {
    let mut session = Session::bare(&["hunter"]);
    session.send("position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g7g6 h5f3");
    let (_, said) = session.go("");
    assert!(says(&said, "plays as the Predator does"), "{said:?}");
    assert!(says(&said, "by the engine's list at depth 8"), "{said:?}");
    assert!(says(&said, "opponent: Elo"), "{said:?}");
}

/// In a table position it says when it has no solution yet, and what it does where none is possible.
#[test]
fn the_hunter_says_what_it_does_without_a_solution() {
    let tables = scratch_directory();
    for table in ["KQK.dtc.errare", "KQK.dtm.errare"] {
        std::fs::copy(Path::new(&*TABLES).join(table), tables.join(table)).unwrap();
    }
    let start = || {
        let mut session = Session::start(&["hunter:c=20"]);
        session.set("TablePath", tables.display());
        session.send(&format!("position fen {WON}"));
        session
    };
    let mut session = start();
    // The search stops, solving goes on. A busy machine may be too late for a move of the player, but not always.
    assert!((0..50).any(|_| {
        session.send("go infinite");
        let said = session.ask("stop", "bestmove");
        says(&said, "is not solved yet after") && says(&said, "s: the Predator's move")
    }));
    assert!(!says(&session.go("").1, "Predator's move"));
    // The solution is in a file now, which gets damaged: it is replaced.
    let files = std::fs::read_dir(&tables)
        .unwrap()
        .map(|it| it.unwrap().path());
    let hunts: Vec<_> = files
        .filter(|it| it.extension().is_some_and(|it| it == "hunt"))
        .collect();
    assert!(!hunts.is_empty());
    for hunt in &hunts {
        std::fs::write(hunt, "spoilt").unwrap();
    }
    let (_, said) = start().go("");
    assert!(says(&said, "by tables (dtc)"), "{said:?}");
    assert!(!says(&said, "rep:c=20 decides"), "{said:?}");
    for hunt in &hunts {
        assert_ne!(std::fs::read(hunt).unwrap(), b"spoilt");
    }
}

/// However deep the search, `stop` gets a move from what the engine has found so far, and nothing waits for the
/// rest.
#[test]
fn a_deep_search_is_stopped() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.set("EngineDepth", 90);
    session.ask("isready", "readyok");
    session.send("position startpos");
    let mut wait = Duration::from_millis(50);
    loop {
        session.send("go infinite");
        session.ask("isready", "readyok");
        std::thread::sleep(wait);
        if says(
            &session.ask("stop", "bestmove"),
            "by the engine's list at depth",
        ) {
            break;
        }
        // A busy machine takes longer to start.
        wait *= 2;
    }
    session.set("EngineDepth", 4);
    let (_, said) = session.go("");
    assert!(says(&said, "by the engine's list at depth 4"), "{said:?}");
}

/// By an engine's list outside tables; people by their calibrated curve.
#[test]
fn an_engine_is_the_oracle_outside_tables() {
    for player in [
        "rep:c=20",
        "emulator:c=10",
        "predator",
        "best",
        "human:elo=1700",
    ] {
        let mut session = Session::bare(&[player]);
        session.set("EngineDepth", 8);
        session.send("position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g8f6");
        let (_, said) = session.go("");
        assert!(
            says(&said, "by the engine's list at depth 8"),
            "{player}: {said:?}"
        );
        assert!(says(&said, "probability"), "{player}: {said:?}");
        assert!(says(&said, "score "), "{player}: {said:?}");
    }
    let mut session = Session::bare(&["predator"]);
    session.send("position startpos moves e2e4 e7e5 f1c4 b8c6 d1h5 g7g6 h5f3");
    let (_, said) = session.go("");
    assert!(says(&said, "opponent: Elo"), "{said:?}");
}
