//! The effect of each option.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use errare_testing::scratch_directory;

use crate::{
    TABLES, WON,
    session::{Session, says},
};

/// Mate in one, and the move.
const MATE: [&str; 2] = ["7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g7"];

/// Each option and the test of its effect.
const TESTS: [(&str, fn()); 21] = [
    ("Agent", the_agent_chooses),
    ("Competence", competence_and_skill_change_the_choice),
    ("Skill", competence_and_skill_change_the_choice),
    ("UCI_LimitStrength", a_rating_changes_the_choice),
    ("UCI_Elo", a_rating_changes_the_choice),
    ("Metric", the_metric_says_which_table_decides),
    ("Kappa", kappa_changes_the_choice),
    ("Horizon", the_horizon_changes_the_choice),
    ("KeepResult", the_result_is_kept_unless_it_may_be_risked),
    ("Seed", the_shown_seed_repeats_the_game),
    (
        "TablePath",
        an_empty_path_of_tables_is_that_of_the_command_line,
    ),
    ("SyzygyPath", syzygy_tables_take_the_place_of_missing_ones),
    ("BuildMen", missing_tables_are_built_in_the_background),
    ("Engine", the_engine_looks_as_deep_as_it_is_told),
    ("EngineDepth", the_engine_looks_as_deep_as_it_is_told),
    ("MinimaxDepth", minimax_sees_as_far_as_it_is_told),
    ("MoveTime", human_time),
    ("Move Overhead", move_overhead_makes_replies_earlier),
    ("MultiPV", several_lines_are_shown),
    ("UCI_AnalyseMode", analysis_shows_the_best_line),
    ("Ponder", ponder_changes_nothing),
];

#[test]
fn every_option_has_a_test() {
    let said = Session::start(&[]).ask("uci", "uciok");
    let declared = said
        .iter()
        .filter_map(|line| line.strip_prefix("option name "))
        .filter_map(|option| option.split(" type ").next());
    let declared: Vec<&str> = declared.collect();
    assert_eq!(declared, TESTS.map(|(name, _)| name));
}

/// Each agent is recognised by its chance to mate, its messages, or its move.
#[test]
fn the_agent_chooses() {
    let mut session = Session::start(&[]);
    session.set("Competence", 2);
    session.send(&format!("position fen {}", MATE[0]));
    let agents = ["emulator", "random", "player", "infallible"];
    let chances = agents.map(|agent| {
        session.set("Agent", agent);
        chance(&mut session, MATE[1])
    });
    // Mating would not look like c = 2.
    assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
    assert_eq!((chances[0], chances[3]), (0.0, 1.0));
    // Both have seen two moves of the opponent.
    session.send(&format!("position fen {WON} moves b1b4 e5d5 b4a4 d5e5"));
    let [predators, hunters] = ["predator", "hunter"].map(|agent| {
        session.set("Agent", agent);
        let (chosen, said) = session.go("");
        assert!(says(&said, "after 2 moves"), "{agent}: {said:?}");
        chosen
    });
    assert_ne!(predators, hunters);
    for (agent, words) in [
        ("human", "in table positions rep:c=2 decides"),
        ("minimax", "by the rules alone"),
    ] {
        session.set("Agent", agent);
        let (_, said) = session.go("");
        assert!(says(&said, words), "{agent}: {said:?}");
    }
}

/// The greater c, the likelier the best move (Haworth & Andrist, 2004, section 3). `Skill` says the same in whole numbers.
#[test]
fn competence_and_skill_change_the_choice() {
    let mut session = Session::start(&[]);
    session.send(&format!("position fen {}", MATE[0]));
    let mut mates = |option: &str, c: &str| {
        session.set(option, c);
        chance(&mut session, MATE[1])
    };
    let chances = ["0", "0.5", "2", "inf"].map(|c| mates("Competence", c));
    assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
    assert_eq!(chances[3], 1.0);
    assert_eq!(mates("Skill", "2"), chances[2]);
    assert_eq!(mates("Skill", "0"), chances[0]);
}

/// The higher the rating, the likelier the engine's best move; without the limit the agent itself
/// chooses.
#[test]
fn a_rating_changes_the_choice() {
    let mut session = Session::bare(&["best"]);
    session.send("position startpos moves e2e4 e7e5 g1f3 d8h4");
    assert!(says(&session.go("").1, "probability 1.000"));
    session.set("UCI_LimitStrength", true);
    let chances = [1300, 1900, 2700].map(|elo| {
        session.set("UCI_Elo", elo);
        chance(&mut session, "f3h4")
    });
    assert!(chances.is_sorted_by(|a, b| a < b), "{chances:?}");
    session.set("UCI_LimitStrength", false);
    assert!(says(&session.go("").1, "probability 1.000"));
}

#[test]
fn the_metric_says_which_table_decides() {
    let mut session = Session::start(&["best"]);
    session.send(&format!("position fen {WON}"));
    for (metric, words) in [
        ("dtm", "by tables (dtm)"),
        ("dtz", "no dtz table of KQK"),
        ("dtc", "by tables (dtc)"),
    ] {
        session.set("Metric", metric);
        let (_, said) = session.go("");
        assert!(says(&said, words), "{said:?}");
    }
}

/// The player's probability of a move.
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
            session.set("Kappa", kappa);
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
    session.set("Horizon", 1);
    let sighted = chance(&mut session, "g1g7");
    assert!(blind < 0.5 && blind > 0.0, "{blind}");
    assert_eq!(sighted, 1.0);
    let mates = (0..20).all(|_| says(&session.go("").1, "score mate 1 "));
    assert!(mates);
}

/// A player that keeps the result never gives it away, however careless otherwise.
#[test]
fn the_result_is_kept_unless_it_may_be_risked() {
    let mut session = Session::start(&["rep:c=0"]);
    session.set("Seed", 1);
    session.send(&format!("position fen {WON}"));
    let mut conceded = |keep: bool| {
        session.set("KeepResult", keep);
        (0..60).any(|_| says(&session.go("").1, "ceded the result"))
    };
    assert!(conceded(false));
    assert!(!conceded(true));
}

/// The first moves of a new game, and its displayed seed.
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

/// The seed shown for a game repeats it, in another process and in the same one.
#[test]
fn the_shown_seed_repeats_the_game() {
    for first in ["random", "7"] {
        let mut session = Session::start(&["rep:c=2"]);
        session.set("Seed", first);
        let games = [(); 3].map(|()| game(&mut session));
        assert!(games[0].0 != games[1].0 && games[1].0 != games[2].0);
        for (moves, seed) in &games {
            let mut other = Session::start(&["rep:c=2"]);
            for session in [&mut other, &mut session] {
                session.set("Seed", seed);
                assert_eq!(game(session), (moves.clone(), seed.clone()));
            }
        }
    }
}

#[test]
fn an_empty_path_of_tables_is_that_of_the_command_line() {
    let empty = scratch_directory();
    let mut session = Session::bare(&["best", "--tables", &TABLES]);
    session.set("Engine", "<empty>");
    session.set("BuildMen", 0);
    session.send(&format!("position fen {WON}"));
    assert!(says(&session.go("").1, "by tables (dtc)"));
    session.set("TablePath", empty.display());
    assert!(says(&session.go("").1, "no dtc table of KQK"));
    session.set("TablePath", "");
    assert!(says(&session.go("").1, "by tables (dtc)"));
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
        session.set("TablePath", empty.display());
        session.set("SyzygyPath", syzygy.display());
        session.send(&format!("position fen {WON}"));
        let (_, said) = session.go("");
        assert!(says(&said, "by tables (dtz)"), "{player}: {said:?}");
        // Ours come first.
        session.set("TablePath", &*TABLES);
        let (_, said) = session.go("");
        assert!(says(&said, "by tables (dtc)"), "{player}: {said:?}");
    }
}

/// A table is built while the game goes on, unless there are too many men, and used as soon as it exists.
#[test]
fn missing_tables_are_built_in_the_background() {
    let directory = scratch_directory();
    let mut session = Session::bare(&["best"]);
    session.set("Engine", "<empty>");
    session.set("TablePath", directory.display());
    session.send(&format!("position fen {WON}"));
    session.set("BuildMen", 2);
    assert!(!says(&session.go("").1, "built in the background"));
    session.set("BuildMen", 3);
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

/// The engine ranks the moves to the set depth; without an engine the agent says so.
#[test]
fn the_engine_looks_as_deep_as_it_is_told() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.send("position startpos");
    for depth in [3, 6] {
        session.set("EngineDepth", depth);
        let (_, said) = session.go("");
        let words = format!("by the engine's list at depth {depth}");
        assert!(says(&said, &words), "{said:?}");
        assert!(says(&said, &format!("info depth {depth} ")), "{said:?}");
    }
    session.set("Engine", "<empty>");
    assert!(says(&session.go("").1, "no engine"));
}

/// The leaves of its tree are random: from two plies on, a mate in one is not a leaf and is seen.
#[test]
fn minimax_sees_as_far_as_it_is_told() {
    let mut session = Session::start(&["minimax:depth=3"]);
    session.send(&format!("position fen {}", MATE[0]));
    let mut mates = |depth: u32| {
        session.set("MinimaxDepth", depth);
        (0..20).all(|_| session.go("").0 == MATE[1])
    };
    assert!(mates(2));
    assert!(!mates(1));
}

/// Time as people take it: hard choices longer than easy ones, and forced moves at once.
#[test]
fn human_time() {
    let mut session = Session::start(&["rep:c=0"]);
    session.set("MoveTime", "human");
    session.set("KeepResult", false);
    // 26 moves, all the same to a player who knows nothing: 4.7 bits, twice the share of the clock, two thirds at
    // least.
    session.send(&format!("position fen {WON}"));
    let hard = Instant::now();
    session.go("wtime 20000 btime 20000");
    assert!(hard.elapsed() >= Duration::from_millis(600));
    // Only a mate: a fifth of the share, three halves of that at most. A busy machine may be late now and then.
    session.set("Competence", "inf");
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

/// The move overhead is not used for thinking.
#[test]
fn move_overhead_makes_replies_earlier() {
    let mut session = Session::bare(&["rep:c=20"]);
    session.set("EngineDepth", 90);
    session.send("position startpos");
    session.ask("isready", "readyok");
    let mut takes = |overhead: u32| {
        session.set("Move Overhead", overhead);
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

/// As many lines as requested, best first, with their true scores.
#[test]
fn several_lines_are_shown() {
    let mut session = Session::start(&["random"]);
    session.set("MultiPV", 4);
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
    // Only the requested moves.
    let (chosen, said) = session.go("searchmoves b1b2 a1a2");
    let firsts = said.iter().filter_map(|line| line.split(" pv ").nth(1));
    let mut firsts: Vec<&str> = firsts.map(|moves| &moves[..4]).collect();
    assert!(firsts.contains(&&*chosen), "{said:?}");
    firsts.sort_unstable();
    assert_eq!(firsts, ["a1a2", "b1b2"], "{said:?}");
}

/// A careless player's own move is shown; in analysis it is the best one, whatever is played.
#[test]
fn analysis_shows_the_best_line() {
    let mut session = Session::start(&["random"]);
    session.send(&format!("position fen {WON}"));
    let mut moves = |analyses: bool| {
        session.set("UCI_AnalyseMode", analyses);
        [(); 12].map(|()| {
            let (chosen, said) = session.go("");
            let line = said.iter().find_map(|line| line.split(" pv ").nth(1));
            let shown = line.and_then(|line| line.split(' ').next());
            let shown = shown.unwrap_or_else(|| panic!("{said:?}")).to_owned();
            (chosen, shown)
        })
    };
    assert!(moves(false).iter().all(|(chosen, shown)| chosen == shown));
    let analysed = moves(true);
    let best = &analysed[0].1;
    assert!(analysed.iter().all(|(_, shown)| shown == best));
    assert!(analysed.iter().any(|(chosen, _)| chosen != best));
}

/// It is accepted, and the same seed gives the same moves with and without it.
#[test]
fn ponder_changes_nothing() {
    let mut session = Session::start(&["rep:c=2"]);
    let mut played = |ponder: bool| {
        session.set("Ponder", ponder);
        session.set("Seed", 5);
        game(&mut session)
    };
    assert_eq!(played(true), played(false));
}
