//! Theorems 1 to 5 of Haworth (2002), and the order of appendix B of Haworth and Andrist (2004), in
//! random positions. Theorem 6 is their average, and is tested on whole matrices.

use errare_choice::{Kappa, State, probabilities};
use errare_core::Material;
use errare_endgame::{Turn, Weighting};
use proptest::prelude::*;
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup, Piece, PositionError, Role, Setup, Square,
};

use crate::{endgame, oracle};

/// Any legal position of an endgame.
fn position(material: Material) -> impl Strategy<Value = Chess> {
    let men = material.men();
    let squares = prop::collection::vec(0u32..64, men);
    (squares, any::<bool>()).prop_filter_map("it is not legal", move |(squares, white)| {
        let colors = [Color::White, Color::Black];
        let men = colors.into_iter().flat_map(|color| {
            let army = material.army(color).men();
            [Role::King]
                .into_iter()
                .chain(army)
                .map(move |role| Piece { color, role })
        });
        let mut board = Board::empty();
        for (piece, square) in men.zip(squares) {
            let square = Square::new(square);
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, piece);
        }
        let setup = Setup {
            board,
            turn: Color::from_white(white),
            ..Setup::empty()
        };
        let position = Chess::from_setup(setup, CastlingMode::Standard);
        position
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    })
}

fn any_position() -> impl Strategy<Value = Chess> {
    let endgames = ["KQKR", "KRKN", "KPKP"].map(|name| position(endgame(name)));
    prop::strategy::Union::new(endgames)
}

/// What R_c expects of a function of the state it moves to.
fn expected(turn: &Turn, weighting: &Weighting, c: f64, of: impl Fn(State) -> f64) -> f64 {
    let chances = probabilities(weighting.options(turn, Kappa::ONE), c);
    let states = turn.choices().iter().map(|choice| choice.state);
    states
        .zip(chances)
        .map(|(state, chance)| of(state) * chance)
        .sum()
}

const ROUNDING: f64 = 1e-9;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn expected_depth_in_real_positions(position in any_position(), c in -20.0..60.0) {
        let turn = oracle().turn(&position).unwrap();
        prop_assume!(turn.best().is_some_and(|best| best.value() != 0));
        let best = turn.best().unwrap();
        let weighting = Weighting::keeping_value();
        let depth = |c| expected(&turn, &weighting, c, |state| state.depth().map_or(0.0, f64::from));
        let better = f64::from(best.value()) * (depth(c) - depth(c + 1.0));
        prop_assert!(better >= -ROUNDING, "theorems 1 and 3");
        let limit = f64::from(best.depth().unwrap());
        prop_assert!((depth(1e4) - limit).abs() < 1e-6, "theorems 2 and 4");
        // The depth of the position is that of its best move, one less for the winner.
        let of_position = oracle().outcome(&position).unwrap().moves().unwrap().0;
        let one = u16::from(best.value() > 0);
        prop_assert_eq!(best.depth().unwrap() + one, of_position);
    }

    /// Expected state and value do not get worse as c grows, whatever the weights of moves (theorem 5).
    #[test]
    fn competence_orders_real_choices(position in any_position(), c in -20.0..40.0, more in 0.0..40.0, seed in 0u32..1000) {
        let turn = oracle().turn(&position).unwrap();
        prop_assume!(!turn.choices().is_empty());
        let odd = move |_: &Turn, choice: &errare_endgame::Choice| {
            f64::from((u32::from(choice.r#move.to()) * 7 + seed) % 5)
        };
        for weighting in [
            Weighting::risking_value(),
            Weighting { own: Some(std::sync::Arc::new(odd)), ..Weighting::risking_value() },
        ] {
            let value = |c| expected(&turn, &weighting, c, |state| f64::from(state.value()));
            prop_assert!(value(c + more) >= value(c) - ROUNDING);
            let mut states: Vec<_> = turn.choices().iter().map(|choice| choice.state).collect();
            states.sort_by_key(|state| state.rank());
            states.dedup();
            let number = |state| states.iter().position(|&s| s == state).unwrap() as f64;
            let mean = |c| expected(&turn, &weighting, c, number);
            prop_assert!(mean(c + more) <= mean(c) + ROUNDING);
        }
    }

    /// Within its horizon a player wins if it can, and does not lose if it can help it.
    #[test]
    fn horizons(position in any_position(), horizon in 1u16..20) {
        let turn = oracle().turn(&position).unwrap();
        prop_assume!(!turn.choices().is_empty());
        let weighting = Weighting { horizon: Some(horizon), ..Weighting::risking_value() };
        let weights = weighting.weights(&turn);
        prop_assert!(weights.iter().any(|&weight| weight > 0.0));
        let wins = |state: State| matches!(state, State::Win(depth) if depth < horizon);
        let loses = |state: State| matches!(state, State::Loss(depth) if depth <= horizon);
        let states = || turn.choices().iter().map(|choice| choice.state);
        for (state, weight) in states().zip(weights) {
            if states().any(wins) {
                prop_assert_eq!(weight > 0.0, wins(state));
            } else if !states().all(loses) {
                prop_assert_eq!(weight > 0.0, !loses(state));
            }
        }
    }
}
