//! Exact expectations against plain iteration over all positions of the full board.

use std::collections::HashMap;

use errare_choice::{Kappa, State};
use errare_core::Metric;
use errare_endgame::{
    ExactError, ExactPredictor, Oracle, Predictor, ReferencePlayer, TableView, TieBreak, Values,
    Weighting,
};
use errare_tables::{Scan, build, parse_position};
use shakmaty::{Board, Chess, Color, Position};

use crate::{
    markov::{men_of, positions},
    tables::{endgame, oracle},
};

const MEMORY: u64 = 1 << 30;

/// Moves as probabilities and nodes; none where the win is achieved.
type Moves = Vec<(f64, Option<usize>)>;

/// The graph by plain move generation.
struct Twin {
    boards: HashMap<Board, usize>,
    won: Vec<Moves>,
    lost: Vec<Moves>,
}

impl Twin {
    fn new(oracle: &Oracle, name: &str, competence: f64, kappa: Kappa, ties: TieBreak) -> Twin {
        let men = men_of(endgame(name));
        let nodes = |turn: Color, sign: i32| {
            let positions = positions(&men, turn).into_iter();
            positions
                .filter(|position| oracle.outcome(position).unwrap().sign() == sign)
                .collect::<Vec<Chess>>()
        };
        let (won, lost) = (nodes(Color::White, 1), nodes(Color::Black, -1));
        let number = |positions: &[Chess]| {
            let boards = positions.iter().map(|position| position.board().clone());
            boards.zip(0..).collect::<HashMap<Board, usize>>()
        };
        let (boards, lost_boards) = (number(&won), number(&lost));
        let player = ReferencePlayer {
            competence,
            kappa,
            weighting: Weighting::keeping_value(),
        };
        let moves = |position: &Chess, others: &HashMap<Board, usize>, white: bool| -> Moves {
            let turn = oracle.turn(position).unwrap();
            if turn.choices().is_empty() {
                return Vec::new();
            }
            let view = TableView {
                oracle,
                position,
                turn: &turn,
            };
            let chances = match white {
                true => player.probabilities(&turn),
                false => ties.probabilities(view).unwrap(),
            };
            let choices = turn.choices().iter().zip(chances);
            choices
                .filter(|(_, chance)| *chance > 0.0)
                .map(|(choice, chance)| {
                    let mut after = position.clone();
                    after.play_unchecked(choice.r#move);
                    let over = matches!(choice.state, State::Win(0) | State::Loss(0));
                    (chance, (!over).then(|| others[after.board()]))
                })
                .collect()
        };
        let won = won.iter().map(|p| moves(p, &lost_boards, true)).collect();
        let lost = lost.iter().map(|p| moves(p, &boards, false)).collect();
        Twin { boards, won, lost }
    }

    /// One step of iteration: `gain` + the mean of the successors, `achieved` where play is over.
    fn step(&self, values: &[f64], gain: f64, achieved: f64) -> Vec<f64> {
        let mean = |moves: &Moves, values: &[f64]| -> f64 {
            let value = |node: Option<usize>| node.map_or(achieved, |node| values[node]);
            moves
                .iter()
                .map(|(chance, node)| chance * value(*node))
                .sum()
        };
        let lost: Vec<f64> = self.lost.iter().map(|moves| mean(moves, values)).collect();
        let won = self.won.iter();
        won.map(|moves| gain + mean(moves, &lost)).collect()
    }

    fn expected_moves(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.won.len()];
        loop {
            let next = self.step(&values, 1.0, 0.0);
            let change = values.iter().zip(&next).map(|(a, b)| (a - b).abs());
            if change.fold(0.0, f64::max) < 1e-12 {
                return next;
            }
            values = next;
        }
    }

    fn win_within(&self, moves: u32) -> Vec<f64> {
        let none = vec![0.0; self.won.len()];
        (0..moves).fold(none, |values, _| self.step(&values, 0.0, 1.0))
    }
}

/// Some of White's wins.
fn some_wins(oracle: &Oracle, name: &str) -> Vec<Chess> {
    let store = oracle.prober().store();
    let scan = Scan::new(store, endgame(name), oracle.metric().into()).unwrap();
    let wins = scan.positions().map(Result::unwrap);
    wins.filter(|(position, outcome)| position.turn() == Color::White && outcome.sign() > 0)
        .map(|(position, _)| position)
        .step_by(2503)
        .take(5)
        .collect()
}

#[test]
fn small_endgames_agree_with_plain_iteration() {
    use TieBreak::{First, LongestDtm, RookFirst, Uniform};
    // The twin is slow, so each tie-breaking rule is tested in only some endgames.
    for (name, metric, competence, kappa, ties) in [
        ("KQK", Metric::Dtc, 8.0, Kappa::ONE, [Uniform, LongestDtm]),
        ("KRK", Metric::Dtc, 15.0, Kappa::ZERO, [Uniform, RookFirst]),
        ("KRK", Metric::Dtm, 15.0, Kappa::ONE, [First, RookFirst]),
        ("KPK", Metric::Dtz, 5.0, Kappa::ONE, [Uniform, First]),
    ] {
        let oracle = oracle(name, metric);
        build(
            oracle.prober().store(),
            &[endgame(name)],
            &[Metric::Dtm],
            MEMORY,
            &(),
        )
        .unwrap();
        let wins = some_wins(&oracle, name);
        assert_eq!(wins.len(), 5);
        for ties in ties {
            let exact = ExactPredictor::new(&oracle, &wins[0], kappa, ties, MEMORY, &()).unwrap();
            let twin = Twin::new(&oracle, name, competence, kappa, ties);
            let (lengths, chances) = (twin.expected_moves(), twin.win_within(12));
            let found = exact.expected_moves_of(&wins, competence, &()).unwrap();
            for (position, found) in wins.iter().zip(found) {
                let node = twin.boards[position.board()];
                let right = (found.value / lengths[node] - 1.0).abs() < 1e-6;
                assert!(
                    right,
                    "{name} {ties} {found:?} {} {position:?}",
                    lengths[node]
                );
                assert!(found.low <= found.value && found.value <= found.high);
                let within = exact.win_within(position, competence, 12, &()).unwrap();
                assert!(
                    (within - chances[node]).abs() < 1e-12,
                    "{name} {ties} {within}"
                );
            }
        }
    }
}

/// The board upside down with colours exchanged is the same game, except for the names of moves.
#[test]
fn either_colour_may_win() {
    let oracle = oracle("KRK", Metric::Dtc);
    let white = parse_position("8/8/8/4k3/8/8/8/KR6 w - - 0 1").unwrap();
    let black = parse_position("kr6/8/8/8/4K3/8/8/8 b - - 0 1").unwrap();
    let length = |position: &Chess| {
        ExactPredictor::new(
            &oracle,
            position,
            Kappa::ONE,
            TieBreak::Uniform,
            MEMORY,
            &(),
        )
        .unwrap()
        .expected_moves(position, 20.0, &())
        .unwrap()
        .value
    };
    assert_eq!(length(&white), length(&black));
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let kqkr = oracle("KQKR", Metric::Dtc);
    let start = parse_position("K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1").unwrap();
    let new = |oracle, position, memory| {
        ExactPredictor::new(oracle, position, Kappa::ONE, TieBreak::Uniform, memory, &())
    };
    let refused = new(&kqkr, &start, 1 << 20).unwrap_err();
    assert!(matches!(refused, ExactError::Memory { .. }), "{refused}");
    let lost = parse_position("8/8/8/4k3/3r4/8/1Q6/K7 b - - 0 1").unwrap();
    let refused = new(&kqkr, &lost, MEMORY).unwrap_err();
    assert!(matches!(refused, ExactError::NotWon), "{refused}");
    let mate = oracle("KQKR", Metric::Dtm);
    let refused = new(&mate, &start, MEMORY).unwrap_err();
    assert!(
        matches!(refused, ExactError::LeavesEndgame { .. }),
        "{refused}"
    );
    let slow = new(&kqkr, &start, MEMORY).unwrap();
    let refused = slow.expected_moves(&start, 0.0, &()).unwrap_err();
    assert!(matches!(refused, ExactError::TooLong { .. }), "{refused}");
}

/// In KQKR the exact length from the two deepest positions is near that of the matrix, but not
/// equal.
#[test]
fn the_deepest_positions_of_kqkr() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let matrix = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept)
        .unwrap()
        .chains(Color::White, &[20.0], f64::INFINITY, &())
        .unwrap()[0]
        .expected_moves()[31];
    let starts = [
        "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
        "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
    ]
    .map(|fen| parse_position(fen).unwrap());
    let exact = ExactPredictor::new(
        &oracle,
        &starts[0],
        Kappa::ONE,
        TieBreak::Uniform,
        MEMORY,
        &(),
    )
    .unwrap();
    let lengths = exact.expected_moves_of(&starts, 20.0, &()).unwrap();
    for found in lengths {
        // Uniform ties make the game longer than the matrix says: about 102.5 moves.
        assert!(
            found.value > matrix && (found.value - 102.5).abs() < 1.5,
            "{found:?}"
        );
    }
}
