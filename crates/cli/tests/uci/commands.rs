//! Each command of the protocol.

use shakmaty::{Chess, Position, uci::UciMove};

use crate::{
    TABLES, WON,
    session::{Session, says},
};

fn is_legal_at_start(name: &str) -> bool {
    let m = name.parse::<UciMove>().unwrap().to_move(&Chess::default());
    m.is_ok_and(|m| Chess::default().is_legal(m))
}

#[test]
fn uci_introduces_it() {
    let said = Session::start(&["human:elo=1650"]).ask("uci", "uciok");
    assert!(says(&said, "id name Errare"));
    assert!(says(&said, "id author"));
    for option in [
        "Agent type combo default human",
        "Competence type string default 20",
        "Skill type spin",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1650",
        "Metric type combo default dtc",
        "Kappa type string default 1",
        "Horizon type spin",
        "KeepResult type check default true",
        "Seed type string",
        "TablePath type string",
        "SyzygyPath type string",
        "Engine type string",
        "EngineDepth type spin default 8",
        "MultiPV type spin default 1",
        "UCI_AnalyseMode type check",
        "MoveTime type combo default instant",
        "Ponder type check",
    ] {
        assert!(says(&said, &format!("option name {option}")), "{option}");
    }
}

#[test]
fn isready_is_answered_while_it_thinks() {
    let mut session = Session::start(&["random"]);
    session.ask("isready", "readyok");
    session.send("go infinite");
    let said = session.ask("isready", "readyok");
    assert!(!says(&said, "bestmove"));
    let (chosen, _) = stop(&mut session);
    assert!(is_legal_at_start(&chosen));
}

fn stop(session: &mut Session) -> (String, Vec<String>) {
    let said = session.ask("stop", "bestmove");
    let chosen = said.last().unwrap().split(' ').nth(1).unwrap();
    (chosen.to_owned(), said)
}

#[test]
fn options_are_set_and_refused() {
    let mut session = Session::start(&[]);
    session.set("NoSuchThing", 3);
    session.set("Competence", "much");
    session.set("MultiPV", 1000);
    session.send("setoption");
    session.send("setoption name");
    let said = session.ask("isready", "readyok");
    for words in [
        "there is no option \"NoSuchThing\"",
        "Competence is a number or inf, not \"much\"",
        "MultiPV is a whole number from 1 to 256",
        "setoption needs a name",
    ] {
        assert!(says(&said, words), "{words} in {said:?}");
    }
    let nameless = said.iter().filter(|line| line.contains("needs a name"));
    assert_eq!(nameless.count(), 2);
    session.set("agent", "infallible");
    session.send(&format!("position fen {WON}"));
    let (_, said) = session.go("");
    assert!(says(&said, "ceded 0 by tables (dtc)"), "{said:?}");
}

/// Every declared option can be set to its default and to other values without a complaint.
#[test]
fn every_option_can_be_set() {
    let mut session = Session::start(&[]);
    let declared = session.ask("uci", "uciok");
    let declared: Vec<&String> = (declared.iter())
        .filter(|line| line.starts_with("option name "))
        .collect();
    for line in &declared {
        let (name, rest) = line["option name ".len()..].split_once(" type ").unwrap();
        let default = rest.split(" default ").nth(1).unwrap();
        let default = default.split(" min ").next().unwrap();
        let default = default.split(" var ").next().unwrap();
        session.set(name, default);
    }
    let others = [
        ("Agent", "emulator"),
        ("Competence", "12.5"),
        ("Skill", "7"),
        ("UCI_LimitStrength", "true"),
        ("UCI_Elo", "1500"),
        ("Metric", "dtr"),
        ("Kappa", "0.5"),
        ("Horizon", "3"),
        ("KeepResult", "false"),
        ("Seed", "42"),
        ("TablePath", TABLES.as_str()),
        ("SyzygyPath", "/nowhere"),
        ("BuildMen", "0"),
        ("Engine", "/no/such/engine"),
        ("EngineDepth", "10"),
        ("MinimaxDepth", "1"),
        ("MoveTime", "human"),
        ("Move Overhead", "5"),
        ("MultiPV", "3"),
        ("UCI_AnalyseMode", "true"),
        ("Ponder", "true"),
    ];
    assert_eq!(others.len(), declared.len(), "{declared:#?}");
    for (name, value) in others {
        session.set(name, value);
    }
    let said = session.ask("isready", "readyok");
    assert_eq!(said, ["readyok"]);
    let (chosen, said) = session.go("movetime 200");
    assert!(is_legal_at_start(&chosen), "{said:?}");
    assert!(says(&said, "/nowhere"), "{said:?}");
}

#[test]
fn new_games_and_positions() {
    let mut session = Session::start(&["minimax:depth=1"]);
    session.send("position startpos moves e2e4 e7e5 g1f3");
    let (reply, _) = session.go("");
    assert!(!is_legal_at_start(&reply), "{reply} is Black's");
    session.send("ucinewgame");
    let (first, _) = session.go("");
    assert!(is_legal_at_start(&first));
}

/// After a refused position there is no move, rather than a move from another position.
#[test]
fn malformed_positions_are_refused() {
    let mut session = Session::start(&["best"]);
    for line in [
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rubbish moves e2e4",
        "position startpos moves e2e5",
        "position startpos moves e2e4 0000",
        "position moves e2e4",
    ] {
        session.send(&format!("position fen {WON}"));
        session.send(line);
        let (chosen, said) = session.go("");
        assert_eq!(chosen, "(none)", "{line}");
        assert!(says(&said, "there is no position until the next one"));
        assert!(says(&said, "the last position was refused"));
    }
    session.send("ucinewgame");
    assert!(is_legal_at_start(&session.go("").0));
}

/// A position sent during a search is for the next one.
#[test]
fn a_position_during_a_search_is_for_the_next() {
    let mut session = Session::start(&["minimax:depth=6"]);
    session.send("position startpos");
    session.send("go infinite");
    session.send(&format!("position fen {WON}"));
    let (chosen, _) = stop(&mut session);
    assert!(is_legal_at_start(&chosen), "{chosen}");
    session.set("Agent", "infallible");
    let (chosen, said) = session.go("");
    assert!(!is_legal_at_start(&chosen), "{said:?}");
}

#[test]
fn a_player_that_does_not_exist_is_refused_at_once() {
    let refused = crate::program::errare()
        .args(["uci", "nobody"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no player"));
}

#[test]
fn every_limit_of_go() {
    let mut session = Session::start(&["minimax:depth=1"]);
    for limits in [
        "",
        "movetime 50",
        "depth 3",
        "nodes 1000",
        "mate 2",
        "wtime 1000 btime 1000",
        "wtime 1000 btime 1000 winc 100 binc 100 movestogo 5",
        "wtime -20 btime 0",
        "wtime 99999999999999 btime 1",
        "searchmoves e2e4 d2d4 e2e5",
        "movetime -5",
    ] {
        let (chosen, said) = session.go(limits);
        assert!(is_legal_at_start(&chosen), "{limits}: {chosen}");
        if limits.starts_with("depth") {
            assert!(says(&said, "depth is not used"));
        }
        if limits.starts_with("searchmoves") {
            assert!(["e2e4", "d2d4"].contains(&&*chosen), "{chosen}");
            assert!(says(&said, "e2e5 is not a legal move"));
        }
    }
    session.send("go movetime soon");
    assert!(says(
        &session.ask("isready", "readyok"),
        "movetime needs a number"
    ));
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut session = Session::start(&["minimax:depth=1"]);
    session.send("go ponder wtime 1000 btime 1000");
    assert!(!says(&session.ask("isready", "readyok"), "bestmove"));
    session.ask("ponderhit", "bestmove");
    session.send("go ponder movetime 5");
    session.ask("stop", "bestmove");
}

#[test]
fn stop_without_a_search_and_unknown_commands() {
    let mut session = Session::start(&[]);
    for line in ["stop", "ponderhit", "debug on", "register later", "", "   "] {
        session.send(line);
    }
    session.send("hello there");
    session.send("xyzzy isready");
    let said = session.until("readyok");
    assert!(says(&said, "unknown command \"hello there\""));
    assert!(!says(&said, "bestmove"));
}

#[test]
fn finished_games_have_no_move() {
    let mut session = Session::start(&["best"]);
    for (fen, score) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "score cp 0"),
    ] {
        session.send(&format!("position fen {fen}"));
        let (chosen, said) = session.go("");
        assert_eq!(chosen, "(none)");
        assert!(says(&said, score), "{said:?}");
    }
}

#[test]
fn quit_and_the_end_of_input() {
    let mut session = Session::start(&[]);
    session.send("go infinite");
    session.send("quit");
    assert!(session.close().1);
    let mut session = Session::start(&["minimax:depth=2"]);
    session.send("position startpos");
    session.send("go");
    let (said, well) = session.close();
    assert!(well && says(&said, "bestmove"), "{said:?}");
    let mut session = Session::start(&["minimax:depth=2"]);
    session.send("go infinite");
    let (said, well) = session.close();
    assert!(well && says(&said, "bestmove"), "{said:?}");
}
