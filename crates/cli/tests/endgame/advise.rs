use crate::{BB2_12B, browne_belle, errare, json, output, refusal};

/// Section 4 of Haworth (2002): Rf4, Re4 and Rg4 are best in turn; Rh4 never.
#[test]
fn the_best_move_depends_on_the_opponent() {
    for (skill, best) in [("5", "a4f4"), ("20", "a4e4"), ("40", "a4g4")] {
        let answer = json(&["advise", BB2_12B, "--skill", skill, "--json"]);
        assert_eq!(answer["best"], best);
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves[0]["uci"], best);
        assert_eq!(moves[0]["optimal"], true);
        assert!(moves[0]["expected_depth"].as_f64() > moves[1]["expected_depth"].as_f64());
        assert!(moves[0]["expected_value"].as_f64().unwrap() < 0.0);
    }
}

#[test]
fn equally_good_moves_are_said_to_be() {
    let lost = "8/8/8/4k3/8/8/Q7/K7 b - - 0 1";
    let said = output(&["advise", lost, "--skill", "-inf"]);
    let tie = "Kd6: a depth of 10.000 is expected after the reply, as after Ke4";
    assert!(said.contains(tie), "{said}");
}

/// What the hunter's chance is: of which result, within how many moves, and by how much it differs from the Predator's.
#[test]
fn a_hunters_chance_is_told_in_full() {
    let chance = |fen: &str| {
        let arguments = ["advise", fen, "--skill", "10", "--hunter"];
        let answer = json(&[&arguments[..], &["--json"]].concat());
        let text = output(&arguments);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (answer, text)
    };
    let (answer, text) = chance("8/8/8/3k4/8/8/8/KR6 b - - 40 1");
    assert_eq!(answer["hunter"]["chance"]["moves_left"], 30);
    assert!(
        text.contains("Within the 30 moves left White wins with "),
        "{text}"
    );
    assert!(text.contains(" moves are expected"), "{text}");
    let (best, predators) = (&answer["hunter"]["chance"]["best"], &answer["best"]);
    let same = text.ends_with("the same move as the Predator's");
    assert_eq!(same, best == predators, "{text}");
    assert!(same || text.contains(" % after the Predator's "), "{text}");
    let (answer, text) = chance("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1");
    assert_eq!(answer["value"], 0);
    assert_eq!(answer["hunter"]["chance"]["moves_left"], 50);
    for words in [
        ": the opponent's next move throws the draw away in ",
        "The hunter plays ",
        ": within 50 moves the opponent goes wrong with ",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn opponents_can_be_observed() {
    let games = browne_belle();
    let answer = json(&[
        "advise",
        BB2_12B,
        "--observed",
        &games,
        "--prior",
        "0:1:50",
        "--json",
    ]);
    assert_eq!(answer["opponent"]["moves_seen"], 95);
    let skill = answer["opponent"]["skill"].as_f64().unwrap();
    assert!((19.0..20.0).contains(&skill), "{skill}");
    let named = json(&[
        "advise",
        BB2_12B,
        "--observed",
        &games,
        "--player",
        "Browne",
        "--json",
    ]);
    assert_eq!(named["opponent"]["name"], "Browne, Walter");
    assert_eq!(named["opponent"]["skill"], answer["opponent"]["skill"]);
    let text = output(&["advise", BB2_12B, "--observed", &games]);
    assert!(
        text.starts_with("White appears to have c = 19.26"),
        "{text}"
    );
}

#[test]
fn refusals() {
    assert!(refusal(&["advise", BB2_12B]).contains("--skill"));
    assert!(refusal(&["advise", BB2_12B, "--skill", "5", "--plies", "3"]).contains("must be even"));
    let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(refusal(&["advise", full, "--skill", "5"]).contains("three to five men"));
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert!(refusal(&["advise", mate, "--skill", "5"]).contains("the game is over"));
    let nobody = refusal(&[
        "advise",
        BB2_12B,
        "--observed",
        &browne_belle(),
        "--player",
        "Nobody",
    ]);
    assert!(nobody.contains("nobody in these games"), "{nobody}");
    let beyond = refusal(&["advise", BB2_12B, "--skill", "1e9"]);
    assert!(beyond.contains("from -10000 to 10000"), "{beyond}");
}

/// One line of JSON per position, in order; one without an answer gets its error in its place.
#[test]
fn many_positions_are_answered_in_their_order() {
    let assert = errare(&["advise", "-", "--skill", "-inf", "--json"])
        .write_stdin(format!(
            "{BB2_12B}\nnonsense\n7k/8/5K2/6Q1/8/8/8/8 w - - 0 1\n"
        ))
        .assert()
        .code(2);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let answers: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["fen"], BB2_12B);
    assert_eq!(answers[0]["opponent"]["skill"], "-inf");
    assert!(answers[1]["error"].as_str().unwrap().contains("nonsense"));
    assert_eq!(answers[2]["best"], "g5g7");
}
