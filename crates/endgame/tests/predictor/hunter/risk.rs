//! A hunter that may risk its own draw: Black in KQKR, against a queen that errs.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{
    Aim, Goal, HuntTask, Hunter, Library, Oracle, Prey, ReferencePlayer, Scope, Solution,
    TableView, Weighting, draw, exits,
};
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::MEMORY;
use crate::{
    markov::{men_of, position},
    tables::{endgame, oracle},
};

const PREY: Prey = Prey {
    competence: 2.0,
    kappa: Kappa::ONE,
};
/// White's moves within which it should go wrong.
const MOVES: u32 = 6;

fn player() -> ReferencePlayer {
    ReferencePlayer {
        competence: PREY.competence,
        kappa: PREY.kappa,
        weighting: Weighting::risking_value(),
    }
}

/// Some positions with White to move and this value.
fn some(oracle: &Oracle, count: usize, value: i32) -> Vec<Chess> {
    let men = men_of(endgame("KQKR"));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::empty();
        for &man in &men {
            board.set_piece_at(Square::new(rng.random_range(0..64)), man);
        }
        let complete = board.occupied().count() == men.len();
        let legal = position(board, Color::White).filter(|_| complete);
        found.extend(legal.filter(|position| oracle.outcome(position).unwrap().sign() == value));
    }
    found
}

/// A position after a move.
fn after(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}

/// The chance that White errs on its next move or later, by plain move generation and the chances after both have
/// moved.
fn chance(oracle: &Oracle, position: &Chess, left: &dyn Fn(&Chess) -> f64) -> f64 {
    // The value for Black if it wins, or draws or loses for good; otherwise play goes on.
    let end = |position: &Chess, m: Move, sign: i32| {
        let value = sign * oracle.outcome(position).unwrap().sign();
        let over = exits(m, Metric::Dtc) || position.legal_moves().is_empty();
        (over || value > 0).then_some(f64::from(u8::from(value > 0)))
    };
    let turn = oracle.turn(position).unwrap();
    let chances = player().probabilities(&turn);
    let each = turn.choices().iter().zip(chances).map(|(choice, p)| {
        let moved = after(position, choice.r#move);
        let worth = end(&moved, choice.r#move, 1).unwrap_or_else(|| {
            let replies = moved.legal_moves().into_iter().map(|reply| {
                let replied = after(&moved, reply);
                end(&replied, reply, -1).unwrap_or_else(|| left(&replied))
            });
            replies.fold(0.0, f64::max)
        });
        p * worth
    });
    each.sum()
}

/// The chance that White errs within these moves, by plain recursion.
fn chance_within(oracle: &Oracle, position: &Chess, moves: u32) -> f64 {
    match moves {
        0 => 0.0,
        _ => chance(oracle, position, &|replied| {
            chance_within(oracle, replied, moves - 1)
        }),
    }
}

/// It agrees with plain recursion, is never worse than a hunter that keeps the draw, and sometimes better. In games
/// White goes wrong as often as the solution says, though Black stands lost on the way.
#[test]
fn a_draw_is_risked_where_that_pays() {
    let oracle = oracle("KQKR", Metric::Dtc);
    let hunter = Hunter {
        risks_own: true,
        moves: MOVES,
        library: Library::with_memory(MEMORY),
        ..Hunter::of(PREY.competence)
    };
    let solved = |scope| {
        let task = HuntTask {
            material: endgame("KQKR"),
            metric: Metric::Dtc,
            side: Color::White,
            scope,
            aim: Aim::Within(Goal::Slip, MOVES),
            prey: PREY,
        };
        hunter.library.solution(&oracle, &task, &()).unwrap()
    };
    let (risked, kept) = (solved(Scope::DrawsAndWins), solved(Scope::Draws));
    let worth = |solution: &Solution, position: &Chess, moves| {
        solution.worth(position.board(), false, moves).unwrap()
    };
    let (draws, lost) = (some(&oracle, 1000, 0), some(&oracle, 300, 1));
    for position in draws.iter().chain(&lost) {
        for moves in 1..=MOVES {
            let left = |replied: &Chess| worth(&risked, replied, moves - 1);
            let expected = chance(&oracle, position, &left);
            let found = worth(&risked, position, moves);
            assert!((found - expected).abs() < 1e-6, "{moves} {position:?}");
        }
    }
    for position in draws.iter().chain(&lost).step_by(50) {
        let expected = chance_within(&oracle, position, 2);
        let found = worth(&risked, position, 2);
        assert!((found - expected).abs() < 1e-6, "{position:?}");
    }
    for position in &draws {
        for moves in 1..=MOVES {
            let [risked, kept] = [&risked, &kept].map(|it| worth(it, position, moves));
            assert!(risked > kept - 1e-6, "{moves} {position:?}");
        }
    }
    let gain = |position: &Chess| worth(&risked, position, MOVES) - worth(&kept, position, MOVES);
    let start = draws.iter().max_by(|a, b| gain(a).total_cmp(&gain(b)));
    let start = start.unwrap();
    assert!(gain(start) > 0.05, "{}", gain(start));
    let expected = worth(&risked, start, MOVES);

    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let games = 2000;
    let (mut wrong, mut lost) = (0, 0);
    for _ in 0..games {
        let mut agent = hunter.sit();
        let mut position = start.clone();
        for ply in 0..2 * MOVES {
            let turn = oracle.turn(&position).unwrap();
            let view = TableView {
                oracle: &oracle,
                position: &position,
                turn: &turn,
            };
            let number = match ply % 2 {
                0 => {
                    let number = draw(&player().probabilities(&turn), &mut rng);
                    agent.watch(view, number);
                    number
                }
                _ => {
                    agent.prepare(view, Color::Black, &()).unwrap();
                    agent.choose(view, &mut rng).unwrap()
                }
            };
            let m = turn.choices()[number].r#move;
            position = after(&position, m);
            let value = oracle.outcome(&position).unwrap().sign();
            let for_hunter = if position.turn() == Color::Black {
                value
            } else {
                -value
            };
            if for_hunter > 0 {
                wrong += 1;
                break;
            }
            lost += i32::from(for_hunter < 0 && ply % 2 == 0);
            if exits(m, Metric::Dtc) || position.legal_moves().is_empty() {
                break;
            }
        }
    }
    assert!(lost > games / 2, "{lost}");
    let share = f64::from(wrong) / f64::from(games);
    let error = (expected * (1.0 - expected) / f64::from(games)).sqrt();
    assert!(
        (share - expected).abs() < 4.0 * error,
        "{share} ± {error}, {expected}"
    );
}
