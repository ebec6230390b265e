//! Random games in which model agents choose among moves of random worth.

use std::fmt::Write;

use errare_choice::Agent;
use errare_rating::costs;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

/// Games at each rating: fewer than the continuous family needs for a calibration.
const GAMES: usize = 14;
/// The last full move.
const LAST: u32 = 25;

/// The agent of a rating in this world.
pub(crate) fn agent(elo: u16) -> Agent {
    Agent::of_paper(0.12 + (2400.0 - f64::from(elo)) * 1e-4, 0.5)
}

/// Evaluated turns as lines of JSON.
pub(crate) fn turns() -> String {
    games(&[2400, 2200, 2000], GAMES)
}

/// Evaluated turns of this many games at each rating.
pub(crate) fn games(ratings: &[u16], games: usize) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut text = String::new();
    for &elo in ratings {
        for game in 0..games {
            play(&mut text, elo, game, &mut random);
        }
    }
    text
}

fn play(text: &mut String, elo: u16, game: usize, random: &mut ChaCha8Rng) {
    let mut position = Chess::default();
    while !position.is_game_over() && position.fullmoves().get() <= LAST {
        let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
        for i in (1..moves.len()).rev() {
            moves.swap(i, random.random_range(0..=i));
        }
        let mut chosen = 0;
        if position.fullmoves().get() > 8 && moves.len() > 1 {
            let mut value = random.random_range(-150..150);
            let scores: Vec<i32> = moves
                .iter()
                .map(|_| {
                    let here = value;
                    value -= random.random_range(0..30);
                    here
                })
                .collect();
            let pawns: Vec<f64> = scores.iter().map(|&it| f64::from(it) / 100.0).collect();
            let mut left: f64 = random.random();
            let p = agent(elo).probabilities(&costs(&pawns));
            let place = p.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            chosen = place.unwrap_or(0);
            let shallow: Vec<i32> = scores
                .iter()
                .map(|it| it + random.random_range(-40..40))
                .collect();
            let uci = |m: &shakmaty::Move| format!("\"{}\"", m.to_uci(CastlingMode::Standard));
            let names: Vec<String> = moves.iter().map(uci).collect();
            writeln!(
                text,
                r#"{{"id":"{elo}g{game}p{}","engine":"Made up 1","depth":2,"fen":"{}","played":{},"moves":[{}],"eval":{scores:?},"depths":{{"1":{shallow:?}}},"white":"White {elo}","black":"Black {elo}","welo":{elo},"belo":{elo},"date":"200{}.01.01"}}"#,
                position.fullmoves().get(),
                Fen::from_position(&position, EnPassantMode::Legal),
                names[chosen],
                names.join(","),
                game % 10,
            )
            .unwrap();
        }
        position.play_unchecked(moves[chosen]);
    }
}
