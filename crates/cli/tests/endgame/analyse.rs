use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
    sync::mpsc::channel,
    thread,
    time::Duration,
};

use crate::{browne_belle, errare, json, output, program, refusal};

#[test]
fn the_contract_holds() {
    let answer = json(&["analyse", &browne_belle(), "--json"]);
    assert_eq!(answer["metric"], "dtc");
    assert_eq!(answer["grid"], "0(0.01)50");
    let game = &answer["games"][0];
    assert_eq!(game["white"]["name"], "Browne, Walter");
    assert_eq!(
        (&game["white"]["ceded"], &game["white"]["moves"]),
        (&27.into(), &45.into())
    );
    assert!(game["black"]["competence"].is_null());
    assert_eq!(game["black"]["faultless"], true);
    let competence = &game["white"]["competence"];
    let mean = competence["mean"].as_f64().unwrap();
    assert!((mean - 19.17518).abs() < 5e-6);
    for field in ["sd", "low", "high", "mode"] {
        assert!(competence[field].is_f64(), "{field}");
    }
    let phase = &game["phases"][0];
    assert_eq!(phase["endgame"], "KQKR");
    assert_eq!(
        (&phase["first_ply"], &phase["last_ply"]),
        (&1.into(), &90.into())
    );
    let m = &game["moves"][10];
    assert_eq!((&m["san"], &m["ceded"]), (&"Qd4".into(), &1.into()));
    assert_eq!(
        (&m["depth_before"], &m["depth_after"]),
        (&26.into(), &26.into())
    );
    assert_eq!(m["optimal"].as_array().unwrap().len(), 4);
    assert!(m["competence"].is_f64() && game["moves"][0]["competence"].is_null());
}

#[test]
fn people_read_the_papers_notation() {
    let text = output(&["analyse", &browne_belle()]);
    assert!(text.contains("19.18 ± 2.92"), "{text}");
    assert!(text.contains("no error seen"));
    assert!(text.contains("6. Qd4 {+1/+1:\nQc3, Qc4, Qf8+, Qg1} 6... Kf5'"));
    // Both games together are more informative than the second alone.
    let text = output(&["analyse", &browne_belle(), "--carry"]);
    let so_far: Vec<_> = text
        .lines()
        .filter(|line| line.contains("so far"))
        .collect();
    assert!(so_far[0].contains("19.18 ± 2.92"), "{text}");
    assert!(so_far[2].contains("19.26 ± 2.13"), "{text}");
}

/// A row of CSV is self-contained: it has game, players, endgame, move number, position and parameters.
#[test]
fn rows_are_complete() {
    let text = output(&["analyse", &browne_belle(), "--csv", "--kappa", "0"]);
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(lines.count(), 89 + 99);
    // The name has a comma, which splits the field in two.
    let at = |name: &str| {
        let place = head.iter().position(|column| *column == name).unwrap();
        let commas = match name {
            "game" | "white" => 0,
            "black" | "endgame" | "ply" | "move_number" | "color" | "player" => 1,
            _ => 2,
        };
        first[place + commas]
    };
    for (column, value) in [
        ("game", "1"),
        ("white", "\"Browne"),
        ("black", "BELLE"),
        ("endgame", "KQKR"),
        ("ply", "1"),
        ("move_number", "1"),
        ("color", "white"),
        ("player", "\"Browne"),
        ("metric", "dtc"),
        ("kappa", "0"),
        ("grid", "0(0.01)50"),
        ("carry", "false"),
    ] {
        assert_eq!(at(column), value, "{column}: {text:.300}");
    }
    assert!(at("fen").ends_with(" w - - 0 1"), "{}", at("fen"));
}

/// A game's drawing marks what matters: slips, lost results, conversions, the metric and who wins.
#[test]
fn plots_mark_what_matters() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("club.pgn"), include_str!("data/coach.pgn")).unwrap();
    output(&["analyse", &path("club.pgn"), "--plot", &path("game.svg")]);
    let drawing = |number: usize| fs::read_to_string(path(&format!("game-{number}.svg"))).unwrap();
    let won = drawing(2);
    for words in [
        "Pupil B - Pupil A  1-0: White wins",
        "moves to mate or conversion (dtc)",
        "White slips",
        "Black slips",
        "conversion or mate",
        "KQK",
    ] {
        assert!(won.contains(words), "{words}");
    }
    assert!(!won.contains("result lost"), "nobody threw a result away");
    let thrown = drawing(4);
    assert!(thrown.contains("result lost"));
    let drawn = drawing(1);
    assert!(drawn.contains("drawn throughout") && !drawn.contains("slips"));
}

/// A game of KPPKP, whose tables take long, and one of KQK.
const LONG_AND_SHORT: &str = "[FEN \"8/5p2/8/8/4k3/8/PP6/K7 w - - 0 1\"]\n\n1. a4 f5 *\n\n\
                              [FEN \"8/8/8/8/4k3/8/1Q6/K7 w - - 0 1\"]\n\n1. Qb5 Kf4 *\n";

/// A game of KBPKP, whose tables take long, and then of KBKP, whose tables do not.
const LONG_THEN_SHORT: &str = "\n\n[White \"Quick\"]\n[FEN \"8/8/8/8/3k4/3P4/7p/K1B5 b - - 0 1\"]\n\n\
                               1... Kxd3 2. Bf4 h1=Q+ *\n";

/// Without a terminal a line reports progress now and then: here the games arrive slowly.
#[test]
fn progress_is_told_without_a_terminal() {
    let mut child = program::errare()
        .args(["analyse", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let talk = BufReader::new(child.stderr.take().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in talk.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut games = child.stdin.take().unwrap();
    let game = "[FEN \"8/8/8/8/4k3/8/1Q6/K7 w - - 0 1\"]\n\n1. Qb5 Kf4 *\n\n";
    let told = (0..300).find_map(|_| {
        games.write_all(game.as_bytes()).unwrap();
        let line = lines.recv_timeout(Duration::from_secs(1)).ok()?;
        line.starts_with("analysing games: ").then_some(line)
    });
    drop(games);
    assert!(child.wait().unwrap().success());
    let told = told.expect("a line about the progress");
    let count: u32 = told["analysing games: ".len()..].parse().expect("a count");
    assert!(count > 0, "{told}");
}

/// At a terminal the user is asked before a long build. Only yes starts it, and ctrl-C stops it.
#[cfg(unix)]
#[test]
fn the_user_is_asked_before_a_long_build() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("games.pgn"), LONG_AND_SHORT).unwrap();
    let ask = |options: &[&str]| {
        let mut command = program::errare();
        command
            .args(["analyse", "games.pgn", "--tables", "tables"])
            .args(options)
            .current_dir(directory.path());
        crate::terminal::Terminal::run(command)
    };
    let asked = |screen: &str| screen.trim_end().ends_with("build them now? [y/N]");
    for reply in ["n", ""] {
        let mut terminal = ask(&[]);
        terminal.wait_until(asked);
        terminal.press(&format!("{reply}\r"));
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(0), "{screen}");
        let flat = screen.replace('\n', " ");
        for words in [
            "for KPPKP; building takes about ",
            "no table of KPPKP",
            "Game 2",
        ] {
            assert!(flat.contains(words), "{words}:\n{screen}");
        }
    }
    // A yes, there or beforehand, has them built.
    for (options, reply) in [(&[][..], "y\r"), (&["--yes"][..], "")] {
        let mut terminal = ask(options);
        if options.is_empty() {
            terminal.wait_until(asked);
        }
        terminal.press(reply);
        terminal.wait_until(|screen| screen.contains("building tables"));
        terminal.interrupt();
        let (screen, code) = terminal.finish();
        assert_eq!(code, Some(130), "{screen}");
        let question = screen.contains("build them now?");
        assert_eq!(question, options.is_empty(), "{screen}");
    }
    assert!(!directory.path().join("tables/KPPKP.dtc.errare").exists());
}

/// A long build is announced with its time and not started without permission; nor are builds of more men than
/// allowed.
#[test]
fn long_builds_are_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(
        path("pawns.pgn"),
        LONG_AND_SHORT.to_owned() + LONG_THEN_SHORT,
    )
    .unwrap();
    let (games, tables) = (path("pawns.pgn"), path("tables"));
    let analyse = ["analyse", &games, "--tables", &tables];
    let assert = errare(&analyse).assert().success();
    let talk = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(
        talk.contains("for KPPKP; building takes about ") && talk.contains("add --yes to build"),
        "{talk}"
    );
    assert!(
        talk.contains(
            "no table of KPPKP, nor of 99 endgames that it leads to, so parts of game 1 were left out"
        ),
        "{talk}"
    );
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("Game 2"), "what can be analysed is: {said}");
    let (_, third) = said.split_once("Game 3").expect("so is a part of a game");
    assert!(
        third.contains(" KBKP ") && !third.contains(" KBPKP "),
        "{said}"
    );
    assert!(talk.contains("so parts of game 3 were left out"), "{talk}");
    assert!(!directory.path().join("tables/KPPKP.dtc.errare").exists());
    let few = [&analyse[..], &["--men", "4", "--yes"]].concat();
    let assert = errare(&few).assert().success();
    let talk = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(!talk.contains("building takes"), "{talk}");
    assert!(refusal(&[&analyse[..], &["--men", "6"]].concat()).contains("6 is not in 3..=5"));
}

/// A rook ending that becomes another endgame, then one with too few men to matter; a broken game
/// before it.
#[test]
fn phases_and_broken_games() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.pgn");
    let games = "\
[White \"First\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 *\n
[White \"Second\"]\n[FEN \"7k/8/8/8/8/3n4/8/K1R5 w - - 0 1\"]\n\n1. Rc8+ {check} Kg7 (1... Kh7) 2. Rc3 Nf2 3. Rc2 Ng4 *\n
[White \"Third\"]\n[FEN \"8/8/8/8/8/k1n5/8/K1R5 b - - 0 1\"]\n[Result \"1/2-1/2\"]\n\n1... Ne2 2. Rc3+ Nxc3 1/2-1/2\n";
    fs::write(&path, games).unwrap();
    let assert = errare(&["analyse", path.to_str().unwrap(), "--json"])
        .assert()
        .success();
    let output = assert.get_output();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        talk.contains("game 1: Ke3 is not a legal move at 2."),
        "{talk}"
    );
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let games = answer["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "the first game has too many men");
    assert_eq!(games[0]["white"]["name"], "Second");
    assert_eq!(games[0]["phases"][0]["endgame"], "KRKN");
    assert_eq!(games[1]["phases"][0]["first_ply"], 1);
    assert_eq!(games[1]["number"], 3);
}

#[test]
fn files_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (pgn, svg) = (path("out.pgn"), path("out.svg"));
    output(&[
        "analyse",
        &browne_belle(),
        "--annotate",
        &pgn,
        "--plot",
        &svg,
    ]);
    let annotated = fs::read_to_string(&pgn).unwrap();
    assert!(annotated.contains("still wins, but takes "), "{annotated}");
    for number in [1, 2] {
        let svg = fs::read_to_string(path(&format!("out-{number}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("Apparent competence"));
    }
    // The output can be read again, with the same result.
    let again = json(&["analyse", &pgn, "--json"]);
    assert_eq!(again["games"][1]["white"]["ceded"], 19);
}

#[test]
fn refusals() {
    assert!(refusal(&["analyse", "no-such.pgn"]).contains("cannot read no-such.pgn"));
    let bad = refusal(&["analyse", &browne_belle(), "--prior", "0:3:50"]);
    assert!(bad.contains("steps"), "{bad}");
    let bad = refusal(&["analyse", &browne_belle(), "--kappa=-1"]);
    assert!(bad.contains("kappa"), "{bad}");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("none.pgn");
    fs::write(&path, "1. e4 e5 *\n").unwrap();
    errare(&["analyse", path.to_str().unwrap()])
        .assert()
        .code(1);
}
