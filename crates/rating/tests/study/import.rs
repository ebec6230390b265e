//! Turns that were evaluated elsewhere.

use std::{fs::File, path::Path};

use errare_engine::Score;
use errare_rating::{Exclusion, Study, StudyError, study::Imported};

use crate::study;

/// White can take a queen.
const LINE: &str = r#"{"id":"x/g7p16","white":"A","black":"B","welo":2700,"belo":null,"date":"2015.09.15",
"event":"Cup","clock":61.5,"fen":"6k1/8/8/8/8/8/q7/R5K1 w - - 0 9","played":"a1a2","engine":"Stockfish 15.1","depth":2,
"moves":["a1a2","a1b1","a1c1","a1d1","a1e1","a1f1","g1f1","g1h1"],
"eval":[550,-400,-400,-410,-420,-430,"M-3","M-1"],
"depths":{"1":[500,-400,null,-410,-420,-420,"M-1","M-3"]}}"#;

pub(crate) fn line() -> String {
    LINE.replace('\n', "")
}

#[test]
fn a_line_becomes_a_turn() {
    let (_directory, mut study) = study();
    let imported = study.import(line().as_bytes()).expect("imported");
    let new = |games, turns, evaluations| Imported {
        games,
        turns,
        evaluations,
    };
    assert_eq!(imported, new(1, 1, 1));
    assert_eq!(
        study.import(line().as_bytes()).expect("again"),
        new(0, 1, 0)
    );

    let turns = study
        .turns(&study.view(None, None).expect("a view"))
        .expect("turns");
    assert!(
        turns.used.is_empty(),
        "White is more than three pawns ahead"
    );
    assert_eq!(turns.exclusions()[&Exclusion::Decided], 1);
    let turn = &turns.decided[0];
    assert_eq!(turn.place.player().elo, Some(2700));
    assert_eq!(turn.place.opponent().name, "B");
    assert_eq!((turn.place.ply, turn.place.move_number()), (16, 9));
    assert_eq!(turn.place.clock, Some(61.5));
    assert_eq!(turn.place.fen, "6k1/8/8/8/8/8/q7/R5K1 w - - 0 9");
    assert_eq!(turn.played, 0);
    assert_eq!(turn.options[7].score, Score::Mate(-1));
    let third = [None, Some(Score::Centipawns(-400))];
    assert_eq!(turn.options[2].by_depth, third);
}

/// Depth 1 has no score for one move, so there is no view at that depth.
#[test]
fn a_shallower_view() {
    let (_directory, mut study) = study();
    study.import(line().as_bytes()).expect("imported");
    let view = study.view(Some("Stockfish 15"), Some(1)).expect("a view");
    let turns = study.turns(&view).expect("turns");
    assert_eq!(turns.excluded[0].1, Exclusion::NotEvaluated);

    let whole = line().replace("null,-410", "-405,-410").replace("g7", "g8");
    study
        .import(whole.replace("0 9\"", "1 9\"").as_bytes())
        .expect("imported");
    let turns = study.turns(&view).expect("turns");
    let order: Vec<String> = turns.decided[0]
        .options
        .iter()
        .map(|option| option.uci.to_string())
        .collect();
    let expected = "a1a2 a1b1 a1c1 a1d1 a1e1 a1f1 g1h1 g1f1";
    assert_eq!(order.join(" "), expected);
    assert_eq!(turns.decided[0].options[0].by_depth.len(), 1);
}

#[test]
fn views_that_are_not_there() {
    let (_directory, mut study) = study();
    let refused = |study: &Study, engine, depth| study.view(engine, depth).expect_err("no view");
    assert!(matches!(
        refused(&study, None, None),
        StudyError::NoEvaluations
    ));
    study.import(line().as_bytes()).expect("imported");
    let error = refused(&study, Some("Rybka"), None).to_string();
    assert!(error.contains("Stockfish 15.1, depth 2"), "{error}");
    let error = refused(&study, None, Some(3)).to_string();
    assert!(error.contains("only to 2"), "{error}");
    study
        .import(line().replace("15.1", "16").as_bytes())
        .expect("imported");
    assert!(matches!(
        refused(&study, None, None),
        StudyError::SeveralEngines(_)
    ));
}

#[test]
fn bad_lines_are_named_and_nothing_is_entered() {
    let (_directory, mut study) = study();
    let cases = [
        ("a1a2\",\"engine", "a1a8\",\"engine", "a1a8 is not"),
        ("q7/R5K1 w", "q7/R5KK w", "not a legal position"),
        ("550,-400", "550", "not every legal move"),
        ("[500,-400", "[-400", "depth 1 has 7 scores for 8 moves"),
        ("\"M-3\",", "\"M-0\",", "M-0"),
        ("\"depth\":2", "\"depth\":\"two\"", "two"),
        ("a1b1\"", "a1c1\"", "out of range"),
        ("\"clock\":61.5", "\"clock\":-1", "a clock cannot show -1"),
    ];
    for (from, to, expected) in cases {
        let bad = format!("{}\n\n{}\n", line(), line().replacen(from, to, 1));
        let error = study
            .import(bad.as_bytes())
            .expect_err("refused")
            .to_string();
        assert!(error.starts_with("line 3: "), "{error}");
        assert!(error.contains(expected), "{error}: {expected}");
    }
    assert!(study.engines().expect("engines").is_empty());
}

/// The reference turns of 2010-15 at two mileposts, if available.
#[test]
fn reference_turns() {
    let Some(reference) = std::env::var_os("ERRARE_REFERENCE") else {
        errare_testing::skip("ERRARE_REFERENCE does not say where the reference data is");
        return;
    };
    let path = Path::new(&reference).join("evals/depth10.jsonl");
    let (_directory, mut study) = study();
    study
        .import(File::open(path).expect("the file"))
        .expect("imported");
    let turns = study
        .turns(&study.view(None, None).expect("a view"))
        .expect("turns");
    let used = |milepost: &str| {
        let at = |turn: &&errare_rating::EvaluatedTurn| {
            turn.place.game.tag("Milepost") == Some(milepost)
        };
        turns.used.iter().filter(at).count()
    };
    assert_eq!((used("2700"), used("2100")), (505, 428));
}
