use crate::{DEEPEST, json, output, refusal};

#[test]
fn the_contract_holds() {
    let arguments = [
        "match", "rep:c=20", "best", "--from", DEEPEST, "--games", "100", "--seed", "7", "--json",
    ];
    let answer = json(&arguments);
    assert_eq!(
        (&answer["seed"], &answer["games"]),
        (&7.into(), &100.into())
    );
    assert_eq!(answer["results"]["white"], 100);
    for field in ["mean", "sd", "min", "max"] {
        assert!(answer["length"][field].is_f64(), "{field}");
        assert!(answer["apparent_competence"][field].is_f64(), "{field}");
    }
    assert!(answer["apparent_competence_black"].is_null());
    // There are never more threads than games.
    for threads in ["1", "2", "100000"] {
        let again = json(&[&arguments[..], &["--threads", threads]].concat());
        assert_eq!(again, answer);
    }
}

#[test]
fn every_player_plays() {
    for white in [
        "best:ties=longest-dtm",
        "random",
        "rep:c=-2,horizon=4,value=risk",
        "predator:plies=2,c=3",
        "emulator:c=12",
        "minimax:depth=3",
        "zero:depth=2",
    ] {
        let text = output(&[
            "match",
            white,
            "rep:c=5",
            "--from",
            DEEPEST,
            "--games",
            "2",
            "--max-moves",
            "40",
            "--csv",
            "--seed",
            "1",
        ]);
        assert_eq!(text.lines().count(), 3, "{white}");
    }
    let text = output(&[
        "match",
        "best",
        "best",
        "--from",
        DEEPEST,
        "--games",
        "3",
        "--to-mate",
    ]);
    assert!(text.contains("White won      3"), "{text}");
}

/// They make the same moves with the same seed.
#[test]
fn people_play_by_an_engines_evaluations() {
    let engine = &json(&["doctor", "--json"])["engine"];
    if engine["version"] != "15.1" {
        errare_testing::skip(&format!(
            "the calibration is of Stockfish 15.1, not of {engine}"
        ));
        return;
    }
    let play_on = |threads: &str, player: &str| {
        json(&[
            "match",
            player,
            "best",
            "--from",
            DEEPEST,
            "--games",
            "20",
            "--max-moves",
            "6",
            "--seed",
            "3",
            "--threads",
            threads,
            "--json",
        ])
    };
    let play = |player: &str| play_on("2", player);
    let weak = play("human:elo=1800");
    assert_eq!(weak["players"][0], "human:elo=1800,depth=8");
    assert_eq!(weak, play("human:elo=1800,depth=8"));
    assert_eq!(weak, play_on("1", "human:elo=1800"));
    let text = output(&[
        "match",
        "best",
        "human:elo=2600",
        "--from",
        DEEPEST,
        "--games",
        "1",
    ]);
    assert!(text.contains("White won      1"), "{text}");
    let stranger = refusal(&["match", "human:elo=4900", "best", "--from", DEEPEST]);
    assert!(stranger.contains("covers ratings from"), "{stranger}");
}

/// The prior before each game matters.
#[test]
fn the_prior_is_used() {
    let mean = |prior| {
        let games = json(&[
            "match", "rep:c=20", "best", "--from", DEEPEST, "--games", "50", "--seed", "1",
            "--prior", prior, "--json",
        ]);
        games["apparent_competence"]["mean"].as_f64().unwrap()
    };
    assert!(mean("0:1:50,normal:45:0.5") > mean("0:1:50") + 10.0);
}

/// An engine finds a mate in two, and needs no calibration.
#[test]
fn engines_play() {
    let mate_in_two = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    for name in ["uci", "uci:stockfish", "uci:stockfish,depth=6"] {
        let games = json(&[
            "match",
            name,
            "random",
            "--from",
            mate_in_two,
            "--games",
            "4",
            "--to-mate",
            "--json",
        ]);
        assert_eq!(games["length"]["max"], 2.0, "{games}");
    }
}

#[test]
fn refusals() {
    for (player, why) in [
        ("nobody", "there is no player"),
        ("nobody", "minimax:depth=3"),
        ("minimax:depth=0", "depth"),
        ("human", "needs a rating"),
        ("human:elo=2000,depth=7", "no calibration"),
        ("human:elo=2000,style=wild", "has no option"),
        ("uci:no-such-engine", "as in uci:/path/to/it"),
        ("uci:stockfish,depth=0", "from 1 to 100"),
        ("uci:stockfish,time=3", "has no option"),
        ("rep", "needs an option c"),
        ("rep:c=x", "must be a number"),
        ("rep:c=1e9", "from -10000 to 10000"),
        ("hunter:c=20000", "from 0 to 10000"),
        ("rep:c=1,d=2", "has no option"),
        ("emulator:c=-3", "an emulator's c"),
        ("predator:plies=3", "even number"),
        ("best:ties=any", "break ties"),
    ] {
        let refusal = refusal(&["match", player, "best", "--from", DEEPEST]);
        assert!(refusal.contains(why), "{refusal}");
    }
    assert!(refusal(&["match", "best", "best"]).contains("--from"));
    // Before anything is submitted.
    let queue = errare_testing::scratch_directory().join("jobs.db");
    let queue = queue.to_str().unwrap();
    let said = refusal(&["match", "best", "best", "--from", "there", "--queue", queue]);
    assert!(said.contains("is not a FEN"), "{said}");
}

/// A hunter solves within the memory limit.
#[test]
fn hunters_keep_to_the_memory_given() {
    let play = |memory| {
        let hunter = "hunter:c=20,objective=swindle,moves=1";
        let players = ["match", "rep:c=20", hunter, "--from", DEEPEST];
        let limits = ["--games", "1", "--max-moves", "1", "--memory", memory];
        [&players[..], &limits].concat()
    };
    output(&["probe", DEEPEST]);
    let refused = refusal(&play("2MB"));
    assert!(refused.contains("hunting in KQKR takes"), "{refused}");
    assert!(refused.contains("raise --memory"), "{refused}");
    output(&play("2GiB"));
}

/// People against an automaton, from the first move.
#[test]
fn games_begin_anywhere() {
    let mut arguments = vec![
        "match",
        "random",
        "minimax:depth=2",
        "--from",
        "start",
        "--games",
        "4",
        "--seed",
        "3",
        "--max-moves",
        "20",
        "--json",
    ];
    let answer = json(&arguments);
    assert_eq!(answer["games"], 4);
    assert!(answer["apparent_competence"].is_null());
    arguments.extend(["--threads", "1"]);
    assert_eq!(json(&arguments), answer);
    let people = json(&[
        "match",
        "human:elo=2100",
        "minimax:depth=3",
        "--from",
        "start",
        "--games",
        "1",
        "--max-moves",
        "2",
        "--json",
    ]);
    assert_eq!(people["results"]["unfinished"], 1);
    assert!(
        people["length"]["sd"].is_null(),
        "one game has no deviation"
    );
    let list = json(&[
        "match",
        "rep:c=5,engine=stockfish,depth=2",
        "random",
        "--from",
        "start",
        "--games",
        "1",
        "--max-moves",
        "5",
        "--json",
    ]);
    assert_eq!(list["results"]["unfinished"], 1);
    let needs = refusal(&[
        "match", "rep:c=5", "random", "--from", "start", "--games", "1",
    ]);
    assert!(needs.contains("rep:c=5,engine=stockfish"), "{needs}");
}

#[test]
fn matches_from_a_file_of_openings() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("openings");
    let play = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        json(&[
            "match",
            "random",
            "minimax:depth=1",
            "--openings",
            path,
            "--games",
            "2",
            "--swap",
            "--max-moves",
            "3",
            "--json",
        ])
    };
    assert_eq!(play("1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")["games"], 4);
    assert_eq!(
        play("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")["games"],
        2
    );
    std::fs::write(&path, "1. e4 Ke3 *").unwrap();
    let refused = refusal(&[
        "match",
        "random",
        "random",
        "--openings",
        path.to_str().unwrap(),
    ]);
    assert!(refused.contains("Ke3"), "{refused}");
}

#[test]
fn other_games_are_played() {
    for game in ["othello", "connect4"] {
        let answer = json(&[
            "match",
            "minimax:depth=2",
            "random",
            "--game",
            game,
            "--games",
            "6",
            "--swap",
            "--seed",
            "3",
            "--json",
        ]);
        let first = &answer["first"];
        let sum = ["wins", "draws", "losses"].map(|name| first[name].as_u64().unwrap());
        assert_eq!(sum.iter().sum::<u64>(), 6);
        // The searcher wins with either colour, which counts by colour do not show.
        let seed = answer["seed"].to_string();
        let text = output(&[
            "match",
            "minimax:depth=2",
            "random",
            "--game",
            game,
            "--games",
            "6",
            "--swap",
            "--seed",
            &seed,
        ]);
        let [won, drew, lost] = sum;
        let searcher = answer["players"][0].as_str().unwrap();
        let told = format!("{searcher}: won {won}, drew {drew}, lost {lost}");
        assert!(text.contains(&told), "{text}");
    }
    let refused = refusal(&["match", "best", "random", "--game", "othello"]);
    assert!(refused.contains("plays only chess"), "{refused}");
}

/// The rules are the same with and without it; rows say who was White.
#[test]
fn swapped_colours_change_nothing_but_colours() {
    let ask = |more: &[&str]| {
        let usual = [
            "match", "rep:c=12", "best", "--from", DEEPEST, "--games", "4", "--seed", "1",
        ];
        output(&[&usual[..], more].concat())
    };
    let rows = ask(&["--swap", "--csv"]);
    let rows: Vec<&str> = rows.lines().collect();
    let alone = ask(&["--csv"]);
    let alone: Vec<&str> = alone.lines().collect();
    assert!(rows[0].ends_with(",white,black"));
    for number in [1, 3] {
        assert_eq!(rows[number], alone[number]);
        assert!(rows[number].ends_with(",rep:c=12,best"), "{}", rows[number]);
        assert!(
            rows[number + 1].ends_with(",best,rep:c=12"),
            "{}",
            rows[number + 1]
        );
    }
    assert!(
        !rows.iter().any(|row| row.contains("fifty-moves")),
        "{rows:?}"
    );
    let text = ask(&["--swap"]);
    assert!(
        text.contains("colours are swapped") && !text.contains("best as Black"),
        "{text}"
    );
    assert!(text.contains("apparent c of rep:c=12"), "{text}");
}
