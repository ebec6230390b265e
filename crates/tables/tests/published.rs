//! The twin of the generator against published values.

mod twin;

use errare_core::{Material, Metric, Outcome, Plies};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

use self::twin::{Depths, Twin};

/// The deepest win of White to move and the deepest loss of Black to move, in plies.
///
/// Sources: the statistics published with the Syzygy files for DTZ, which without pawns is DTC;
/// published maxima of DTM, there in moves; and, for DTC and DTR with pawns, an
/// independent generator.
const DEEPEST: [(&str, Metric, u16, u16); 11] = [
    ("KQK", Metric::Dtm, 19, 20),
    ("KQK", Metric::Dtz, 19, 20),
    ("KRK", Metric::Dtm, 31, 32),
    ("KRK", Metric::Dtc, 31, 32),
    ("KPK", Metric::Dtm, 55, 56),
    ("KPK", Metric::Dtc, 37, 38),
    ("KPK", Metric::Dtz, 19, 20),
    ("KPK", Metric::Dtr, 19, 20),
    ("KRKN", Metric::Dtm, 79, 80),
    ("KRKN", Metric::Dtc, 53, 54),
    ("KRKN", Metric::Dtz, 53, 54),
];

#[test]
fn the_deepest_positions_are_as_published() {
    let mut twin = Twin::new();
    for of_endgame in DEEPEST.chunk_by(|(one, ..), (other, ..)| one == other) {
        let endgame: Material = of_endgame[0].0.parse().unwrap();
        let depths: Vec<_> = twin::positions(endgame)
            .map(|position| (position.turn(), twin.depths(&position)))
            .collect();
        for &(_, metric, deepest_win, deepest_loss) in of_endgame {
            let (mut win, mut loss) = (0, 0);
            for (turn, depths) in &depths {
                match (turn, depths.outcome(metric)) {
                    (Color::White, Outcome::Win(Plies(plies))) => win = win.max(plies),
                    (Color::Black, Outcome::Loss(Plies(plies))) => loss = loss.max(plies),
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

/// A side whose only move is en passant is neither mated nor stalemated.
#[test]
fn en_passant_may_be_the_only_move() {
    let only_move = position("8/8/4k3/3pP3/8/6q1/8/7K w - d6 0 1");
    assert_eq!(only_move.legal_moves().len(), 1);
    let mut twin = Twin::given(|_| Some(Depths::MATE));
    assert_eq!(
        twin.depths(&only_move),
        Depths::new(|_| Outcome::Win(Plies(1))),
        "what follows is mate, what the position were without the right does not matter"
    );
}

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap()
}
