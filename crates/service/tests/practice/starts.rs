//! Starts worth playing.

use errare_core::{Material, parse_position};
use errare_service::{
    practice::{
        DepthRange, GameValue, Level, Request, Start, Task, Trick, TrickyRequest, begin, trickiest,
    },
    predict,
};
use shakmaty::Position;

use crate::service;

fn endgame(name: &str) -> Material {
    name.parse().unwrap()
}

fn random(name: &str, task: Task, depth: Option<&str>, level: Option<Level>, seed: u64) -> Request {
    Request {
        seed: Some(seed),
        opponent: Some("best".to_owned()),
        ..Request::new(Start::Random {
            endgame: endgame(name),
            task,
            depth: depth.map(|range| range.parse().unwrap()),
            level,
        })
    }
}

#[test]
fn depth_ranges() {
    let parsed = |text: &str| {
        text.parse::<DepthRange>()
            .map(|range| (range.least, range.most))
    };
    assert_eq!(parsed("12"), Ok((12, 12)));
    assert_eq!(parsed("12-20"), Ok((12, 20)));
    assert_eq!(parsed("12-"), Ok((12, u16::MAX)));
    assert_eq!(parsed("-20"), Ok((1, 20)));
    for wrong in ["", "-", "20-12", "x", "1-2-3"] {
        assert!(parsed(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn random_starts_are_worth_playing() {
    for seed in 0..20 {
        let answer = begin(service(), &random("KQKR", Task::Win, None, None, seed), &()).unwrap();
        let moves = answer.view.standing.moves.unwrap();
        assert!(moves >= 4, "{}", answer.view.fen);
        assert_eq!(answer.view.standing.value, GameValue::Win);
        let again = begin(service(), &random("KQKR", Task::Win, None, None, seed), &()).unwrap();
        assert_eq!(again.session.setup, answer.session.setup);
        let position = parse_position(&answer.view.fen).unwrap();
        assert!(position.turn().is_white() && answer.view.your_turn);
    }
}

/// Most draws of KPK cannot go wrong, and many wins of KQKR win the rook at once: neither is worth playing. The check is
/// by plain move generation over probed outcomes.
#[test]
fn random_starts_have_a_choice_that_matters() {
    use errare_core::Metric;
    use errare_tables::Prober;
    let prober = Prober::new(service().tables.store().clone());
    let wanted = [("KPK", Task::Hold, None), ("KQKR", Task::Win, Some("1-31"))];
    for (endgame, task, depth) in wanted {
        for seed in 0..30 {
            let request = random(endgame, task, depth, None, seed);
            let fen = begin(service(), &request, &()).unwrap().view.fen;
            let position = parse_position(&fen).unwrap();
            let here = prober.outcome(&position, Metric::Dtc).unwrap();
            let mut replies = Vec::new();
            for m in position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(m);
                let reply = prober.outcome(&after, Metric::Dtc).unwrap();
                let converts = m.is_capture() || m.is_promotion();
                let keeps = reply.sign() == -here.sign();
                assert!(!(keeps && converts), "{fen}: {m} settles it");
                replies.push(reply);
            }
            let worst = replies.iter().map(|reply| reply.preference()).max();
            let best = replies.iter().map(|reply| reply.preference()).min();
            assert_ne!(worst, best, "{fen}: no move matters");
        }
    }
}

#[test]
fn depths_are_as_asked_for_however_rare() {
    for (depth, least, most) in [("12-14", 12, 14), ("31", 31, 31), ("1", 1, 1)] {
        let answer = begin(
            service(),
            &random("KQKR", Task::Win, Some(depth), None, 3),
            &(),
        )
        .unwrap();
        let moves = answer.view.standing.moves.unwrap();
        assert!((least..=most).contains(&moves), "{depth}: {moves}");
    }
    let error = begin(
        service(),
        &random("KQKR", Task::Win, Some("40"), None, 3),
        &(),
    )
    .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no position of KQKR with White to move is won by White in 40 moves"),
        "{error}"
    );
}

#[test]
fn draws_to_hold_and_losses_to_resist() {
    for seed in 0..3 {
        let held = begin(service(), &random("KPK", Task::Hold, None, None, seed), &()).unwrap();
        assert_eq!(held.view.standing.value, GameValue::Draw);
        assert_eq!(held.session.setup.task, Task::Hold);
        let lost = begin(
            service(),
            &random("KQKR", Task::Resist, Some("20-31"), None, seed),
            &(),
        )
        .unwrap();
        assert_eq!(lost.view.standing.value, GameValue::Loss);
        assert!(lost.view.standing.moves.unwrap() >= 20);
    }
}

/// A level is the chance that R_20, who may lose value, wins within 50 moves, as in `predict`.
#[test]
fn levels_are_chances() {
    let request = r#"{"endgame": "KQKR", "skill": 20, "value": "risk", "moves": 50}"#;
    let request: predict::Request = serde_json::from_str(request).unwrap();
    let predicted = predict::answer(service(), &request, &()).unwrap();
    let chances = predicted.forecast.win_within.from;
    for level in Level::ALL {
        let chance = |task, seed| {
            let start = random("KQKR", task, None, Some(level), seed);
            let standing = begin(service(), &start, &()).unwrap().view.standing;
            chances[&standing.moves.unwrap()]
        };
        for seed in 0..5 {
            assert_eq!(Level::of(chance(Task::Win, seed)), level);
            // What is easy for one side is hard for the other.
            assert_eq!(Level::of(1.0 - chance(Task::Resist, seed)), level);
        }
    }
}

/// The slow twin: every position that the census finds tricky is so by plain move generation.
#[test]
fn the_trickiest_positions_are_tricky() {
    use errare_choice::Kappa;
    use errare_core::{Colour, Metric};
    use errare_endgame::{Oracle, ReferencePlayer, Weighting};
    use errare_tables::{Prober, Scan};
    let request = TrickyRequest {
        endgame: endgame("KPK"),
        side: Colour::White,
        task: Task::Win,
        by: Trick::Result,
        metric: Metric::Dtc,
        count: 5,
    };
    let found = trickiest(service(), &request, &()).unwrap();
    assert_eq!(found.len(), 5);
    let oracle = Oracle::new(Prober::new(service().tables.store().clone()), Metric::Dtc);
    let player = ReferencePlayer {
        competence: 20.0,
        kappa: Kappa::ONE,
        weighting: Weighting::risking_value(),
    };
    let chance = |position: &shakmaty::Chess| {
        let turn = oracle.turn(position).unwrap();
        let chances = player.probabilities(&turn);
        let lost = turn
            .choices()
            .iter()
            .zip(chances)
            .filter(|(choice, _)| !turn.preserves_value(choice));
        lost.map(|(_, chance)| chance).sum::<f64>()
    };
    for tricky in &found {
        let position = parse_position(&tricky.fen).unwrap();
        assert!(
            (chance(&position) - tricky.score).abs() < 1e-9,
            "{tricky:?}"
        );
    }
    // No other position is trickier.
    let scan = Scan::new(oracle.prober().store(), request.endgame, Metric::Dtc.into()).unwrap();
    let mut trickier = 0;
    for entry in scan.positions() {
        let (position, outcome) = entry.unwrap();
        let moves = outcome.moves_in(Metric::Dtc).map_or(0, |moves| moves.0);
        if position.turn().is_white() && outcome.sign() > 0 && moves >= 3 {
            trickier += usize::from(chance(&position) > found[0].score + 1e-9);
        }
    }
    assert_eq!(trickier, 0);
}
