//! Markov matrices and the results computed from them.

use errare_choice::{Kappa, probabilities};
use errare_core::{Material, Metric};
use errare_endgame::{Chain, ChainState, Matrix, Oracle, Predictor, Values, Weighting};
use proptest::prelude::*;
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup, Piece, Position, PositionError, Role, Setup,
    Square,
};

use crate::tables::{endgame, oracle};

const INFALLIBLE: f64 = f64::INFINITY;

fn chains(competences: &[f64]) -> Vec<Chain> {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept).unwrap();
    predictor
        .chains(Color::White, competences, INFALLIBLE, &())
        .unwrap()
}

fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-7
}

/// Haworth and Andrist (2004), section 6.2: from depth 31 97.20, 83.70 and 74.16 moves; section 6.3:
/// 12.67 % by move 50. Here to more digits.
#[test]
fn published_lengths_of_kqkr() {
    let chains = chains(&[20.0, 21.0, 22.0]);
    let published = [97.195948, 83.701608, 74.162769];
    for (chain, published) in chains.iter().zip(published) {
        let found = chain.expected_moves()[31];
        assert!((found - published).abs() < 5e-7, "{found} {published}");
    }
    let within = chains[0].win_within(50)[31];
    assert!((within - 0.12669123).abs() < 5e-9, "{within}");
    let sd = chains[0].deviation()[31];
    assert!((sd - 53.17).abs() < 5e-3, "{sd}");
}

/// KQK has draws that never end as well as wins. The twin adds up E[n^2] = sum of (2n + 1) P(more than n moves).
#[test]
fn deviations_beside_endless_draws() {
    let oracle = oracle("KQK", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQK"), Kappa::ONE, Values::Kept).unwrap();
    let chains = predictor.chains(Color::White, &[20.0], INFALLIBLE, &());
    let chain = &chains.unwrap()[0];
    let longer = |moves| 1.0 - chain.win_within(moves)[10];
    let square: f64 = (0..1_000).map(|n| f64::from(2 * n + 1) * longer(n)).sum();
    let mean = chain.expected_moves()[10];
    let expected = (square - mean * mean).sqrt();
    let found = chain.deviation()[10];
    assert!(
        expected > 1.0 && close(found, expected),
        "{found} {expected}"
    );
}

/// Any number of moves is answered at once: numbers beyond any game are handled by squaring the
/// matrix.
#[test]
fn a_hundred_million_moves_are_no_work() {
    let chain = &chains(&[5.0])[0];
    let within = |moves| chain.win_within(moves)[31];
    let mean = chain.expected_moves()[31];
    assert!(mean > 1e6, "{mean}");
    // In the long run wins come at a steady rate, and the chance of waiting longer falls geometrically.
    let waiting = |moves: u32| 1.0 - within(moves);
    let rate = (waiting(4_000) / waiting(4_095)).ln() / 95.0;
    for moves in [4_096, 5_000, 100_000, 10_000_000] {
        let expected = waiting(4_000) * (-rate * f64::from(moves - 4_000)).exp();
        let found = waiting(moves);
        assert!(
            (found - expected).abs() < 1e-3,
            "{moves}: {found} {expected}"
        );
    }
    assert!(within(u32::MAX) <= 1.0 + 1e-6);
}

/// Random play takes 2e21 moves. Plain elimination, which subtracts, does not see that.
#[test]
fn lengths_that_plain_elimination_gets_wrong() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept).unwrap();
    let matrices = predictor.matrices(Color::White, &[0.0, 20.0], &()).unwrap();
    let plain = |matrix: &Matrix| {
        // (I - M) L = 1 over the wins of depth 1 to 31, with partial pivoting.
        let mut rows: Vec<Vec<f64>> = (1..=31)
            .map(|i| {
                let entry =
                    |j| f64::from(u8::from(i == j)) - matrix.row(ChainState::Win(i))[j as usize];
                (1..=31).map(entry).chain([1.0]).collect()
            })
            .collect();
        for k in 0..31 {
            let pivot = (k..31).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()));
            rows.swap(k, pivot.unwrap());
            let pivot = rows[k].clone();
            for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
                assert_ne!(i, k);
                let factor = row[k] / pivot[k];
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(x, y)| *x -= factor * y);
            }
        }
        rows[30][31] / rows[30][30]
    };
    let expected = 2.0281369529e21;
    let chains = chains(&[0.0, 20.0]);
    let found = chains[0].expected_moves()[31];
    assert!((found / expected - 1.0).abs() < 1e-10, "{found}");
    let wrong = plain(&matrices[0]);
    assert!(
        !(0.9 * expected..1.1 * expected).contains(&wrong),
        "{wrong}"
    );
    assert!(close(plain(&matrices[1]), chains[1].expected_moves()[31]));
}

#[test]
fn infinite_competences_are_limits() {
    let chains = chains(&[INFALLIBLE, 1e6, -INFALLIBLE, -1e6]);
    for depth in 1..=31 {
        assert!(close(chains[0].expected_moves()[depth], depth as f64));
        assert!(close(chains[1].expected_moves()[depth], depth as f64));
        // The worst moves lead down only where they must.
        let [limit, near] = [2, 3].map(|chain| chains[chain].win_within(50)[depth]);
        assert!((limit - near).abs() < 1e-12);
    }
    assert!(chains[2].expected_moves()[31] > 2e21);
}

/// The averaged matrix of the infallible side is the one known beforehand.
#[test]
fn the_infallible_keep_the_depth() {
    for (name, metric) in [
        ("KQKR", Metric::Dtc),
        ("KQK", Metric::Dtm),
        ("KPK", Metric::Dtz),
        ("KPK", Metric::Dtm),
    ] {
        let oracle = oracle(name, metric);
        let predictor = Predictor::new(&oracle, endgame(name), Kappa::ONE, Values::Kept).unwrap();
        for mover in Color::ALL {
            let matrix = &predictor.matrices(mover, &[INFALLIBLE], &()).unwrap()[0];
            for state in predictor
                .states()
                .all()
                .filter(|s| matrix.positions(*s) > 0)
            {
                let to = match (state, mover) {
                    (ChainState::Win(depth), Color::White) => ChainState::Win(depth - 1),
                    (ChainState::Loss(depth), Color::Black) => ChainState::Loss(depth - 1),
                    (ChainState::Draw, _) => continue,
                    _ => state,
                };
                assert!(
                    close(matrix.get(state, to), 1.0),
                    "{name} {metric} {state:?}"
                );
            }
        }
    }
}

#[test]
fn rows_sum_to_one() {
    let competences = [-INFALLIBLE, -300.0, -1.0, 0.0, 0.5, 20.0, 300.0, INFALLIBLE];
    for (name, metric) in [
        ("KQKR", Metric::Dtc),
        ("KRKN", Metric::Dtr),
        ("KPK", Metric::Dtm),
        ("KPK", Metric::Dtz),
    ] {
        let oracle = oracle(name, metric);
        for kappa in [Kappa::ZERO, Kappa::ONE] {
            for values in [Values::Kept, Values::Risked] {
                let predictor = Predictor::new(&oracle, endgame(name), kappa, values).unwrap();
                for mover in Color::ALL {
                    for matrix in predictor.matrices(mover, &competences, &()).unwrap() {
                        for state in predictor.states().all() {
                            let sum: f64 = matrix.row(state).iter().sum();
                            assert!(close(sum, 1.0), "{name} {metric} {state:?} {sum}");
                        }
                    }
                }
            }
        }
    }
}

/// Theorem 6 of Haworth (2002): with more competence a winner's expected depth after a move is
/// smaller, a loser's greater, from any distribution over depths.
#[test]
fn theorem_6() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let competences: Vec<f64> = (-20..60).map(|c| f64::from(c) * 0.7).collect();
    for kappa in [Kappa::ZERO, Kappa::ONE] {
        let predictor = Predictor::new(&oracle, endgame("KQKR"), kappa, Values::Kept).unwrap();
        let [white, black] =
            Color::ALL.map(|mover| predictor.matrices(mover, &competences, &()).unwrap());
        let depth_after = |matrix: &Matrix, from: &[f64]| -> f64 {
            (1..=31u16)
                .map(|i| {
                    let row = matrix.row(ChainState::Win(i)).iter();
                    let depth: f64 = row.take(32).enumerate().map(|(j, p)| p * j as f64).sum();
                    from[usize::from(i) - 1] * depth
                })
                .sum()
        };
        proptest!(|(from in prop::collection::vec(0.0..1.0f64, 31), a in 0..80usize, b in 0..80usize)| {
            let (less, more) = (a.min(b), a.max(b));
            let after = |matrices: &[Matrix], c: usize| depth_after(&matrices[c], &from);
            prop_assert!(after(&white, less) >= after(&white, more) - 1e-9);
            prop_assert!(after(&black, less) <= after(&black, more) + 1e-9);
        });
    }
}

/// The men of an endgame, kings too.
pub(crate) fn men_of(material: Material) -> Vec<Piece> {
    let men_of = |color: Color| {
        let men = material.army(color).men().chain([Role::King]);
        men.map(move |role| role.of(color))
    };
    Color::ALL.into_iter().flat_map(men_of).collect()
}

/// Every legal position of the men on the full board.
pub(crate) fn positions(men: &[Piece], turn: Color) -> Vec<Chess> {
    let mut boards = vec![Board::empty()];
    for &man in men {
        boards = boards
            .iter()
            .flat_map(|board| Square::ALL.map(|square| (board, square)))
            .filter(|(board, square)| board.piece_at(*square).is_none())
            .map(|(board, square)| {
                let mut board = board.clone();
                board.set_piece_at(square, man);
                board
            })
            .collect();
    }
    let legal = |board| position(board, turn);
    boards.into_iter().filter_map(legal).collect()
}

/// The position with these men, if it is legal.
pub(crate) fn position(board: Board, turn: Color) -> Option<Chess> {
    let setup = Setup {
        board,
        turn,
        ..Setup::empty()
    };
    let position = Chess::from_setup(setup, CastlingMode::Standard);
    position
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// The matrix, position by position over the full board, by plain move generation.
fn twin(
    oracle: &Oracle,
    name: &str,
    mover: Color,
    kappa: Kappa,
    values: Values,
    competence: f64,
) -> Vec<Vec<f64>> {
    let material = endgame(name);
    let predictor = Predictor::new(oracle, material, kappa, values).unwrap();
    let states = predictor.states();
    let men = men_of(material);
    let weighting = match values {
        Values::Kept => Weighting::keeping_value(),
        Values::Risked => Weighting::risking_value(),
    };
    let mut sums = vec![vec![0.0; states.len()]; states.len()];
    let mut counts = vec![0.0; states.len()];
    for position in positions(&men, mover) {
        let turn = oracle.turn(&position).unwrap();
        let outcome = oracle.outcome(&position).unwrap();
        let depth = outcome.moves_in(oracle.metric()).map_or(0, |moves| moves.0);
        let white = |winner: Color, depth| match winner {
            Color::White => ChainState::Win(depth),
            Color::Black => ChainState::Loss(depth),
        };
        let from = match outcome.sign() {
            1 => white(mover, depth),
            0 => ChainState::Draw,
            _ => white(!mover, depth),
        };
        if turn.choices().is_empty() || from.is_final() {
            continue;
        }
        let from = states.number(from);
        counts[from] += 1.0;
        let chances = probabilities(weighting.options(&turn, kappa), competence);
        for (choice, chance) in turn.choices().iter().zip(chances) {
            let mut after = position.clone();
            after.play_unchecked(choice.r#move);
            let leaves = Material::of(after.board()).0 != material;
            let to = match choice.state {
                errare_choice::State::Win(depth) => white(mover, depth),
                errare_choice::State::Loss(depth) => white(!mover, depth),
                errare_choice::State::Draw if leaves || after.is_stalemate() => ChainState::Drawn,
                errare_choice::State::Draw => ChainState::Draw,
            };
            sums[from][states.number(to)] += chance;
        }
    }
    for (row, count) in sums.iter_mut().zip(counts) {
        row.iter_mut().for_each(|sum| *sum /= count);
    }
    sums
}

#[test]
fn averages_are_those_of_plain_move_generation() {
    let [one, zero] = [Kappa::ONE, Kappa::ZERO];
    for (name, metric, kappa, values, competence) in [
        ("KQK", Metric::Dtc, one, Values::Kept, 10.0),
        ("KQK", Metric::Dtm, zero, Values::Risked, 2.0),
        ("KPK", Metric::Dtc, one, Values::Risked, 3.0),
        ("KPK", Metric::Dtz, zero, Values::Kept, -2.0),
        ("KPK", Metric::Dtr, one, Values::Risked, 5.0),
    ] {
        let oracle = oracle(name, metric);
        let predictor = Predictor::new(&oracle, endgame(name), kappa, values).unwrap();
        for mover in Color::ALL {
            let matrix = &predictor.matrices(mover, &[competence], &()).unwrap()[0];
            let twin = twin(&oracle, name, mover, kappa, values, competence);
            for (from, twin) in predictor.states().all().zip(twin) {
                if matrix.positions(from) == 0 {
                    assert!(twin.iter().all(|entry| entry.is_nan()));
                    continue;
                }
                for (found, expected) in matrix.row(from).iter().zip(twin) {
                    let right = (found - expected).abs() < 1e-9;
                    assert!(right, "{name} {metric} {mover} {from:?} {found} {expected}");
                }
            }
        }
    }
}

/// With value at risk the chances of all results sum to 1, and competence helps.
#[test]
fn results_of_risky_play() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Risked).unwrap();
    let chains = predictor
        .chains(Color::White, &[2.0, 10.0, 20.0], 15.0, &())
        .unwrap();
    let mut before = 0.0;
    for chain in &chains {
        for (state, results) in predictor.states().all().zip(chain.results()) {
            let sum = results.win + results.draw + results.loss;
            assert!(close(sum, 1.0), "{state:?} {results:?}");
            let later = chain.results_within(2000)[predictor.states().number(state)];
            assert!(
                (later.win - results.win).abs() < 1e-3,
                "{state:?} {results:?} {later:?}"
            );
        }
        let results = chain.results()[20];
        assert!(results.win > before && results.loss > 0.0, "{results:?}");
        before = results.win;
    }
}

/// A fallible defender is beaten sooner.
#[test]
fn both_sides_fallible() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let predictor = Predictor::new(&oracle, endgame("KQKR"), Kappa::ONE, Values::Kept).unwrap();
    let mut before = 0.0;
    for opponent in [0.0, 10.0, 50.0, 1e3, INFALLIBLE] {
        let chains = predictor
            .chains(Color::White, &[20.0], opponent, &())
            .unwrap();
        let length = chains[0].expected_moves()[31];
        assert!(length > before, "{opponent} {length}");
        before = length;
    }
    assert!(close(before, 97.19594758638851));
}
