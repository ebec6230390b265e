//! Simulated play against exact expectations.

use errare_choice::Kappa;
use errare_endgame::{ExactPredictor, PlayerSpec, Rules, TableMatch, TieBreak};
use errare_tables::parse_position;

use crate::oracle;

const STARTS: [&str; 2] = [
    "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
    "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
];

fn exact(ties: TieBreak) -> ExactPredictor<'static> {
    let position = parse_position(STARTS[0]).unwrap();
    ExactPredictor::new(oracle(), &position, Kappa::ONE, ties, 3 << 30, &()).unwrap()
}

/// The mean and its standard error.
fn mean(lengths: &[u64]) -> (f64, f64) {
    let count = lengths.len() as f64;
    let lengths = lengths.iter().map(|&moves| moves as f64);
    let mean = lengths.clone().sum::<f64>() / count;
    let variance = lengths.map(|moves| (moves - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

fn check(lengths: &[u64], expected: f64, what: &str) {
    let (mean, error) = mean(lengths);
    assert!(
        (mean - expected).abs() < 3.0 * error,
        "{what}: {mean} ± {error}, {expected}"
    );
}

/// From both positions of depth 31, in a match and on the graph.
#[test]
fn games_take_as_long_as_expected() {
    let predictor = exact(TieBreak::Uniform);
    let positions = STARTS.map(|fen| parse_position(fen).unwrap());
    let expected = predictor.expected_moves_of(&positions, 20.0, &()).unwrap();
    for ((position, expected), fen) in positions.into_iter().zip(expected).zip(STARTS) {
        let expected = expected.value;
        let games = TableMatch {
            oracle: oracle(),
            players: ["rep:c=20", "best"].map(|name| name.parse::<PlayerSpec>().unwrap()),
            starts: vec![position.clone()],
            games: 1000,
            swap: false,
            seed: 7,
            rules: Rules {
                until_conversion: true,
                fifty_moves: false,
                most_moves: 100_000,
            },
            analysis: None,
        };
        let games = games.play(2, &()).unwrap();
        let lengths: Vec<u64> = games.iter().map(|game| game.moves).collect();
        check(&lengths, expected, fen);

        let simulator = predictor.simulator(&position, 20.0).unwrap();
        let lengths = simulator.play(100_000, 1, 1_000_000, 2, &()).unwrap();
        assert_eq!((lengths.moves.len(), lengths.unfinished), (100_000, 0));
        check(&lengths.moves, expected, fen);
        let won = lengths.moves.iter().filter(|&&moves| moves <= 50).count() as f64 / 1e5;
        let within = predictor.win_within(&position, 20.0, 50, &()).unwrap();
        let error = (within * (1.0 - within) / 1e5).sqrt();
        assert!((won - within).abs() < 3.0 * error, "{won} {within}");
    }
}

#[test]
fn neither_threads_nor_the_number_of_games_matter() {
    let predictor = exact(TieBreak::Uniform);
    let position = parse_position(STARTS[0]).unwrap();
    let simulator = predictor.simulator(&position, 15.0).unwrap();
    let play = |games, threads| simulator.play(games, 5, 300, threads, &()).unwrap();
    let many = play(5000, 1);
    assert_eq!(many, play(5000, 2));
    assert!(many.unfinished > 0 && many.moves.iter().all(|&moves| moves <= 300));
    let few = play(70, 2);
    assert_eq!(few.moves.len() + few.unfinished, 70);
    assert!(many.moves.starts_with(&few.moves));
}
