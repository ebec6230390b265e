//! The twin of the generator against published values.

use errare_core::{
    Metric::{self, Dtc, Dtm, Dtr, Dtz},
    Outcome::{Loss, Win},
    Plies,
};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

use crate::twin::{self, Depths, Twin};

/// The deepest win of White to move and the deepest loss of Black to move, in plies.
///
/// Sources: the statistics published with the Syzygy files for DTZ, which without pawns is DTC;
/// published maxima of DTM (in moves); and, for DTR and for DTC with pawns, an independent
/// generator.
const DEEPEST: [(&str, Metric, u16, u16); 8] = [
    ("KQK", Dtm, 19, 20),
    ("KQK", Dtz, 19, 20),
    ("KRK", Dtm, 31, 32),
    ("KRK", Dtc, 31, 32),
    ("KPK", Dtm, 55, 56),
    ("KPK", Dtc, 37, 38),
    ("KPK", Dtz, 19, 20),
    ("KPK", Dtr, 19, 20),
];

fn assert_deepest(published: &[(&str, Metric, u16, u16)]) {
    let mut twin = Twin::new();
    for of_endgame in published.chunk_by(|(one, ..), (other, ..)| one == other) {
        let endgame = of_endgame[0].0.parse().unwrap();
        let depths: Vec<_> = twin::positions(endgame)
            .map(|position| (position.turn(), twin.depths(&position)))
            .collect();
        for &(_, metric, deepest_win, deepest_loss) in of_endgame {
            let (mut win, mut loss) = (0, 0);
            for (turn, depths) in &depths {
                match (turn, depths.outcome(metric)) {
                    (Color::White, Win(Plies(plies))) => win = win.max(plies),
                    (Color::Black, Loss(Plies(plies))) => loss = loss.max(plies),
                    _ => {}
                }
            }
            assert_eq!(
                (win, loss),
                (deepest_win, deepest_loss),
                "{endgame} {metric}"
            );
        }
    }
}

#[test]
fn the_deepest_positions_are_as_published() {
    assert_deepest(&DEEPEST);
}

/// A side whose only move is en passant is neither mated nor stalemated.
#[test]
fn en_passant_may_be_the_only_move() {
    let only_move = position("8/8/4k3/3pP3/8/6q1/8/7K w - d6 0 1");
    assert_eq!(only_move.legal_moves().len(), 1);
    let mut twin = Twin::given(|_| Some(Depths::MATE));
    assert_eq!(
        twin.depths(&only_move),
        Depths::new(|_| Win(Plies(1))),
        "the capture mates; what the position were without the right does not matter"
    );
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}
