//! Schemas of requests and answers, as OpenAPI has them.

use errare_service::{advise, analyse, difficulty, markov, minimax, predict};
use utoipa::PartialSchema;

#[test]
fn requests_and_answers_have_schemas() {
    let schemas = [
        ("advise.Request", advise::Request::schema()),
        ("advise.Answer", advise::Answer::schema()),
        ("analyse.Request", analyse::Request::schema()),
        ("analyse.Answer", analyse::Answer::schema()),
        ("predict.Request", predict::Request::schema()),
        ("predict.Answer", predict::Answer::schema()),
        ("markov.Request", markov::Request::schema()),
        ("markov.Answer", markov::Answer::schema()),
        ("difficulty.Request", difficulty::Request::schema()),
        ("difficulty.Endgame", difficulty::Endgame::schema()),
        ("minimax.search.Request", minimax::search::Request::schema()),
        ("minimax.prob.Answer", minimax::prob::Answer::schema()),
        ("minimax.sweep.Answer", minimax::sweep::Answer::schema()),
        ("minimax.tree.Answer", minimax::tree::Answer::schema()),
        (
            "minimax.dominate.Answer",
            minimax::dominate::Answer::schema(),
        ),
        (
            "minimax.mobility.Answer",
            minimax::mobility::Answer::schema(),
        ),
        ("minimax.play.Answer", minimax::play::Answer::schema()),
        ("minimax.rate.Answer", minimax::rate::Answer::schema()),
    ];
    let mut text = String::new();
    for (name, schema) in schemas {
        let schema = serde_json::to_string_pretty(&schema).unwrap();
        text += &format!("{name} {schema}\n");
    }
    insta::assert_snapshot!(text);
}
