use errare_core::{Cancel, Colour, FaultKind};
use errare_service::{
    difficulty, markov,
    model::{Model, ValueRule},
    predict::{
        self, Request,
        exact::{self, Simulation},
    },
};

use crate::{round_trip, service};

fn request(endgame: &str, skill: &str, value: ValueRule) -> Request {
    Request {
        endgame: endgame.parse().unwrap(),
        skill: skill.parse().unwrap(),
        compare: vec!["21".parse().unwrap()],
        opponent: "inf".parse().unwrap(),
        side: Colour::White,
        value,
        moves: 50,
        position: None,
        model: Model::default(),
    }
}

#[test]
fn answers_survive_json() {
    for (endgame, skill, value) in [
        ("KQKR", "20", ValueRule::Keep),
        ("KPK", "-inf", ValueRule::Keep),
        ("KPK", "5", ValueRule::Risk),
    ] {
        let request = request(endgame, skill, value);
        round_trip(&request);
        let answer = predict::answer(&service(), &request, &()).unwrap();
        let json = round_trip(&answer);
        assert_eq!(json["value"], value.name());
        assert_eq!(json["compare"][0]["skill"], 21.0);
        assert_eq!(json["results"].is_object(), value == ValueRule::Risk);
    }
}

/// The random mover often wins KPK only if it may not throw the win away.
#[test]
fn value_at_risk_makes_the_difference() {
    let chance = |value| {
        let request = request("KPK", "0", value);
        let answer = predict::answer(&service(), &request, &()).unwrap();
        let within = &answer.forecast.win_within.from;
        within[within.keys().next_back().unwrap()]
    };
    let (kept, risked) = (chance(ValueRule::Keep), chance(ValueRule::Risk));
    assert!(kept > 10.0 * risked, "{kept} {risked}");
}

#[test]
fn a_position_is_followed_and_simulated() {
    let position = exact::Request {
        fen: "8/8/8/3k4/8/8/8/KR6 w - - 0 1".to_owned(),
        ties: "uniform".parse().unwrap(),
        simulate: Some(Simulation {
            games: 1000,
            max_moves: Simulation::most_moves(),
            seed: Some(1),
        }),
    };
    let request = Request {
        position: Some(position),
        ..request("KRK", "10", ValueRule::Keep)
    };
    let answer = predict::answer(&service(), &request, &()).unwrap();
    let json = round_trip(&answer);
    assert_eq!(json["position"]["ties"], "uniform");
    let position = answer.position.unwrap();
    let simulated = position.simulated.unwrap().moves.unwrap();
    let error = (simulated.mean - position.expected_moves.unwrap()).abs();
    assert!(error < 4.0 * simulated.standard_error.unwrap());
}

/// Simulations that say nothing are refused before anything is solved.
#[test]
fn simulations_must_tell_something() {
    let refused = |games, max_moves| {
        let position = exact::Request {
            fen: "8/8/8/3k4/8/8/8/KR6 w - - 0 1".to_owned(),
            ties: Default::default(),
            simulate: Some(Simulation {
                games,
                max_moves,
                seed: Some(1),
            }),
        };
        let request = Request {
            position: Some(position),
            ..request("KRK", "10", ValueRule::Keep)
        };
        let stopped = Cancel::default();
        stopped.cancel();
        let error = predict::answer(&service(), &request, &stopped).unwrap_err();
        assert_eq!(error.kind(), FaultKind::BadRequest);
        error.to_string()
    };
    assert_eq!(refused(0, 100), "simulate at least 2 games, not 0");
    assert_eq!(
        refused(1000, 49),
        "games abandoned after 49 moves do not show whether they are won within 50"
    );
}

/// Simulated games agree with expectations against opponents that are followed position by position.
#[test]
fn games_against_followed_opponents_are_simulated() {
    for opponent in ["best", "predator", "predator:plies=4", "hunter"] {
        let request = Request {
            opponent: opponent.parse().unwrap(),
            position: Some(exact::Request {
                fen: "8/8/8/3k4/8/8/8/KR6 w - - 0 1".to_owned(),
                ties: Default::default(),
                simulate: Some(Simulation {
                    games: 20_000,
                    max_moves: Simulation::most_moves(),
                    seed: Some(1),
                }),
            }),
            ..request("KRK", "10", ValueRule::Keep)
        };
        let answer = predict::answer(&service(), &request, &()).unwrap();
        round_trip(&answer);
        let position = answer.position.unwrap();
        let simulated = position.simulated.unwrap();
        let moves = simulated.moves.unwrap();
        let off = (moves.mean - position.expected_moves.unwrap()).abs();
        let error = moves.standard_error.unwrap();
        assert!(off < 4.0 * error, "{opponent}: {off} ± {error}");
        // The hunter for length is not the one for the 50-move rule.
        let (share, chance) = (simulated.win_within, position.win_within);
        let error = (chance * (1.0 - chance) / 20_000.0).sqrt();
        match opponent {
            "hunter" => assert!(share > chance - 4.0 * error, "{share} {chance}"),
            _ => assert!((share - chance).abs() < 4.0 * error, "{share} {chance}"),
        }
    }
}

#[test]
fn matrices_and_difficulties_survive_json() {
    let matrix = markov::Request {
        endgame: "KQK".parse().unwrap(),
        skill: "10".parse().unwrap(),
        side: Colour::Black,
        value: ValueRule::Risk,
        model: Model::default(),
    };
    round_trip(&matrix);
    let json = round_trip(&markov::answer(&service(), &matrix, &()).unwrap());
    assert_eq!(
        (&json["side"], &json["states"][0]),
        (&"black".into(), &"win 0".into())
    );
    let request = difficulty::Request {
        endgames: vec!["KPK".parse().unwrap(), "KBK".parse().unwrap()],
        side: Colour::White,
        moves: 50,
        hunter: vec!["20".parse().unwrap()],
        model: Model::default(),
    };
    round_trip(&request);
    let answer = difficulty::answer(&service(), &request, &()).unwrap();
    let json = round_trip(&answer.found);
    assert_eq!(answer.without_win, ["KBK".parse().unwrap()]);
    assert_eq!(
        (&json[0]["endgame"], &json[0]["value"]),
        (&"KPK".into(), &"keep".into())
    );
    // Nobody resists better than the hunter, and both are predicted alike.
    let point = answer.found[0].hunter[0];
    assert_eq!(
        json[0]["hunter"][0]["best"]["mean_moves"],
        point.best.mean_moves.unwrap()
    );
    assert!(point.hunter.mean_moves > point.best.mean_moves);
    assert!(point.hunter.mean_win_within <= point.best.mean_win_within + 1e-9);
    for (opponent, resisted) in [("best", point.best), ("hunter", point.hunter)] {
        let request = Request {
            opponent: opponent.parse().unwrap(),
            ..self::request("KPK", "20", ValueRule::Keep)
        };
        let predicted = predict::answer(&service(), &request, &()).unwrap();
        let deepest = *predicted.forecast.positions.keys().next_back().unwrap();
        let moves = predicted.forecast.expected_moves[&deepest];
        assert_eq!(moves, resisted.expected_moves);
        let within = predicted.forecast.win_within.from[&deepest];
        assert_eq!(within, resisted.win_within);
    }
    // A player who may err must be better.
    let (kept, risked) = (
        answer.found[0].difficulty.even_chance.unwrap(),
        answer.found[0].risk.even_chance.unwrap(),
    );
    assert!(risked > kept, "{kept} {risked}");
}

#[test]
fn whoever_watches_sees_progress_and_can_stop_it() {
    let service = service();
    let ask = request("KQKR", "20", ValueRule::Keep);
    crate::tells_progress(|watch| predict::answer(&service, &ask, watch));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = predict::answer(&service, &request("KQKR", "20", ValueRule::Keep), &cancel);
    assert_eq!(stopped.unwrap_err().kind(), FaultKind::Stopped);
    let hardest = difficulty::Request {
        endgames: vec!["KQKR".parse().unwrap()],
        side: Colour::White,
        moves: 50,
        hunter: Vec::new(),
        model: Model::default(),
    };
    let easier = difficulty::Request {
        endgames: vec!["KQK".parse().unwrap()],
        ..hardest.clone()
    };
    crate::tells_progress(|watch| difficulty::answer(&service, &easier, watch));
    let stopped = difficulty::answer(&service, &hardest, &cancel);
    assert_eq!(stopped.unwrap_err().kind(), FaultKind::Stopped);
}

/// The hunter makes the win longer and less likely than the Predator does, and the Predator more than the best
/// player.
#[test]
fn the_hunter_resists_best() {
    let [best, predator, hunter] = ["best", "predator", "hunter"].map(|opponent| {
        let request = Request {
            opponent: opponent.parse().unwrap(),
            position: Some(exact::Request {
                fen: "8/8/8/3k4/8/8/8/KR6 w - - 0 1".to_owned(),
                ties: Default::default(),
                simulate: None,
            }),
            ..request("KRK", "10", ValueRule::Keep)
        };
        round_trip(&request);
        let answer = predict::answer(&service(), &request, &()).unwrap();
        let json = round_trip(&answer);
        assert_eq!(json["position"]["opponent"], opponent);
        assert_eq!(json["opponent"], opponent);
        answer
    });
    let of = |answer: &predict::Answer| answer.position.clone().unwrap();
    let [best_at, predator_at, hunter_at] = [&best, &predator, &hunter].map(of);
    assert!(best_at.expected_moves < predator_at.expected_moves);
    assert!(predator_at.expected_moves < hunter_at.expected_moves);
    assert!(predator_at.win_within > hunter_at.win_within);
    for (depth, expected) in &hunter.forecast.expected_moves {
        assert!(*expected >= predator.forecast.expected_moves[depth].map(|moves| moves - 1e-6));
    }
    // As against the infallible opponent who breaks ties at random.
    let infallible = Request {
        position: Some(exact::Request {
            fen: best_at.fen.clone(),
            ties: Default::default(),
            simulate: None,
        }),
        ..request("KRK", "10", ValueRule::Keep)
    };
    let infallible = predict::answer(&service(), &infallible, &()).unwrap();
    let off = of(&infallible).expected_moves.unwrap() / best_at.expected_moves.unwrap() - 1.0;
    assert!(off.abs() < 1e-5, "{off}");
    let risk = Request {
        value: ValueRule::Risk,
        opponent: "hunter".parse().unwrap(),
        ..request("KPK", "10", ValueRule::Risk)
    };
    let answer = predict::answer(&service(), &risk, &()).unwrap();
    assert!(answer.forecast.expected_moves.values().all(Option::is_none));
    let json = round_trip(&answer);
    for (depth, in_time) in &answer.forecast.win_within.from {
        let in_the_end = answer.forecast.win[depth];
        assert!(*in_time <= in_the_end + 1e-8 && in_the_end < 1.0 + 1e-9);
        assert_eq!(json["win"][depth.to_string()], in_the_end);
    }
    let followed = Request {
        position: Some(exact::Request {
            fen: "8/8/8/8/1K6/8/3P4/7k w - - 0 1".to_owned(),
            ties: Default::default(),
            simulate: None,
        }),
        ..risk
    };
    let answer = predict::answer(&service(), &followed, &()).unwrap();
    let at = of(&answer);
    assert_eq!(at.expected_moves, None);
    assert!(0.0 < at.win_within && at.win_within < 1.0);
    assert_eq!(round_trip(&answer)["position"]["win"], at.win.unwrap());
    // The hunter leaves less of a chance than the best player, in the end too.
    let best = Request {
        opponent: "best".parse().unwrap(),
        ..followed
    };
    let best = predict::answer(&service(), &best, &()).unwrap();
    assert!(at.win_within <= at.win.unwrap() && at.win < of(&best).win);
}

/// The slow twin: R_c against the infallible opponent by plain recursion, a mean over all moves and all best replies.
#[test]
fn a_position_is_followed_with_value_at_risk() {
    use errare_choice::Kappa;
    use errare_core::{Metric, parse_position};
    use errare_endgame::{Oracle, ReferencePlayer, Weighting, exits};
    use errare_tables::Prober;
    use shakmaty::{Chess, Position};
    const FEN: &str = "4k3/8/8/8/4K3/8/4P3/8 w - - 0 1";
    const MOVES: u32 = 4;
    let at_risk = |fen: &str| Request {
        moves: MOVES,
        position: Some(exact::Request {
            fen: fen.to_owned(),
            ties: Default::default(),
            simulate: None,
        }),
        ..request("KPK", "3", ValueRule::Risk)
    };
    let service = service();
    let near = "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1";
    let refused = predict::answer(&service, &at_risk(near), &()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Black, to move, loses here; give a position that the side to move wins"
    );
    let near = "4k3/8/3KP3/8/8/8/8/8 w - - 0 1";
    let answer = predict::answer(&service, &at_risk(near), &()).unwrap();
    let found = answer.position.unwrap();
    let oracle = Oracle::new(Prober::new(service.tables.store().clone()), Metric::Dtc);
    let player = ReferencePlayer {
        competence: 3.0,
        kappa: Kappa::ONE,
        weighting: Weighting::risking_value(),
    };
    fn won(oracle: &Oracle, player: &ReferencePlayer, position: &Chess, moves: u32) -> f64 {
        if moves == 0 {
            return 0.0;
        }
        let turn = oracle.turn(position).unwrap();
        let chances = player.probabilities(&turn);
        let each = turn.choices().iter().zip(chances).map(|(choice, chance)| {
            // A result thrown away does not come back.
            if choice.state.value() < 1 {
                return 0.0;
            }
            if exits(choice.r#move, Metric::Dtc) || choice.state.depth() == Some(0) {
                return chance;
            }
            let mut after = position.clone();
            after.play_unchecked(choice.r#move);
            let replies = oracle.turn(&after).unwrap();
            let best = replies
                .choices()
                .iter()
                .filter(|reply| replies.is_optimal(reply));
            let values: Vec<f64> = best
                .map(|reply| {
                    let mut next = after.clone();
                    next.play_unchecked(reply.r#move);
                    won(oracle, player, &next, moves - 1)
                })
                .collect();
            chance * values.iter().sum::<f64>() / values.len() as f64
        });
        each.sum()
    }
    let twin = won(&oracle, &player, &parse_position(near).unwrap(), MOVES);
    assert!(
        (found.win_within - twin).abs() < 1e-9 && twin > 0.0,
        "{found:?} {twin}"
    );
    assert_eq!((found.expected_moves, found.bounds), (None, None));

    // The same as against `best`; and a win thrown away stays lost, so the win is never certain.
    let far = predict::answer(&service, &at_risk(FEN), &())
        .unwrap()
        .position
        .unwrap();
    let best = Request {
        opponent: "best".parse().unwrap(),
        ..at_risk(FEN)
    };
    let best = predict::answer(&service, &best, &())
        .unwrap()
        .position
        .unwrap();
    assert!((far.win_within - best.win_within).abs() < 1e-12);
    let win = far.win.unwrap();
    assert!((win - best.win.unwrap()).abs() < 1e-9 && far.win_within < win && win < 1.0);
}
