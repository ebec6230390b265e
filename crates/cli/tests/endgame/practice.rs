use serde_json::Value;

use crate::{DEEPEST, errare, refusal};

fn played(arguments: &[&str], typed: &str) -> (Value, String) {
    let assert = errare(arguments)
        .write_stdin(typed.to_owned())
        .assert()
        .success();
    let output = assert.get_output();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap(), talk)
}

#[test]
fn moves_are_marked_and_measured() {
    let arguments = [
        "practice",
        "--from",
        DEEPEST,
        "--opponent",
        "best:ties=first",
        "--json",
    ];
    let typed = "hint\nnonsense\nKb7\nKc6\nKd7\nd7d8\nQc5\nQd4\nquit\n";
    let (summary, talk) = played(&arguments, typed);
    assert_eq!(summary["end"], "You have stopped");
    assert_eq!(
        (&summary["moves"], &summary["ceded"]),
        (&6.into(), &1.into()),
        "{talk}"
    );
    assert!(summary["competence"]["mean"].is_f64());
    assert_eq!(summary["hints"], 1);
    assert!(
        talk.contains("you win in 31 (dtc)") && talk.contains("Ka7, Kb7"),
        "{talk}"
    );
    assert!(
        talk.contains("\"nonsense\" is not a legal move here"),
        "{talk}"
    );
    assert!(
        talk.contains("Kd8'  optimal") && talk.contains("Qd4  +1/+1"),
        "{talk}"
    );
}

#[test]
fn positions_are_drawn_by_chance() {
    let arguments = |seed| {
        [
            "practice", "KQKR", "--depth", "20", "--seed", seed, "--json",
        ]
    };
    let [first, again, other] = ["1", "1", "2"].map(|seed| played(&arguments(seed), "").1);
    assert!(first.contains("you win in 20"), "{first}");
    assert_eq!(first, again);
    assert_ne!(first, other);
    // The deepest are found as well, however rare they are.
    let deepest = ["practice", "KQKR", "--depth", "31", "--json"];
    assert!(played(&deepest, "").1.contains("you win in 31"));
}

#[test]
fn one_can_defend() {
    let (summary, talk) = played(
        &[
            "practice",
            "KQK",
            "--defend",
            "--opponent",
            "best",
            "--json",
        ],
        "moves\n",
    );
    assert_eq!(summary["side"], "Black");
    assert!(talk.contains("you lose in"), "{talk}");
}

#[test]
fn refusals() {
    assert!(refusal(&["practice"]).contains("ENDGAME"));
    assert!(refusal(&["practice", "KQKR", "--skill=-1"]).contains("an emulator's c"));
    assert!(
        refusal(&["practice", "KQKR", "--depth", "40"])
            .contains("no position of KQKR is won in 40")
    );
    assert!(refusal(&["practice", "KQXKR"]).contains("not an endgame"));
}
