//! The Emulator, and the cases that the paper leaves open.

use errare_choice::{Kappa, PriorShape};
use errare_endgame::{
    Emulator, MatchAnalysis, PlayerSpec, Rules, TableAgent, TableMatch, TableView,
};
use errare_tables::parse_position;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::oracle;

const START: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

#[test]
fn negative_and_infinite_competence_is_refused() {
    for c in [-1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(Emulator::new(c, Kappa::ONE).is_err(), "{c}");
    }
    assert!("emulator:c=inf".parse::<PlayerSpec>().is_err());
}

/// E_0 is the random player that keeps the value.
#[test]
fn e_0_is_random() {
    let position = parse_position(START).unwrap();
    let turn = oracle().turn(&position).unwrap();
    let chances = Emulator::new(0.0, Kappa::ONE).unwrap().probabilities(&turn);
    let keeping = turn
        .choices()
        .iter()
        .filter(|choice| turn.preserves_value(choice))
        .count();
    for (choice, chance) in turn.choices().iter().zip(chances) {
        let expected = if turn.preserves_value(choice) {
            1.0 / keeping as f64
        } else {
            0.0
        };
        assert_eq!(chance, expected);
    }
}

/// Between c = 12 and c = 13, 2c is not always an integer; c stays in the middle.
#[test]
fn two_c_need_not_be_an_integer() {
    for c in [0.3, 12.25, 12.7] {
        let emulator = Emulator::new(c, Kappa::ONE).unwrap();
        assert!((emulator.apparent_competence() - c).abs() < 1e-12, "{c}");
    }
}

/// Its choice is nearest to c, whatever happened before.
#[test]
fn the_nearest_state_is_chosen() {
    let mut position = parse_position(START).unwrap();
    let mut emulator = Emulator::new(10.0, Kappa::ONE).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..30 {
        let turn = oracle().turn(&position).unwrap();
        if turn.choices().is_empty() {
            break;
        }
        let view = TableView {
            oracle: oracle(),
            position: &position,
            turn: &turn,
        };
        let before = emulator.clone();
        let chosen = emulator.choose(view, &mut rng).unwrap();
        let distance = (emulator.apparent_competence() - 10.0).abs();
        for (other, _) in turn
            .choices()
            .iter()
            .enumerate()
            .filter(|(_, c)| turn.preserves_value(c))
        {
            let mut alternative = before.clone();
            alternative.observe(&turn, other);
            let other_distance = (alternative.apparent_competence() - 10.0).abs();
            assert!(distance <= other_distance + 1e-9);
        }
        shakmaty::Position::play_unchecked(&mut position, turn.choices()[chosen].r#move);
    }
}

/// It appears as competent as it should, and more consistently than R_c; each game starts afresh.
#[test]
fn apparent_competence_is_near_c() {
    let deviations = ["emulator:c=20", "rep:c=20"].map(|white| {
        let games = TableMatch {
            oracle: oracle(),
            players: [white, "best"].map(|name| name.parse::<PlayerSpec>().unwrap()),
            starts: vec![parse_position(START).unwrap()],
            games: 20,
            swap: false,
            seed: 3,
            rules: Rules {
                until_conversion: true,
                fifty_moves: false,
                most_moves: 1000,
            },
            analysis: Some(MatchAnalysis {
                kappa: Kappa::ONE,
                grid: "0(1)40".parse().unwrap(),
                prior: PriorShape::Uniform,
            }),
        }
        .play(1, &())
        .unwrap();
        let deviation =
            |game: &errare_endgame::MatchGame| (game.apparent[0].unwrap().mean - 20.0).abs();
        games.iter().map(deviation).sum::<f64>() / 20.0
    });
    assert!(
        deviations[0] < 0.5 && deviations[0] < deviations[1] / 2.0,
        "{deviations:?}"
    );
}
