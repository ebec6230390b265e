//! The generator against published depths.

use errare_core::{
    Material,
    Metric::{self, Dtc, Dtm, Dtr, Dtz},
    Outcome::{Loss, Win},
    Plies,
};
use errare_tables::Prober;
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};

use crate::agreement::prober;

/// In plies: the deepest win of White to move, loss of Black to move, win of Black to move.
///
/// Sources: the statistics published with the Syzygy files for DTZ, which without pawns is DTC;
/// published maxima of DTM (in moves); and, for DTR and for DTC with pawns, an independent
/// generator.
const DEEPEST: [(&str, Metric, u16, u16, Option<u16>); 26] = [
    ("KQK", Dtz, 19, 20, None),
    ("KRK", Dtc, 31, 32, None),
    ("KPK", Dtm, 55, 56, None),
    ("KPK", Dtc, 37, 38, None),
    ("KPK", Dtz, 19, 20, None),
    ("KPK", Dtr, 19, 20, None),
    ("KBNK", Dtz, 65, 66, None),
    ("KBNK", Dtm, 65, 66, None),
    ("KBBK", Dtz, 37, 38, None),
    ("KBBK", Dtm, 37, 38, None),
    ("KQKR", Dtz, 61, 62, Some(5)),
    ("KQKR", Dtc, 61, 62, Some(5)),
    ("KQKR", Dtm, 69, 70, Some(37)),
    ("KQKR", Dtr, 61, 62, Some(32)),
    ("KRKB", Dtz, 35, 36, None),
    ("KRKB", Dtm, 57, 58, None),
    ("KRKN", Dtz, 53, 54, Some(1)),
    ("KRKN", Dtm, 79, 80, Some(1)),
    ("KRKP", Dtm, 51, 64, Some(85)),
    ("KRKP", Dtc, 31, 32, Some(21)),
    ("KRKP", Dtz, 25, 24, Some(19)),
    ("KRKP", Dtr, 32, 35, Some(62)),
    ("KBPK", Dtz, 25, 26, None),
    ("KBPK", Dtr, 60, 60, None),
    ("KBBKN", Dtz, 131, 132, Some(1)),
    ("KBBKN", Dtm, 155, 156, Some(1)),
];

#[test]
fn the_deepest_positions_are_as_published() {
    let endgame = |name: &str| name.parse::<Material>().unwrap();
    let endgames: Vec<_> = DEEPEST.iter().map(|(name, ..)| endgame(name)).collect();
    let store = prober(&endgames).store();
    for (name, metric, win, loss, black_win) in DEEPEST {
        let table = store.table(endgame(name), metric.into()).unwrap().unwrap();
        let [white, black] = Color::ALL.map(|turn| table.description().side(turn));
        assert_eq!(white.deepest_win(), Some(Plies(win)), "{name} {metric}");
        assert_eq!(black.deepest_loss(), Some(Plies(loss)), "{name} {metric}");
        assert_eq!(black.deepest_win(), black_win.map(Plies), "{name} {metric}");
    }
}

/// Haworth (2001): 1. Rxc1+ zeroes at once, but 1. Rab2 Ke1 2. Rxc1# needs fewer moves between
/// zeroing moves; and footnote 3, where Black may capture voluntarily.
#[test]
fn the_examples_of_depth_by_the_rule() {
    let capture = position("8/8/8/8/8/8/R7/KRbk4 w - - 0 1");
    let voluntary = position("8/8/8/8/8/R7/5Q2/K5k1 b - - 0 1");
    let prober = built_for(&[&capture, &voluntary]);
    assert_eq!(prober.outcome(&capture, Dtz).unwrap(), Win(Plies(1)));
    assert_eq!(prober.outcome(&capture, Dtr).unwrap(), Win(Plies(3)));
    assert_eq!(prober.outcome(&voluntary, Dtz).unwrap(), Loss(Plies(2)));
    assert_eq!(prober.outcome(&voluntary, Dtr).unwrap(), Loss(Plies(17)));
}

/// Only 1. d8=N+ wins, and KBNK takes long.
#[test]
fn underpromotion_may_be_the_only_win() {
    let only_knight = position("8/3P4/KBk5/8/8/8/8/8 w - - 0 1");
    let prober = built_for(&[&only_knight]);
    assert_eq!(prober.outcome(&only_knight, Dtz).unwrap(), Win(Plies(1)));
    assert_eq!(prober.outcome(&only_knight, Dtm).unwrap(), Win(Plies(61)));
    assert_eq!(prober.outcome(&only_knight, Dtr).unwrap(), Win(Plies(60)));
}

fn built_for(positions: &[&Chess]) -> &'static Prober {
    let endgames: Vec<_> = positions
        .iter()
        .map(|p| Material::of(p.board()).0)
        .collect();
    prober(&endgames)
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}
