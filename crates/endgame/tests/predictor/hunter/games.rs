//! Games of the hunter against what is expected of them.

use errare_choice::Kappa;
use errare_core::{Metric, parse_position};
use errare_endgame::{Goal, Hunt, PlayerSpec, Prey, Resistance, Rules, Scope, TableMatch};

use super::{MEMORY, predator};
use crate::tables::oracle;

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
        .filter(|game| game.finish == errare_endgame::Finish::White)
        .count();
    let error = (chance * (1.0 - chance) / games.len() as f64).sqrt();
    let share = won as f64 / games.len() as f64;
    assert!(
        (share - chance).abs() < 4.0 * error,
        "{share} ± {error}, {chance}"
    );
}

/// Where the prey may lose its rook, games are won as often as the solution says, and go on to bare kings without a fault.
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
    let share = won(errare_endgame::Finish::White) as f64 / games.len() as f64;
    assert!(won(errare_endgame::Finish::Draw) > 0);
    assert!(
        (share - chance).abs() < 4.0 * error,
        "{share} ± {error}, {chance}"
    );
}
