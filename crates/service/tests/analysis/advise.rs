use errare_core::FaultKind;
use errare_service::{
    advise::{self, AdviseSettings, Adviser, Request},
    model::Model,
};

use crate::{BB2_12B, BROWNE_BELLE, round_trip, service};

fn settings(skill: Option<&str>) -> AdviseSettings {
    AdviseSettings {
        skill: skill.map(|skill| skill.parse().unwrap()),
        observed: skill.is_none().then(|| BROWNE_BELLE.to_owned()),
        opponent: None,
        prior: AdviseSettings::prior(),
        plies: AdviseSettings::plies(),
        hunter: false,
        model: Model::default(),
    }
}

fn request(settings: AdviseSettings) -> Request {
    Request {
        fen: BB2_12B.to_owned(),
        settings,
    }
}

#[test]
fn answers_survive_json() {
    for settings in [settings(Some("20")), settings(Some("-inf")), settings(None)] {
        let answer = advise::answer(&service(), &request(settings), &()).unwrap();
        let json = round_trip(&answer);
        assert_eq!(json["endgame"], "KQKR");
        assert_eq!(json["metric"], "dtc");
        round_trip(&request(self::settings(Some("inf"))));
    }
}

#[test]
fn a_request_needs_no_more_than_a_position_and_a_skill() {
    let text = format!("{{\"fen\": {BB2_12B:?}, \"skill\": 20}}");
    let request: Request = serde_json::from_str(&text).unwrap();
    let answer = advise::answer(&service(), &request, &()).unwrap();
    assert_eq!(answer.best.as_deref(), Some("a4e4"));
}

/// Names are matched as in ratings: a part is enough if only one player matches.
#[test]
fn an_opponent_is_found_by_a_part_of_the_name() {
    let answer = |name: &str| {
        let settings = AdviseSettings {
            opponent: Some(name.to_owned()),
            ..settings(None)
        };
        advise::answer(&service(), &request(settings), &())
    };
    let browne = answer("browne").unwrap().opponent;
    assert_eq!(browne.name.as_deref(), Some("Browne, Walter"));
    assert_eq!(browne.moves_seen, 95);
    // "e" is in both names.
    let several = answer("e").unwrap_err();
    assert!(
        several.to_string().contains("BELLE; Browne, Walter"),
        "{several}"
    );
    let nobody = answer("Nobody").unwrap_err();
    assert_eq!(nobody.kind(), FaultKind::Missing);
}

#[test]
fn one_adviser_answers_for_many_positions() {
    let service = service();
    let settings = settings(Some("5"));
    let adviser = Adviser::new(&service, &settings, &()).unwrap();
    let best = |fen: &str| adviser.advise(fen, &()).unwrap().best;
    assert_eq!(best(BB2_12B).as_deref(), Some("a4f4"));
    assert_eq!(
        best("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").as_deref(),
        Some("g5g7")
    );
    assert_eq!(best(BB2_12B).as_deref(), Some("a4f4"));
}

/// In a drawn position the opponent errs within 50 moves from here, whatever the clock says.
#[test]
fn a_draw_is_hunted_for_fifty_moves() {
    let hunted = |clock| {
        let request = Request {
            fen: format!("8/8/8/8/4k3/8/4P3/4K3 w - - {clock} 20"),
            settings: AdviseSettings {
                hunter: true,
                ..settings(Some("10"))
            },
        };
        let answer = advise::answer(&service(), &request, &()).unwrap();
        answer.hunter.unwrap()
    };
    let fresh = hunted(0);
    assert!(fresh.length.is_none() && fresh.chance.as_ref().unwrap().worth > 0.0);
    assert_eq!(fresh, hunted(30));
}

/// The hunter's move is at least as good as the Predator's and as any optimal one.
#[test]
fn the_hunter_is_asked_too() {
    let request = Request {
        fen: "8/8/8/3k4/8/8/8/KR6 b - - 0 1".to_owned(),
        settings: AdviseSettings {
            hunter: true,
            ..settings(Some("10"))
        },
    };
    let answer = advise::answer(&service(), &request, &()).unwrap();
    round_trip(&answer);
    let hunted = answer.hunter.unwrap();
    let (length, chance) = (hunted.length.unwrap(), hunted.chance.unwrap());
    assert!(length.worth > 10.0 && length.over_predator >= 0.0 && length.over_optimal >= 0.0);
    assert!((0.0..=1.0).contains(&chance.worth));
    assert_eq!(length.moves[0].uci, length.best);
    assert!(length.moves.is_sorted_by(|a, b| a.worth >= b.worth));
    assert!(chance.moves.is_sorted_by(|a, b| a.worth <= b.worth));
    assert_eq!(hunted.competence, 10.0);
    // A learned competence lies between two integers, and so do the worths of moves.
    let learned = Request {
        fen: request.fen.clone(),
        settings: AdviseSettings {
            hunter: true,
            opponent: Some("browne".to_owned()),
            ..settings(None)
        },
    };
    let answer = advise::answer(&service(), &learned, &()).unwrap();
    let hunted = answer.hunter.unwrap();
    let competence = answer.opponent.skill.get();
    assert_eq!(hunted.competence, competence);
    assert_ne!(competence, competence.round());
    let at = |skill: f64| {
        let request = Request {
            fen: request.fen.clone(),
            settings: AdviseSettings {
                hunter: true,
                ..settings(Some(&skill.to_string()))
            },
        };
        let answer = advise::answer(&service(), &request, &()).unwrap();
        answer.hunter.unwrap()
    };
    let exact = at(competence);
    let [low, high] = [competence.ceil(), competence.floor()].map(&at);
    for of in [
        |hunted: &advise::Hunted| hunted.length.as_ref().unwrap().worth,
        |hunted: &advise::Hunted| 1.0 - hunted.chance.as_ref().unwrap().worth,
    ] {
        let (low, found, high) = (of(&low), of(&hunted), of(&high));
        assert!(low < found && found < high, "{low} {found} {high}");
        let off = found - of(&exact);
        // Interpolation may be off by a tenth of the difference between the two.
        assert!(off.abs() < 0.1 * (high - low), "{off} of {low} to {high}");
    }
}
