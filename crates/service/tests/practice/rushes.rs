//! Rushes.

use errare_service::practice::{
    Rush, RushRequest, Task, answer_rush, begin_rush, history::History,
};

use crate::service;

fn request() -> RushRequest {
    RushRequest {
        endgames: vec!["KPK".parse().unwrap()],
        task: Task::Win,
        depth: None,
        level: None,
        positions: None,
        seconds: Some(60),
        seed: Some(4),
    }
}

/// The best move of the next position, and one that throws the win away, if there is one.
pub(crate) fn moves(rush: &Rush) -> (String, Option<String>) {
    use errare_core::{Metric, parse_position};
    use errare_endgame::Oracle;
    use errare_tables::Prober;
    use shakmaty::uci::UciMove;
    let oracle = Oracle::new(Prober::new(service().tables.store().clone()), Metric::Dtc);
    let position = parse_position(&rush.next().unwrap().fen).unwrap();
    let turn = oracle.turn(&position).unwrap();
    let name = |choice: &errare_endgame::Choice| UciMove::from_standard(choice.r#move).to_string();
    let best = turn
        .choices()
        .iter()
        .find(|choice| turn.is_optimal(choice))
        .map(name);
    let worst = turn
        .choices()
        .iter()
        .find(|choice| !turn.preserves_value(choice))
        .map(name);
    (best.unwrap(), worst)
}

#[test]
fn ten_positions_are_scored_by_the_depth_kept() {
    let mut rush = begin_rush(service(), &request(), &()).unwrap();
    assert_eq!(rush.positions.len(), 10);
    assert_eq!(rush, begin_rush(service(), &request(), &()).unwrap());
    let mut thrown = 0.0;
    let mut at = 0.0;
    while rush.next().is_some() {
        let (best, worst) = moves(&rush);
        at += 3.0;
        let text = match worst {
            Some(worst) if thrown == 0.0 => {
                thrown = 1.0;
                worst
            }
            _ => best,
        };
        rush = answer_rush(service(), &rush, &text, at, &()).unwrap();
    }
    let result = rush.result();
    assert_eq!(
        (result.score, result.positions, result.seconds),
        (10.0 - thrown, 10, 30.0)
    );
    assert!(
        result
            .words
            .starts_with("Errare rush KPK: 9.0 of 10 in 30 s "),
        "{}",
        result.words
    );
    assert_eq!(result.words.matches('●').count(), 9);
    assert!(answer_rush(service(), &rush, "e4", 31.0, &()).is_err());
}

#[test]
fn the_clock_runs_out() {
    let rush = begin_rush(service(), &request(), &()).unwrap();
    assert!(answer_rush(service(), &rush, "nonsense", 1.0, &()).is_err());
    let late = answer_rush(service(), &rush, &moves(&rush).0, 61.0, &()).unwrap();
    assert!(late.out_of_time && late.next().is_none() && late.answers.is_empty());
    assert_eq!(late.result().seconds, 60.0);
}

/// They come back as those of games do; best moves do not.
#[test]
fn slips_of_a_rush_are_kept() {
    let history = History::in_memory().unwrap();
    let mut rush = begin_rush(service(), &request(), &()).unwrap();
    let mut slipped = Vec::new();
    while let Some(position) = rush.next().cloned() {
        let (best, worst) = moves(&rush);
        if worst.is_some() {
            slipped.push(position.fen);
        }
        rush = answer_rush(service(), &rush, &worst.unwrap_or(best), 1.0, &()).unwrap();
        history.save_rush(&rush, 10).unwrap();
    }
    let mut kept: Vec<String> = history
        .slips()
        .unwrap()
        .into_iter()
        .map(|slip| slip.fen)
        .collect();
    kept.sort();
    slipped.sort();
    slipped.dedup();
    assert!(!kept.is_empty());
    assert_eq!(kept, slipped);
    let slip = &history.slips().unwrap()[0];
    assert_eq!((slip.session.as_str(), slip.value_lost), ("rush 4", true));
    assert!(slip.words.starts_with(&slip.played), "{slip:?}");
}
