//! How the agents play behind the protocol.

use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    time::{Duration, Instant},
};

use errare_testing::scratch_directory;

use crate::{
    TABLES, program,
    session::{Session, says},
};

/// Mate in four by the queen, and its score.
const WON: &str = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";

#[test]
fn scores_are_those_of_the_tables() {
    let mut session = Session::start(&["best"]);
    session.send("setoption name Metric value dtm");
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

/// Tables know the worth of a move, whoever makes it by whatever.
#[test]
fn scores_are_true_for_agents_who_do_not_look_at_tables() {
    let mut session = Session::start(&["minimax:depth=1"]);
    session.send(&format!("position fen {WON}"));
    let (chosen, said) = session.go("");
    assert!(says(&said, "score mate "), "{said:?}");
    assert!(says(&said, &format!("pv {chosen}")), "{said:?}");
    assert!(says(&said, "(dtc) by the rules alone") || says(&said, "ceded the result"));
    // Elsewhere they have no opinion, except of a mate.
    session.send("position startpos");
    assert!(says(&session.go("").1, "score cp 0 "));
}

#[test]
fn an_empty_path_of_tables_is_that_of_the_command_line() {
    let empty = scratch_directory();
    let mut session = Session::bare(&["best", "--tables", &TABLES]);
    session.send("setoption name Engine value <empty>");
    session.send("setoption name BuildMen value 0");
    session.send(&format!("position fen {WON}"));
    assert!(says(&session.go("").1, "by tables (dtc)"));
    let elsewhere = empty.display();
    session.send(&format!("setoption name TablePath value {elsewhere}"));
    assert!(says(&session.go("").1, "no dtc table of KQK"));
    session.send("setoption name TablePath value");
    assert!(says(&session.go("").1, "by tables (dtc)"));
}

#[test]
fn analysis_shows_the_best_lines() {
    let mut session = Session::start(&["random"]);
    session.send("setoption name MultiPV value 4");
    session.send("setoption name UCI_AnalyseMode value true");
    session.send(&format!("position fen {WON}"));
    let (_, lines) = session.go("");
    let mates: Vec<i32> = (1..=4)
        .map(|rank| {
            let start = format!("multipv {rank} score mate ");
            let line = lines.iter().find(|line| line.contains(&start));
            let line = line.unwrap_or_else(|| panic!("{lines:#?}"));
            let score = line.split(&start).nth(1).unwrap();
            score.split(' ').next().unwrap().parse().unwrap()
        })
        .collect();
    assert!(
        mates[0] > 0 && mates[0] < 11 && mates.is_sorted(),
        "{mates:?}"
    );
    // Of the moves that are asked for.
    let (chosen, said) = session.go("searchmoves b1b2 a1a2");
    let firsts = said.iter().filter_map(|line| line.split(" pv ").nth(1));
    let mut firsts: Vec<&str> = firsts.map(|moves| &moves[..4]).collect();
    assert!(firsts.contains(&&*chosen), "{said:?}");
    firsts.sort_unstable();
    assert_eq!(firsts, ["a1a2", "b1b2"], "{said:?}");
}

/// The first moves of a new game, and the seed that is shown for it.
fn game(session: &mut Session) -> (Vec<String>, String) {
    session.send("ucinewgame");
    session.send(&format!("position fen {WON}"));
    let mut seed = None;
    let moves = (0..12).map(|_| {
        let (chosen, said) = session.go("");
        let shown = said
            .iter()
            .find_map(|line| line.strip_prefix("info string seed "));
        seed = seed.take().or(shown.map(str::to_owned));
        chosen
    });
    (moves.collect(), seed.expect("it is shown"))
}

/// The seed that is shown for a game repeats it, whichever game of a process it was: in another process, and again in the same.
#[test]
fn the_shown_seed_repeats_the_game() {
    for first in ["random", "7"] {
        let mut session = Session::start(&["rep:c=2"]);
        session.send(&format!("setoption name Seed value {first}"));
        let games = [(); 3].map(|()| game(&mut session));
        assert!(games[0].0 != games[1].0 && games[1].0 != games[2].0);
        for (moves, seed) in &games {
            let mut other = Session::start(&["rep:c=2"]);
            for session in [&mut other, &mut session] {
                session.send(&format!("setoption name Seed value {seed}"));
                assert_eq!(game(session), (moves.clone(), seed.clone()));
            }
        }
    }
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
        session.send(&format!("setoption name Agent value {agent}"));
        session.send("position startpos");
        let (_, said) = session.go("");
        assert!(says(&said, "engine"), "{agent}: {said:?}");
        assert!(says(&said, "knows only the rules"), "{agent}: {said:?}");
        assert!(says(&said, "by the rules alone"), "{agent}: {said:?}");
    }
    let mut session = Session::start(&["human:elo=1800"]);
    session.send("setoption name Engine value /no/such/engine");
    session.send("position startpos");
    let (_, said) = session.go("");
    assert!(says(&said, "/no/such/engine"), "{said:?}");
    assert!(says(&said, "knows only the rules"), "{said:?}");
}

/// People of a rating are known by undecided games: in a table position R_c of the option `Competence` decides, with the engine and
/// without it, and it says so.
#[test]
fn tables_decide_for_people_too() {
    let mut session = Session::start(&["human:elo=1600"]);
    session.send("setoption name Competence value 12.5");
    session.send(&format!("position fen {WON}"));
    let (_, said) = session.go("");
    assert!(
        says(&said, "in table positions rep:c=12.5 decides"),
        "{said:?}"
    );
    assert!(says(&said, " by tables (dtc)"), "{said:?}");
    session.send("position startpos");
    assert!(says(&session.go("").1, "knows only the rules"));
    session.send("setoption name Engine value stockfish");
    assert!(says(&session.go("").1, "by the engine's list at depth 8"));
    session.send(&format!("position fen {WON}"));
    assert!(says(&session.go("").1, " by tables (dtc)"));
}

/// Whoever keeps the result never gives it away, however careless otherwise.
#[test]
fn the_result_is_kept_unless_it_may_be_risked() {
    let mut session = Session::start(&["rep:c=0"]);
    session.send("setoption name Seed value 1");
    session.send(&format!("position fen {WON}"));
    let mut conceded = |keep: bool| {
        session.send(&format!("setoption name KeepResult value {keep}"));
        (0..60).any(|_| says(&session.go("").1, "ceded the result"))
    };
    assert!(conceded(false));
    assert!(!conceded(true));
}

/// How likely the player was to choose a move.
fn chance(session: &mut Session, chosen: &str) -> f64 {
    let (_, said) = session.go(&format!("searchmoves {chosen}"));
    let told = said
        .iter()
        .find_map(|line| line.split(" probability ").nth(1));
    let chance = told.and_then(|rest| rest.split(' ').next());
    chance
        .unwrap_or_else(|| panic!("{said:?}"))
        .parse()
        .unwrap()
}

/// The greater kappa, the less a player tells good moves from bad ones (Haworth & Andrist, 2004, section 4.2).
#[test]
fn kappa_changes_the_choice() {
    let mut session = Session::start(&["rep:c=8"]);
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    let chances: Vec<f64> = ["0.5", "1", "20"]
        .into_iter()
        .map(|kappa| {
            session.send(&format!("setoption name Kappa value {kappa}"));
            chance(&mut session, "g1g7")
        })
        .collect();
    assert!(chances.is_sorted_by(|a, b| a > b), "{chances:?}");
}

/// Even the random player mates if it sees one move ahead, and not always if it sees none.
#[test]
fn the_horizon_changes_the_choice() {
    let mut session = Session::start(&["rep:c=0"]);
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    let blind = chance(&mut session, "g1g7");
    session.send("setoption name Horizon value 1");
    let sighted = chance(&mut session, "g1g7");
    assert!(blind < 0.5 && blind > 0.0, "{blind}");
    assert_eq!(sighted, 1.0);
    let mates = (0..20).all(|_| says(&session.go("").1, "score mate 1 "));
    assert!(mates);
}

/// A Predator that would look very far ahead moves in time, by what it has seen.
#[test]
fn a_deep_predator_moves_in_time() {
    let mut session = Session::start(&["predator:plies=40,c=20"]);
    session.ask("isready", "readyok");
    session.send("position fen 8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let (_, said) = session.go("wtime 20000 btime 20000");
    assert!(says(&said, "of 40 plies ahead"), "{said:?}");
    assert!(says(&said, "by tables (dtc)"), "{said:?}");
}

/// One's own calibration says which ratings there are and how people of them play; one of agents by rating says neither.
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
    // The engine that the tests install is the calibration's, others are refused.
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

/// What is kept for the way to the clock is not thought away.
#[test]
fn move_overhead_makes_replies_earlier() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.send("setoption name EngineDepth value 90");
    session.send("position startpos");
    session.ask("isready", "readyok");
    let mut takes = |overhead: u32| {
        session.send(&format!("setoption name Move Overhead value {overhead}"));
        session.ask("isready", "readyok");
        let begun = Instant::now();
        session.go("movetime 1500");
        begun.elapsed()
    };
    let whole = takes(0);
    assert!(whole >= Duration::from_millis(1200), "{whole:?}");
    // A busy machine may be late now and then, but not always.
    let early = (0..20).any(|_| takes(900) < Duration::from_millis(1200));
    assert!(early);
}

/// Syzygy tables decide where ours are missing, however few the men. `ERRARE_REFERENCE` names a directory with some in `syzygy`.
#[test]
fn syzygy_tables_take_the_place_of_missing_ones() {
    let Some(reference) = std::env::var_os("ERRARE_REFERENCE") else {
        return errare_testing::skip("ERRARE_REFERENCE is not set");
    };
    let syzygy = Path::new(&reference).join("syzygy");
    let empty = scratch_directory();
    for player in ["best", "rep:c=20", "predator", "emulator:c=20"] {
        let mut session = Session::start(&[player]);
        session.send(&format!(
            "setoption name TablePath value {}",
            empty.display()
        ));
        session.send(&format!(
            "setoption name SyzygyPath value {}",
            syzygy.display()
        ));
        session.send(&format!("position fen {WON}"));
        let (_, said) = session.go("");
        assert!(says(&said, "by tables (dtz)"), "{player}: {said:?}");
        // Ours come first.
        session.send(&format!("setoption name TablePath value {}", *TABLES));
        let (_, said) = session.go("");
        assert!(says(&said, "by tables (dtc)"), "{player}: {said:?}");
    }
}

/// `isready` and `stop` are answered while a table is built.
#[test]
fn it_listens_while_a_table_is_built() {
    let directory = scratch_directory();
    let mut session = Session::bare(&["rep:c=20"]);
    session.send("setoption name Engine value <empty>");
    session.send(&format!(
        "setoption name TablePath value {}",
        directory.display()
    ));
    session.send("position fen 8/8/8/4k3/8/8/2r5/KQ6 w - - 0 1");
    session.send("go infinite");
    assert!(!says(&session.ask("isready", "readyok"), "bestmove"));
    session.ask("stop", "bestmove");
    let (_, said) = session.go("movetime 100");
    assert!(says(&said, "bestmove"));
    session.send("quit");
    assert!(session.close().1);
}

/// A table is built while the game goes on, and used as soon as it is there.
#[test]
fn missing_tables_are_built_in_the_background() {
    let directory = scratch_directory();
    let mut session = Session::bare(&["best"]);
    session.send("setoption name Engine value <empty>");
    session.send(&format!(
        "setoption name TablePath value {}",
        directory.display()
    ));
    session.send(&format!("position fen {WON}"));
    let (_, said) = session.go("");
    assert!(says(&said, "it is built in the background"), "{said:?}");
    let begun = Instant::now();
    loop {
        let (_, said) = session.go("");
        if says(&said, "by tables (dtc)") && says(&said, "score mate") {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "{said:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Time as people take it: hard choices longer than easy ones, and forced moves at once.
#[test]
fn human_time() {
    let mut session = Session::start(&["rep:c=0"]);
    session.send("setoption name MoveTime value human");
    session.send("setoption name KeepResult value false");
    // Which of 26 moves, all the same to a player who knows nothing: 4.7 bits, twice the share of the clock, two thirds at least.
    session.send(&format!("position fen {WON}"));
    let hard = Instant::now();
    session.go("wtime 20000 btime 20000");
    assert!(hard.elapsed() >= Duration::from_millis(600));
    // Nothing but mate: a fifth of the share, three halves of that at most. A busy machine may be late now and then.
    session.send("setoption name Competence value inf");
    session.send("position fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1");
    let easy = |session: &mut Session| {
        let begun = Instant::now();
        session.go("wtime 20000 btime 20000");
        begun.elapsed()
    };
    assert!((0..20).any(|_| easy(&mut session) < Duration::from_millis(400)));
    // With a day on the clock, only a forced move comes before the test is given up.
    session.send("position fen 7k/5K2/8/8/8/8/8/6Q1 b - - 0 1");
    session.go("wtime 86400000 btime 86400000");
}

/// An engine that takes its time to start: the real one after a pause.
fn slow_engine(pause: &str) -> String {
    let engine = errare_engine::find(None).expect("cargo xtask test installs Stockfish");
    let script = scratch_directory().join("slow");
    let text = format!("#!/bin/sh\nsleep {pause}\nexec {}\n", engine.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script.to_str().unwrap().to_owned()
}

/// The time of a move runs from `go`, also while an engine starts: what is left goes to the engine, not to a stand-in. A share of
/// the clock may be over before the engine has started, but the clock can bear more.
#[test]
fn an_engine_that_starts_late_still_moves() {
    let engine = slow_engine("1");
    let moves = |limits: &str| {
        let mut session = Session::bare(&["rep:c=20"]);
        session.send(&format!("setoption name Engine value {engine}"));
        session.send("setoption name EngineDepth value 90");
        session.send("position startpos");
        says(&session.go(limits).1, "by the engine's list at depth")
    };
    // A busy machine may need more time.
    let patience = [1, 4, 16];
    assert!((patience.iter()).any(|times| moves(&format!("movetime {}", times * 3000))));
    assert!((patience.iter()).any(|times| moves(&format!("wtime {0} btime {0}", times * 30_000))));
}

/// An engine that is not there in time is told from one that thinks too long.
#[test]
fn an_engine_that_starts_too_late_is_told() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.send(&format!("setoption name Engine value {}", slow_engine("5")));
    session.send("position startpos");
    let (_, said) = session.go("movetime 500");
    assert!(says(&said, "the player was not ready in time"), "{said:?}");
}

/// After `ponderhit` time runs as after `go`, however long the engine would like to think.
#[test]
fn pondering_ends_in_time_with_the_engines_move() {
    for player in ["rep:c=20", "predator", "human:elo=2000"] {
        let mut session = Session::bare(&[player]);
        session.ask("isready", "readyok");
        // Of `human` only the depth of its calibration is known, which is soon reached.
        if !player.starts_with("human") {
            session.send("setoption name EngineDepth value 90");
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

/// A player that searches by itself stops when it is told to, and when its time is over: the next move finds it free.
#[test]
fn minimax_is_stopped() {
    let mut session = Session::start(&["minimax:depth=12"]);
    session.send("position startpos");
    session.send("go infinite");
    session.ask("isready", "readyok");
    let said = session.ask("stop", "bestmove");
    assert!(says(&said, "out of time"), "{said:?}");
    assert!(says(&session.go("movetime 50").1, "out of time"));
    // Without a limit the answer waits for the player, who would take years for what it was stopped at.
    session.send("setoption name Agent value random");
    let (_, said) = session.go("");
    assert!(!says(&said, "out of time"), "{said:?}");
}

/// Where nobody can mate any more there still is a move, whoever plays.
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

/// In a table position it says when it has no solution yet, and what it does where it can have none.
#[test]
fn the_hunter_says_what_it_does_without_a_solution() {
    let tables = scratch_directory();
    for table in ["KQK.dtc.errare", "KQK.dtm.errare"] {
        std::fs::copy(Path::new(&*TABLES).join(table), tables.join(table)).unwrap();
    }
    let start = || {
        let mut session = Session::start(&["hunter:c=20"]);
        session.send(&format!(
            "setoption name TablePath value {}",
            tables.display()
        ));
        session.send(&format!("position fen {WON}"));
        session
    };
    let mut session = start();
    // Solving is stopped with the search. A busy machine may be too late for any move of the player, but not always.
    assert!((0..50).any(|_| {
        session.send("go infinite");
        let said = session.ask("stop", "bestmove");
        says(&said, "is not solved yet: the Predator's move")
    }));
    assert!(!says(&session.go("").1, "Predator's move"));
    // The solution is in a file now, which somebody spoils.
    let files = std::fs::read_dir(&tables)
        .unwrap()
        .map(|it| it.unwrap().path());
    let hunts: Vec<_> = files
        .filter(|it| it.extension().is_some_and(|it| it == "hunt"))
        .collect();
    assert!(!hunts.is_empty());
    for hunt in hunts {
        std::fs::write(hunt, "spoilt").unwrap();
    }
    let (_, said) = start().go("");
    assert!(says(&said, "is damaged"), "{said:?}");
    assert!(says(&said, "rep:c=20 decides"), "{said:?}");
    assert!(says(&said, "by tables (dtc)"), "{said:?}");
}

/// However deep the engine is to look, `stop` gets a move by what it has found, and nothing waits for the rest.
#[test]
fn a_deep_search_is_stopped() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.send("setoption name EngineDepth value 90");
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
    session.send("setoption name EngineDepth value 4");
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
        session.send("setoption name EngineDepth value 8");
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
