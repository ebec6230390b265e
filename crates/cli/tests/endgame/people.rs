//! The output of the verbs about reference players, as people see it.

use crate::{BB2_12B, DEEPEST, output};

#[test]
fn output_for_people() {
    let match_of_fifty = [
        "match", "rep:c=20", "best", "--from", DEEPEST, "--games", "50", "--seed", "7",
    ];
    let verbs: [(&str, &[&str]); 5] = [
        ("advise", &["advise", BB2_12B, "--skill", "20"]),
        ("match", &match_of_fifty),
        (
            "predict",
            &["predict", "KPK", "--skill", "0", "--value", "risk"],
        ),
        ("difficulty", &["difficulty", "KPK"]),
        ("markov", &["markov", "KPK", "--skill", "3"]),
    ];
    for (name, arguments) in verbs {
        insta::assert_snapshot!(name, output(arguments));
    }
}
