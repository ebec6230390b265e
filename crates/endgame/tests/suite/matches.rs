//! Matches, and the 2,000 games of Haworth and Andrist (2004), section 6.

use errare_choice::{Kappa, PriorShape};
use errare_endgame::{Finish, MatchAnalysis, MatchGame, PlayerSpec, Rules, TableMatch};
use errare_tables::parse_position;

use crate::oracle;

const STARTS: [&str; 2] = [
    "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
    "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
];

fn meeting(white: &str, black: &str, games: u64) -> TableMatch<'static, PlayerSpec> {
    TableMatch {
        oracle: oracle(),
        players: [white, black].map(|name| name.parse().unwrap()),
        starts: STARTS.map(|fen| parse_position(fen).unwrap()).to_vec(),
        games,
        swap: false,
        seed: 7,
        rules: Rules {
            until_conversion: true,
            fifty_moves: false,
            most_moves: 100_000,
        },
        analysis: Some(MatchAnalysis {
            kappa: Kappa::ONE,
            grid: "0(1)50".parse().unwrap(),
            prior: PriorShape::Uniform,
        }),
    }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

/// Table 1 prints 21.318, 21.620 and overall 21.469 for the mean apparent c; standard deviations
/// 3.345 and 3.695.
#[test]
fn two_thousand_games() {
    let games = meeting("rep:c=20", "best", 1000).play(2, &()).unwrap();
    assert_eq!(games.len(), 2000);
    assert!(games.iter().all(|game| game.finish == Finish::White));
    let apparent = games.iter().map(|game| game.apparent[0].unwrap().mean);
    let average = mean(apparent.clone());
    assert!((21.2..21.75).contains(&average), "{average}");
    let variance = mean(apparent.map(|c| (c - average).powi(2)));
    assert!((3.1..3.9).contains(&variance.sqrt()), "{}", variance.sqrt());
    assert!(
        games.iter().all(|game| game.apparent[1].is_none()),
        "Black never errs"
    );
    assert!(games.iter().all(|game| game.moves >= 31));
}

/// Random numbers belong to the game, not to the thread; agents with a memory start afresh.
#[test]
fn threads_do_not_matter() {
    for players in [
        ["rep:c=20", "best"],
        ["emulator:c=15", "best:ties=first"],
        ["rep:c=12", "predator"],
    ] {
        let play = |threads| -> Vec<MatchGame> {
            // Weak players' games are long.
            let mut games = meeting(players[0], players[1], 4);
            games.rules.most_moves = 100;
            games.play(threads, &()).unwrap()
        };
        assert_eq!(play(1), play(2), "{players:?}");
    }
}

#[test]
fn games_end_by_the_rules() {
    let mut fifty = meeting("rep:c=5", "best", 3);
    fifty.rules.fifty_moves = true;
    let games = fifty.play(1, &()).unwrap();
    assert!(
        games
            .iter()
            .all(|game| game.finish == Finish::FiftyMoves && game.moves == 50)
    );

    let mut short = meeting("rep:c=5", "best", 3);
    short.rules.most_moves = 10;
    let games = short.play(1, &()).unwrap();
    assert!(
        games
            .iter()
            .all(|game| game.finish == Finish::Unfinished && game.moves == 10)
    );
}

/// Infallible players need 31 moves, however they break ties.
#[test]
fn infallible_players_convert_in_31() {
    for ties in ["uniform", "first", "rook-first", "longest-dtm"] {
        let best = format!("best:ties={ties}");
        for game in meeting(&best, &best, 2).play(1, &()).unwrap() {
            assert_eq!((game.finish, game.moves), (Finish::White, 31), "{ties}");
        }
    }
}

/// A Predator that knows its opponent uses that, and holds out longer than a random choice among the
/// best moves.
#[test]
fn predators_hold_out() {
    let mean_length = |black: &str| {
        let games = meeting("rep:c=20", black, 150).play(2, &()).unwrap();
        mean(games.iter().map(|game| game.moves as f64))
    };
    let (best, predator) = (mean_length("best"), mean_length("predator:c=20"));
    assert!(predator > best + 5.0, "{best} {predator}");
}

/// A player that may lose value does, one that sees three moves ahead less so.
#[test]
fn value_can_be_lost() {
    let lost = |white: &str| {
        let mut games = meeting(white, "best", 20);
        games.rules.most_moves = 200;
        let games = games.play(1, &()).unwrap();
        games
            .iter()
            .filter(|game| game.finish != Finish::White)
            .count()
    };
    assert_eq!(lost("rep:c=25"), 0);
    assert!(lost("rep:c=6,value=risk") > 30);
}
