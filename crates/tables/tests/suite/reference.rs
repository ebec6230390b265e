//! Agreement with published tables and statistics.
//!
//! These are not part of this project. The environment variable `ERRARE_REFERENCE` names a
//! directory with
//!
//! - `syzygy/`: Syzygy files,
//! - `syzygy-histograms.tsv`: the statistics published with them, as endgame, side to move, class
//!   (`win`, `lose`: at a ply; `wins`, `draws`, `losses`, `cursed wins`, `cursed losses`: totals),
//!   ply, positions,
//! - `max-dtm.tsv`: endgame, longest mates of White to move and of Black to move, in moves, in the
//!   first, second and fourth column.
//!
//! Without it these tests check nothing and say so. All endgames of up to four men are checked, and
//! those of five whose tables are in the directory that `ERRARE_TABLES` names. Gaviota's DTM, which
//! takes Python to read, is compared with the tables by `tests/reference/gaviota.py`.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use errare_core::{Army, Material, Metric, Outcome, Plies};
use errare_tables::{Prober, Scan, SideStatistics, Store, build, statistics};
use rayon::prelude::*;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, PositionError, Role, Setup,
    Square, fen::Fen,
};
use shakmaty_syzygy::Tablebase;

use crate::{agreement, twin};

/// The directory of the references.
fn reference() -> Option<PathBuf> {
    let directory = env::var_os("ERRARE_REFERENCE");
    if directory.is_none() {
        errare_testing::skip("ERRARE_REFERENCE does not name the directory of the references");
    }
    directory.map(PathBuf::from)
}

/// All endgames of three and four men.
fn small() -> Vec<Material> {
    [3, 4].into_iter().flat_map(Material::all).collect()
}

/// The tables that are checked.
fn prober() -> &'static Prober {
    static NAMED: LazyLock<Option<Prober>> = LazyLock::new(|| {
        let directory = PathBuf::from(env::var_os("ERRARE_TABLES")?);
        let store = Store::open(directory, 1 << 30);
        build(&store, &small(), &Metric::ALL, 3 << 30, &()).unwrap();
        Some(Prober::new(store))
    });
    NAMED
        .as_ref()
        .unwrap_or_else(|| agreement::prober(&small()))
}

fn has_table(endgame: Material, metric: Metric) -> bool {
    prober()
        .store()
        .table(endgame, metric.into())
        .unwrap()
        .is_some()
}

/// The endgame of a row, and its other columns.
type Row = (Material, Vec<String>);

/// The rows of a file of tab-separated values whose endgame has a table.
fn rows(file: &Path, metric: Metric) -> Vec<Row> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let mut columns = line.split('\t').map(str::to_owned);
        let endgame: Material = columns.next().unwrap().parse().unwrap();
        (endgame, columns.collect())
    });
    rows.filter(|(endgame, _)| has_table(*endgame, metric))
        .collect()
}

#[test]
fn every_position_is_won_drawn_or_lost_as_in_syzygy_files() {
    let Some(reference) = reference() else { return };
    let mut syzygy = Tablebase::new();
    syzygy.add_directory(reference.join("syzygy")).unwrap();
    let prober = prober();
    let check = |position: &Chess, outcome: Outcome| {
        let published = syzygy.probe_wdl_after_zeroing(position).unwrap();
        let fen = || Fen::from_position(position, EnPassantMode::Legal);
        assert_eq!(outcome.sign(), published.signum(), "{}", fen());
    };
    small().into_par_iter().for_each(|endgame| {
        let scan = Scan::new(prober.store(), endgame, Metric::Dtz.into()).unwrap();
        for entry in scan.positions() {
            let (position, outcome) = entry.unwrap();
            check(&position, outcome);
        }
        for position in twin::en_passant_positions(endgame) {
            check(&position, prober.outcome(&position, Metric::Dtz).unwrap());
        }
    });
}

/// Published lengths that differ from ours, with ours: for KBPKN the sources disagree, for KQPKR 38 moves
/// are published. Every position of both tables, and of their subgames, was verified against its moves
/// (`errare tables verify`; `docs/endgame-tables.md`).
const DISPUTED: [(&str, [u16; 2]); 2] = [("KBPKN", [100, 8]), ("KQPKR", [37, 33])];

#[test]
fn the_longest_mates_are_as_published() {
    let Some(reference) = reference() else { return };
    for (endgame, columns) in rows(&reference.join("max-dtm.tsv"), Metric::Dtm) {
        let table = prober()
            .store()
            .table(endgame, Metric::Dtm.into())
            .unwrap()
            .unwrap();
        let longest = Color::ALL.map(|turn| {
            let deepest = table.description().side(turn).deepest_win();
            deepest.map_or(0, |plies| Outcome::Win(plies).moves().unwrap().0)
        });
        let published = [&columns[0], &columns[2]].map(|moves| moves.parse().unwrap());
        let disputed = DISPUTED
            .iter()
            .find(|(name, _)| *name == endgame.to_string());
        let expected = disputed.map_or(published, |(_, ours)| *ours);
        assert_eq!(longest, expected, "{endgame}");
    }
}

/// Numbers of positions by signed plies of DTZ, of draws, and totals by sign.
#[derive(Debug, Default, PartialEq)]
struct Histogram {
    plies: BTreeMap<(bool, Plies), i64>,
    totals: [i64; 3],
}

#[test]
fn histograms_of_dtz_are_as_published() {
    let Some(reference) = reference() else { return };
    let rows = rows(&reference.join("syzygy-histograms.tsv"), Metric::Dtz);
    let mut checked = 0;
    for rows in rows.chunk_by(|(one, _), (other, _)| one == other) {
        let endgame = rows[0].0;
        let ours = statistics(prober().store(), endgame, Metric::Dtz, &()).unwrap();
        for (color, side) in [(Color::White, &ours.white), (Color::Black, &ours.black)] {
            assert_histogram(endgame, color, side, rows);
        }
        checked += 1;
    }
    assert!(checked >= 34, "only {checked} histograms");
}

/// DTZ in the Syzygy statistics is that of the 50-move rule, so where the rule spoils a win (there
/// are cursed wins) only the totals are compared.
fn assert_histogram(endgame: Material, turn: Color, side: &SideStatistics, rows: &[Row]) {
    let mut published = Histogram::default();
    let mut has_cursed = false;
    let name = turn.fold_wb("white", "black");
    for (_, columns) in rows.iter().filter(|(_, columns)| columns[0] == name) {
        let positions: i64 = columns[3].parse().unwrap();
        let class = columns[1].strip_prefix("cursed ");
        has_cursed |= class.is_some();
        let ply = || Plies(columns[2].parse().unwrap());
        match class.unwrap_or(&columns[1]) {
            "win" if positions > 0 => {
                *published.plies.entry((true, ply())).or_default() += positions;
            }
            "lose" if positions > 0 => {
                *published.plies.entry((false, ply())).or_default() += positions;
            }
            "win" | "lose" => {}
            "wins" => published.totals[0] += positions,
            "draws" => published.totals[1] += positions,
            "losses" => published.totals[2] += positions,
            other => panic!("{endgame}: no class is called {other}"),
        }
    }
    let ours = told_apart(endgame, turn, side);
    assert_eq!(ours.totals, published.totals, "{endgame} {turn}");
    if !has_cursed {
        assert_eq!(ours.plies, published.plies, "{endgame} {turn}");
    }
}

/// Our counts as the Syzygy statistics would give them: they too count up to symmetry, but
/// distinguish like men.
///
/// By Burnside's lemma there are U = (F + 2 I) / 8 positions without pawns up to symmetry, where *F*
/// counts those of the full board and *I* those invariant under reflection in a1-h8. Distinguishing
/// like men turns each of *F* into *n*, but keeps only those of *I*, *D*, in which every man stays
/// where it is: n (F + 2 D) / 8 = n (U - (I - D) / 4). With pawns there is no such reflection.
fn told_apart(endgame: Material, turn: Color, side: &SideStatistics) -> Histogram {
    let names: i64 = Color::ALL
        .into_iter()
        .flat_map(|color| Army::ROLES.map(|role| endgame.army(color).count(role) as i64))
        .map(|like_men| (1..=like_men).product::<i64>())
        .product();
    let unique = &side.unique;
    let plies = [(true, &unique.win_plies), (false, &unique.loss_plies)];
    let mut ours = Histogram {
        plies: plies
            .into_iter()
            .flat_map(|(win, plies)| {
                plies
                    .iter()
                    .map(move |(&ply, &n)| ((win, ply), 4 * n as i64))
            })
            .collect(),
        totals: [unique.wins, unique.draws, unique.losses].map(|n| 4 * n as i64),
    };
    for position in reflected_into_themselves(endgame, turn) {
        let outcome = prober().outcome(&position, Metric::Dtz).unwrap();
        ours.totals[(1 - outcome.sign()) as usize] -= 1;
        if let Some(plies) = outcome.plies() {
            *ours.plies.get_mut(&(outcome.sign() > 0, plies)).unwrap() -= 1;
        }
    }
    ours.plies
        .values_mut()
        .chain(&mut ours.totals)
        .for_each(|n| *n = *n * names / 4);
    ours
}

/// The positions of the full board, without pawns, that are invariant under reflection in a1-h8
/// because it exchanges two like men.
fn reflected_into_themselves(endgame: Material, turn: Color) -> Vec<Chess> {
    let men: Vec<_> = Color::ALL
        .into_iter()
        .flat_map(|color| endgame.army(color).men().map(move |role| role.of(color)))
        .collect();
    let Some(pair) = men
        .windows(2)
        .find(|two| two[0] == two[1])
        .map(|two| two[0])
    else {
        return Vec::new();
    };
    if endgame.has_pawns() {
        return Vec::new();
    }
    let others = men.iter().filter(|&&man| man != pair).copied();
    let kings = Color::ALL.map(|color| Role::King.of(color));
    let mut boards: Vec<Board> = Square::ALL
        .into_iter()
        .filter(|square| u32::from(square.file()) > u32::from(square.rank()))
        .map(|square| {
            let mut board = Board::empty();
            board.set_piece_at(square, pair);
            board.set_piece_at(square.flip_diagonal(), pair);
            board
        })
        .collect();
    for man in kings.into_iter().chain(others) {
        boards = boards
            .iter()
            .flat_map(|board| {
                let diagonal = (0..8).map(|i| Square::new(9 * i));
                let free = diagonal.filter(|&square| board.piece_at(square).is_none());
                free.map(|square| {
                    let mut board = board.clone();
                    board.set_piece_at(square, man);
                    board
                })
            })
            .collect();
    }
    let position = |board| {
        let setup = Setup {
            board,
            turn,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    };
    boards.into_iter().filter_map(position).collect()
}
