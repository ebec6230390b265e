//! Games of the hunter against their expected results.

use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{
    Finish, Goal, Hunt, Hunter, Library, Objective, Oracle, PlayerSpec, Prey, Resistance, Rules,
    Scope, TableMatch, TableView, Worth,
};
use shakmaty::{Chess, Color, Position};

use super::{MEMORY, predator};
use crate::{
    markov::{men_of, positions},
    tables::{endgame, oracle},
};

/// The hunter's moves in a position, best first.
fn worths(oracle: &Oracle, hunter: &Hunter, position: &Chess) -> Vec<Worth> {
    let turn = oracle.turn(position).unwrap();
    let view = TableView {
        oracle,
        position,
        turn: &turn,
    };
    hunter.worths(view, 0, &()).unwrap()
}

/// Some positions of KPK with this value for White, who is to move.
fn pawn_positions(oracle: &Oracle, value: i32) -> Vec<Chess> {
    let all = positions(&men_of(endgame("KPK")), Color::White).into_iter();
    let wanted = all.filter(|position| oracle.outcome(position).unwrap().sign() == value);
    let some: Vec<Chess> = wanted.step_by(311).collect();
    assert!(some.len() > 100);
    some
}

/// Games on an ordinary board take as long as the solution says, and are won in time as often.
#[test]
fn games_agree_with_the_solution() {
    let oracle = oracle("KRK", Metric::Dtc);
    let start = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    let hunt = Hunt::from_position(&oracle, &start, Scope::Wins, MEMORY, &()).unwrap();
    let prey = Prey {
        competence: 10.0,
        kappa: Kappa::ONE,
    };
    let node = hunt.node(&start).unwrap();
    let play = |black: &str, fifty_moves| {
        let games = TableMatch {
            oracle: &oracle,
            players: ["rep:c=10", black].map(|name| name.parse::<PlayerSpec>().unwrap()),
            starts: vec![start.clone()],
            games: 1500,
            swap: false,
            seed: 3,
            rules: Rules {
                until_conversion: true,
                fifty_moves,
                most_moves: 100_000,
            },
            analysis: None,
        };
        games.play(2, &()).unwrap()
    };
    for (name, resistance) in [
        ("hunter:c=10", Resistance::Hunter),
        ("predator:c=10", predator(2)),
    ] {
        let expected = hunt.lengths(prey, resistance, &()).unwrap().at(node).value;
        let games = play(name, false);
        let lengths: Vec<f64> = games.iter().map(|game| game.moves as f64).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let square = lengths
            .iter()
            .map(|length| (length - mean).powi(2))
            .sum::<f64>();
        let error = square.sqrt() / lengths.len() as f64;
        assert!(
            (mean - expected).abs() < 4.0 * error,
            "{name}: {mean} ± {error}, {expected}"
        );
    }
    let chance = hunt
        .chances(prey, Goal::Win, Resistance::Hunter, 50, &())
        .unwrap()
        .at(node)
        .value;
    let games = play("hunter:c=10,objective=fifty", true);
    let won = games
        .iter()
        .filter(|game| game.finish == Finish::White)
        .count();
    let error = (chance * (1.0 - chance) / games.len() as f64).sqrt();
    let share = won as f64 / games.len() as f64;
    assert!(
        (share - chance).abs() < 4.0 * error,
        "{share} ± {error}, {chance}"
    );
}

/// Where the prey may lose its rook, games are won as often as the solution says, and go on to bare kings without an
/// error.
#[test]
fn games_at_risk_agree_with_the_solution() {
    let oracle = oracle("KRK", Metric::Dtc);
    let start = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    let hunt = Hunt::from_position(&oracle, &start, Scope::WinsAtRisk, MEMORY, &()).unwrap();
    let prey = Prey {
        competence: 4.0,
        kappa: Kappa::ONE,
    };
    let chances = hunt.win_chances(prey, Resistance::Hunter, &()).unwrap();
    let chance = chances.at(hunt.node(&start).unwrap()).value;
    let names = ["rep:c=4,value=risk", "hunter:c=4,value=risk"];
    let games = TableMatch {
        oracle: &oracle,
        players: names.map(|name| name.parse::<PlayerSpec>().unwrap()),
        starts: vec![start],
        games: 1500,
        swap: false,
        seed: 5,
        rules: Rules {
            until_conversion: true,
            fifty_moves: false,
            most_moves: 1000,
        },
        analysis: None,
    };
    let games = games.play(2, &()).unwrap();
    let won = |finish| games.iter().filter(|game| game.finish == finish).count();
    let error = (chance * (1.0 - chance) / games.len() as f64).sqrt();
    let share = won(Finish::White) as f64 / games.len() as f64;
    assert!(won(Finish::Draw) > 0);
    assert!(
        (share - chance).abs() < 4.0 * error,
        "{share} ± {error}, {chance}"
    );
}

/// A hunter that may risk a draw still keeps its wins.
#[test]
fn wins_are_never_risked() {
    let oracle = oracle("KPK", Metric::Dtc);
    let hunter = Hunter {
        risks_own: true,
        ..Hunter::of(5.0)
    };
    for position in pawn_positions(&oracle, 1) {
        let worths = worths(&oracle, &hunter, &position);
        let turn = oracle.turn(&position).unwrap();
        let keeps = |worth: &Worth| turn.preserves_value(&turn.choices()[worth.number]);
        assert!(worths.iter().all(keeps), "{position:?}");
        assert!(worths.is_sorted_by(|a, b| a.value <= b.value));
    }
}

/// In a draw the hunter plays to the position from which the prey errs most often. White cannot lose KPK, so permission
/// to risk the draw changes nothing.
#[test]
fn swindles_in_draws_are_as_solved() {
    let oracle = oracle("KPK", Metric::Dtc);
    let prey = Prey {
        competence: 5.0,
        kappa: Kappa::ONE,
    };
    let hunt = |scope| Hunt::new(&oracle, endgame("KPK"), Color::Black, scope, MEMORY, &());
    let [kept, risked] =
        [(Scope::Draws, false), (Scope::DrawsAndWins, true)].map(|(scope, own)| {
            let hunt = hunt(scope).unwrap();
            let hunter = Hunter {
                risks_own: own,
                moves: 10,
                ..Hunter::of(5.0)
            };
            let slips = hunt.chances(prey, Goal::Slip, Resistance::Hunter, 10, &());
            let slips = slips.unwrap();
            let mut best = Vec::new();
            for position in pawn_positions(&oracle, 0) {
                let worth = worths(&oracle, &hunter, &position)[0];
                let turn = oracle.turn(&position).unwrap();
                let mut after = position.clone();
                after.play_unchecked(turn.choices()[worth.number].r#move);
                // Stalemate, a lost pawn and a promotion are not in the hunt.
                if let Ok(node) = hunt.node(&after) {
                    assert!((worth.value - slips.at(node).value).abs() < 1e-6);
                }
                best.push(worth.value);
            }
            best
        });
    assert!(kept.iter().any(|slip| *slip > 0.1));
    assert_eq!(risked, kept);
}

/// Against a prey that may lose its rook the swindler draws within its time as often as the solution says, whether or not it
/// might risk a draw of its own.
#[test]
fn swindles_in_lost_positions_agree_with_the_solution() {
    let oracle = oracle("KRK", Metric::Dtc);
    let start = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    let hunt = Hunt::from_position(&oracle, &start, Scope::WinsAtRisk, MEMORY, &()).unwrap();
    let prey = Prey {
        competence: 6.0,
        kappa: Kappa::ONE,
    };
    let slips = hunt.chances(prey, Goal::Slip, Resistance::Hunter, 8, &());
    let chance = slips.unwrap().at(hunt.node(&start).unwrap()).value;
    assert!(0.05 < chance && chance < 0.95);
    let options = ["", ",own=risk"];
    for own in options {
        let swindler = format!("hunter:c=6,objective=swindle,moves=8{own}");
        let names = ["rep:c=6,value=risk", &swindler];
        let games = TableMatch {
            oracle: &oracle,
            players: names.map(|name| name.parse::<PlayerSpec>().unwrap()),
            starts: vec![start.clone()],
            games: 1500,
            swap: false,
            seed: 7,
            rules: Rules {
                until_conversion: true,
                fifty_moves: false,
                most_moves: 1000,
            },
            analysis: None,
        };
        let games = games.play(2, &()).unwrap();
        let drawn = games.iter().filter(|game| game.finish == Finish::Draw);
        let in_time = drawn.filter(|game| game.moves <= 8).count();
        let share = in_time as f64 / games.len() as f64;
        let error = (chance * (1.0 - chance) / games.len() as f64).sqrt();
        assert!(
            (share - chance).abs() < 4.0 * error,
            "{swindler}: {share} ± {error}, {chance}"
        );
    }
}

/// A hunter that must learn c resists longer than a Predator that knows it, and no longer than a hunter that knows it.
#[test]
fn a_hunter_learns_the_competence() {
    let oracle = oracle("KRK", Metric::Dtc);
    let start = parse_position("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    let hunt = Hunt::from_position(&oracle, &start, Scope::Wins, MEMORY, &()).unwrap();
    let prey = Prey {
        competence: 13.0,
        kappa: Kappa::ONE,
    };
    let node = hunt.node(&start).unwrap();
    let expected = |resistance| hunt.lengths(prey, resistance, &()).unwrap().at(node).value;
    let [most, least] = [Resistance::Hunter, predator(2)].map(expected);
    let learner = Hunter {
        objective: Objective::Length,
        library: Library::with_memory(MEMORY),
        ..Hunter::default()
    };
    let games = TableMatch {
        oracle: &oracle,
        players: ["rep:c=13".parse().unwrap(), PlayerSpec::Hunter(learner)],
        starts: vec![start],
        games: 600,
        swap: false,
        seed: 11,
        rules: Rules {
            until_conversion: true,
            fifty_moves: false,
            most_moves: 100_000,
        },
        analysis: None,
    };
    let games = games.play(2, &()).unwrap();
    let count = games.len() as f64;
    let mean = games.iter().map(|game| game.moves as f64).sum::<f64>() / count;
    let square = |moves: u64| (moves as f64 - mean).powi(2);
    let error = games
        .iter()
        .map(|game| square(game.moves))
        .sum::<f64>()
        .sqrt()
        / count;
    assert!(
        least < mean && mean < most + 4.0 * error,
        "{least} {mean} ± {error} {most}"
    );
}
