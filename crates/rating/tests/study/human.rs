//! Playing like people, by a real engine's evaluations.

use std::time::Duration;

use errare_engine::{EngineSettings, Engines, find};
use errare_rating::{Human, continuous::Calibration};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

/// None if the installed engine is not the one with a shipped calibration.
fn human(elo: f64) -> Option<Human> {
    let settings = EngineSettings {
        path: find(None).expect("stockfish is needed; cargo xtask test installs it"),
        depth: 8,
        silence: Duration::from_secs(60),
    };
    let engines = Engines::start(settings).unwrap();
    if engines.key().version != "15.1" {
        errare_testing::skip(&format!(
            "the calibration is of Stockfish 15.1, not of {}",
            engines.key()
        ));
        return None;
    }
    let calibration = Calibration::shipped(engines.key()).expect("a calibration");
    Some(Human::new(&calibration, elo, engines))
}

/// A queen can be won: everybody likes that, strong players more than weak ones.
#[test]
fn the_strong_see_more() {
    let fen: Fen = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 9"
        .parse()
        .unwrap();
    let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let [Some(weak), Some(strong)] = [1900.0, 2600.0].map(human) else {
        return;
    };
    let chance_to_win_it = |human: Human| {
        let chances = human.chances(&position).unwrap();
        assert_eq!(chances, human.chances(&position).unwrap());
        assert_eq!(chances.len(), position.legal_moves().len());
        let sum: f64 = chances.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        let wins = |(m, _): &&(UciMove, f64)| m.to_move(&position).unwrap().is_capture();
        let captures = chances.iter().filter(wins);
        captures.map(|(_, chance)| chance).sum::<f64>()
    };
    let [weak, strong] = [weak, strong].map(chance_to_win_it);
    assert!(0.5 < weak && weak < strong, "{weak} {strong}");
}
