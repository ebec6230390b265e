use crate::{BB2_12B, DEEPEST, errare, json, output, refusal};

/// Haworth and Andrist (2004), sections 6.2 and 6.3.
#[test]
fn published_predictions() {
    let answer = json(&[
        "predict",
        "KQKR",
        "--skill",
        "20",
        "--compare",
        "21,22",
        "--json",
    ]);
    let expected = answer["expected_moves"]["31"].as_f64().unwrap();
    assert!((expected - 97.195948).abs() < 5e-7);
    let within = answer["win_within"]["from"]["31"].as_f64().unwrap();
    assert!((within - 0.12669123).abs() < 5e-9);
    assert_eq!(answer["win_within"]["moves"], 50);
    assert_eq!(answer["skill"], 20.0);
    assert_eq!(answer["kappa"], 1.0);
    let compared = &answer["compare"][1]["expected_moves"]["31"];
    assert!((compared.as_f64().unwrap() - 74.162769).abs() < 5e-7);
    let text = output(&["predict", "KQKR", "--skill", "20"]);
    assert!(text.contains("KQKR in dtc, R_20 against R_inf"), "{text}");
    let deepest = text
        .lines()
        .find(|line| line.trim_start().starts_with("31 "));
    let deepest = deepest.unwrap();
    assert!(
        deepest.contains("97.20") && deepest.contains("12.6691 %"),
        "{deepest}"
    );
    assert!(text.contains("moves that lose value are never played"));
    assert!(text.contains("--value risk"));
}

#[test]
fn a_position_is_followed_exactly() {
    let answer = json(&[
        "predict",
        "KQKR",
        "--skill",
        "20",
        "--position",
        DEEPEST,
        "--json",
    ]);
    let position = &answer["position"];
    assert_eq!(
        (&position["fen"], &position["ties"]),
        (&DEEPEST.into(), &"uniform".into())
    );
    let expected = position["expected_moves"].as_f64().unwrap();
    assert!((expected - 102.425153).abs() < 1e-4, "{expected}");
    let [low, high] = [0, 1].map(|end| position["bounds"][end].as_f64().unwrap());
    assert!((low..=high).contains(&102.425153), "{low} {high}");
    let within = position["win_within"].as_f64().unwrap();
    assert!((within - 0.05705907).abs() < 5e-9, "{within}");
}

#[test]
fn risk_has_results() {
    let answer = json(&[
        "predict",
        "KQK",
        "--skill",
        "5",
        "--opponent",
        "0",
        "--value",
        "risk",
        "--json",
    ]);
    let results = &answer["results"]["win 10"];
    let sum: f64 = ["win", "draw", "loss"]
        .iter()
        .map(|result| results[result].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9 && results["draw"].as_f64().unwrap() > 0.0);
}

/// Abandoned games do not count as won.
#[test]
fn unfinished_games_are_counted_as_such() {
    let simulate = |most: &str| {
        let start = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
        json(&[
            "predict",
            "KRK",
            "--skill",
            "3",
            "--position",
            start,
            "--moves",
            "20",
            "--simulate",
            "1000",
            "--max-moves",
            most,
            "--seed",
            "1",
            "--json",
        ])["position"]
            .take()
    };
    let position = simulate("20");
    let simulated = &position["simulated"];
    assert_eq!(simulated["games"], 1000);
    let won = simulated["win_within"].as_f64().unwrap();
    let unfinished = simulated["unfinished"].as_f64().unwrap();
    assert!((won - (1.0 - unfinished / 1000.0)).abs() < 1e-12);
    assert!((won - position["win_within"].as_f64().unwrap()).abs() < 0.05);
    let early = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    let refused = refusal(&[
        "predict",
        "KRK",
        "--skill",
        "3",
        "--position",
        early,
        "--simulate",
        "10",
        "--max-moves",
        "5",
    ]);
    assert!(
        refused.contains("games abandoned after 5 moves"),
        "{refused}"
    );
}

#[test]
fn matrices_are_written() {
    let csv = output(&["markov", "KQK", "--skill", "10", "--csv"]);
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("state,positions,win 0,win 1,")
    );
    for line in lines {
        let row = line
            .split(',')
            .skip(2)
            .map(|entry| entry.parse::<f64>().unwrap());
        assert!((row.sum::<f64>() - 1.0).abs() < 1e-9, "{line}");
    }
    let answer = json(&[
        "markov", "KQK", "--skill", "inf", "--side", "black", "--json",
    ]);
    assert_eq!(answer["skill"], "inf");
    assert_eq!(answer["states"][0], "win 0");
    assert!(output(&["markov", "KQK", "--skill", "10"]).contains("positions of the full board"));
}

/// If Black's men are named first, the answer is for those men.
#[test]
fn an_endgame_is_taken_as_it_was_typed() {
    let skill = ["--skill", "10", "--json"];
    let ask = |verb, endgame, side| {
        let named = [verb, endgame, "--side", side];
        json(&[&named[..], &skill].concat())
    };
    for verb in ["markov", "predict"] {
        assert_eq!(
            ask(verb, "KKR", "black"),
            ask(verb, "KRK", "white"),
            "{verb}"
        );
    }
    assert_eq!(ask("markov", "KKR", "white"), ask("markov", "KRK", "black"));
    let difficulty = |endgame: &str, side| json(&["difficulty", endgame, "--side", side, "--json"]);
    assert_eq!(difficulty("KKR", "black"), difficulty("KRK", "white"));
    let assert = errare(&["predict", "KKR", "--skill", "10"])
        .assert()
        .code(1);
    let said = String::from_utf8_lossy(&assert.get_output().stderr);
    assert!(
        said.contains("KKR is KRK with the sides exchanged; its white is black there")
            && said.contains("this side has no win to predict; try --side or --value risk"),
        "{said}"
    );
}

/// The results for a position are in the rows as well.
#[test]
fn a_position_has_rows() {
    let position = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    let predict = ["predict", "KRK", "--skill", "5", "--seed", "1"];
    let exact = ["--position", position, "--simulate", "100"];
    let ask = |form: &str| output(&[&predict[..], &exact, &[form]].concat());
    let csv = ask("--csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    let answer: serde_json::Value = serde_json::from_str(&ask("--json")).unwrap();
    let depths = answer["expected_moves"].as_object().unwrap().len();
    assert_eq!(rows.len(), 1 + depths + 2);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let field = |row: &[&str], name| {
        let column = rows[0].iter().position(|head| *head == name).unwrap();
        row[column].to_owned()
    };
    let number = |row: &[&str], name| field(row, name).parse::<f64>().unwrap();
    let (exact, simulated) = (&rows[depths + 1], &rows[depths + 2]);
    let told = &answer["position"];
    assert_eq!(field(exact, "source"), "position");
    assert_eq!(field(simulated, "source"), "simulation");
    for row in [exact, simulated] {
        assert_eq!(field(row, "fen"), position);
        assert_eq!(field(row, "depth"), "");
    }
    assert_eq!(
        number(exact, "expected_moves"),
        told["expected_moves"].as_f64().unwrap()
    );
    assert_eq!(
        number(exact, "win_within"),
        told["win_within"].as_f64().unwrap()
    );
    let games = &told["simulated"];
    assert_eq!(
        number(simulated, "expected_moves"),
        games["moves"]["mean"].as_f64().unwrap()
    );
    assert_eq!(field(simulated, "games"), "100");
    assert_eq!(field(simulated, "seed"), "1");
}

#[test]
fn difficulty_is_told_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let plot = directory.path().join("difficulty.svg");
    let text = output(&["difficulty", "KQK", "KRK", "--plot", plot.to_str().unwrap()]);
    assert!(
        text.contains("KRK: R_c makes progress at every depth from c = "),
        "{text}"
    );
    let svg = std::fs::read_to_string(plot).unwrap();
    assert!(svg.contains("</svg>") && svg.contains("KRK") && svg.contains("competence c"));
    let answer = json(&["difficulty", "KRK", "--json"]);
    assert_eq!(answer[0]["deepest"], 16);
    let csv = output(&["difficulty", "KRK", "--csv"]);
    assert!(csv.lines().nth(1).unwrap().starts_with("KRK,0,"));
    // A random mover often wins KPK only if it may not throw the win away.
    let text = output(&["difficulty", "KPK"]);
    assert!(
        text.contains("at risk") && text.contains("never played"),
        "{text}"
    );
}

/// Columns without a number are left out: lengths that are too great or do not exist, deviations that are not known.
#[test]
fn tables_against_a_hunter() {
    let hunted = |skill, value| {
        let opponent = ["--opponent", "hunter", "--value", value];
        let text = output(&[&["predict", "KRK", "--skill", skill][..], &opponent].concat());
        // On one line: line breaks do not matter.
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lengths = hunted("20", "keep");
    assert!(lengths.contains("expected moves") && !lengths.contains("deviation"));
    let endless = hunted("0", "keep");
    assert!(endless.contains("too many to compute lengths"), "{endless}");
    let risk = hunted("20", "risk");
    assert!(risk.contains("won in the end") && !risk.contains("too many"));
    for text in [endless, risk] {
        assert!(!text.contains("expected moves"), "{text}");
    }
    let endless = output(&["predict", "KQK", "--skill", "-inf"]);
    assert!(!endless.contains("deviation"), "{endless}");
    // Each number says which hunter it is against.
    let arguments = "predict KRK --skill 20 --opponent hunter --simulate 50 --seed 1 --position";
    let position = [
        arguments.split(' ').collect(),
        vec!["8/8/8/4k3/8/8/8/KR6 w - - 0 1"],
    ]
    .concat();
    let text = output(&position);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fifty = "against the hunter for the 50-move rule";
    for words in [
        &format!("expected moves are against the hunter for length, wins within 50 moves {fifty}"),
        "w - - 0 1 against hunter exactly: ",
        " moves against the hunter for length; ",
        &format!(" % within 50 moves {fifty} 50 games against the hunter for length: "),
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("ties"), "{text}");
    let text = output(&["difficulty", "KRK", "--hunter", "20"]);
    let row = |opponent: &str| {
        let rows = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>());
        let found = rows.filter(|row| row.starts_with(&["20", opponent]));
        let moves: Vec<f64> = found.map(|row| row[2].parse().unwrap()).collect();
        assert_eq!(moves.len(), 1, "{text}");
        moves[0]
    };
    assert!(row("hunter") > row("best") + 0.1, "{text}");
}

#[test]
fn refusals_of_predictions() {
    assert!(refusal(&["predict", "KQKR"]).contains("--skill"));
    assert!(refusal(&["predict", "KQKR", "--skill", "nan"]).contains("a competence is a number"));
    let known = refusal(&["predict", "KRK", "--skill", "5", "--opponent", "hunter:c=5"]);
    assert!(known.contains("know the player's c"), "{known}");
    let other = refusal(&["predict", "KQK", "--skill", "5", "--position", DEEPEST]);
    assert!(
        other.contains("the position is one of KQKR, not of KQK"),
        "{other}"
    );
    for opponent in ["hunter", "inf"] {
        let lost = ["predict", "KQKR", "--skill", "20", "--opponent", opponent];
        let lost = refusal(&[&lost[..], &["--position", BB2_12B]].concat());
        for words in [
            "Black, to move, loses here; give a position that the side to move wins",
            "`errare advise '8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1' --skill 20 --hunter`",
        ] {
            assert!(lost.contains(words), "{lost}");
        }
    }
    // These are seen before anything is built or averaged.
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path().to_str().unwrap();
    let early = |command: &str| {
        let refused = refusal(
            &[
                &command.split(' ').collect::<Vec<_>>()[..],
                &["--tables", tables],
            ]
            .concat(),
        );
        let built = directory.path().read_dir().unwrap().count();
        assert_eq!(built, 0, "{command}: {refused}");
        refused
    };
    for command in [
        "predict KQKR --skill 5 --moves 0",
        "difficulty KQKR --moves 0",
    ] {
        assert!(early(command).contains("at least one move"), "{command}");
    }
    for command in [
        "predict KQKR --skill 5 --opponent hunter --metric dtm",
        "difficulty KQKR --hunter 5 --metric dtm",
        "advise 8/8/8/2K5/r7/2Q5/4k3/8_b_-_-_0_1 --skill 5 --hunter --metric dtm",
    ] {
        assert!(
            early(command).contains("goes on after a conversion"),
            "{command}"
        );
    }
    let negative = early("difficulty KQKR --hunter=-1");
    assert!(negative.contains("at least 0, not -1"), "{negative}");
    let risky = [
        "predict",
        "KQKR",
        "--skill",
        "5",
        "--position",
        DEEPEST,
        "--value",
        "risk",
        "--ties",
        "first",
    ];
    assert!(refusal(&risky).contains("with value kept"));
    let memory = [
        "predict",
        "KQKR",
        "--skill",
        "20",
        "--position",
        DEEPEST,
        "--memory",
        "2MB",
    ];
    let built = output(&["predict", "KQKR", "--skill", "20"]);
    assert!(!built.is_empty() && refusal(&memory).contains("raise --memory"));
    errare(&["difficulty", "KQK", "--side", "black"])
        .assert()
        .code(1)
        .stdout("");
    errare(&["predict", "KQK", "--skill", "5", "--side", "black"])
        .assert()
        .code(1)
        .stdout("");
}
