//! The generator against its slow twin, position by position, in every metric.

use std::{cell::LazyCell, sync::LazyLock};

use errare_core::{Material, Metric};
use errare_tables::{Layer, Prober, Store, build};
use shakmaty::{Chess, EnPassantMode, File, Position, fen::Fen};

use crate::twin::{self, Depths, Twin};

/// Tables that all tests share.
static TABLES: LazyLock<Prober> =
    LazyLock::new(|| Prober::new(Store::open(errare_testing::shared_tables(), 64 << 20)));

/// Looks positions up in tables, which are built if missing.
pub(crate) fn prober(endgames: &[Material]) -> &'static Prober {
    build(TABLES.store(), endgames, &Metric::ALL, 2 << 30, &()).unwrap();
    &TABLES
}

fn depths(prober: &Prober, position: &Chess) -> Depths {
    Depths::new(|layer| prober.outcome(position, layer).unwrap())
}

/// Compares every position that `wanted` lets through, including those with a capture en passant.
/// The twin takes the subgames of an endgame from the tables if it is `given` them.
fn compare(name: &str, given: bool, wanted: impl Fn(&Chess) -> bool) {
    let endgame: Material = name.parse().unwrap();
    let prober = prober(&[endgame]);
    let mut twin = match given {
        false => Twin::new(),
        true => Twin::given(move |position| {
            let is_subgame = Material::of(position.board()).0 != endgame;
            is_subgame.then(|| depths(prober, position))
        }),
    };
    let en_passant = twin::en_passant_positions(endgame);
    let mut compared = 0;
    for position in twin::positions(endgame).chain(en_passant).filter(wanted) {
        let expected = twin.depths(&position);
        let found = depths(prober, &position);
        let fen = LazyCell::new(|| Fen::from_position(&position, EnPassantMode::Legal).to_string());
        for layer in Layer::ALL {
            assert_eq!(
                found.outcome(layer),
                expected.outcome(layer),
                "{layer} of {}",
                *fen
            );
        }
        let [dm, dc, dz, dr] = Metric::ALL.map(|metric| found.outcome(metric).plies());
        assert!(
            dz <= dc && dc <= dm && dz <= dr && dr <= dm,
            "{dz:?} {dc:?} {dm:?} {dr:?} {}",
            *fen
        );
        compared += 1;
    }
    assert!(compared > 10_000, "{name}: only {compared} positions");
}

#[test]
fn three_men() {
    for endgame in Material::all(3) {
        compare(&endgame.to_string(), false, |_| true);
    }
}

#[test]
fn two_pieces_each_of_its_own_side() {
    compare("KQKR", true, |_| true);
}

#[test]
fn two_like_pieces() {
    compare("KBBK", true, |_| true);
}

/// Underpromotion, and a loser who converts voluntarily. The twin is slow, so two of four files
/// must do.
#[test]
fn a_pawn_and_a_piece() {
    let on_wing = |position: &Chess| {
        let mut pawns = position.board().pawns().into_iter();
        pawns.any(|pawn| matches!(pawn.file(), File::A | File::B))
    };
    compare("KBPK", true, on_wing);
    compare("KRKP", true, on_wing);
}

/// En passant. Pawns that can neither capture nor pass each other are left out: the twin is slow.
#[test]
fn pawns_of_both_sides() {
    compare("KPKP", true, |position| {
        let board = position.board();
        let mut files = board.pawns().into_iter().map(|pawn| pawn.file());
        let (one, other) = (files.next().unwrap(), files.next().unwrap());
        one.distance(other) == 1
            && position
                .board()
                .pawns()
                .into_iter()
                .any(|p| u32::from(p.file()) < 2)
    });
}

#[test]
fn two_pawns_of_one_side() {
    compare("KPPK", true, |position| {
        position
            .board()
            .pawns()
            .into_iter()
            .all(|pawn| u32::from(pawn.rank()) >= 4)
    });
}
