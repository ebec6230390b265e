use crate::{BB2_12B, browne_belle, json, output, refusal};

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
        "--opponent",
        "Browne",
        "--json",
    ]);
    assert_eq!(named["opponent"], answer["opponent"]);
    let text = output(&["advise", BB2_12B, "--observed", &games]);
    assert!(
        text.starts_with("White appears to have c = 19.26"),
        "{text}"
    );
}

#[test]
fn refusals() {
    assert!(refusal(&["advise", BB2_12B]).contains("--skill"));
    assert!(refusal(&["advise", BB2_12B, "--skill", "5", "--plies", "3"]).contains("even number"));
    let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(refusal(&["advise", full, "--skill", "5"]).contains("three to five men"));
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert!(refusal(&["advise", mate, "--skill", "5"]).contains("the game is over"));
    let nobody = refusal(&[
        "advise",
        BB2_12B,
        "--observed",
        &browne_belle(),
        "--opponent",
        "Nobody",
    ]);
    assert!(nobody.contains("no move of the opponent"), "{nobody}");
}
