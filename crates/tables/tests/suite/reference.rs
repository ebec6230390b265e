//! Agreement with published tables and statistics.
//!
//! They are no part of this project. The environment variable `ERRARE_REFERENCE` names a directory
//! with
//!
//! - `syzygy/`: Syzygy files,
//! - `syzygy-histograms.tsv`: the statistics published with them, as endgame, side to move, class
//!   (`win`, `lose`: at a ply; `wins`, `draws`, `losses`, `cursed wins`, `cursed losses`: in all),
//!   ply, positions,
//! - `max-dtm.tsv`: endgame, longest mates of White to move and of Black to move, in moves, in the
//!   first, second and fourth column.
//!
//! Without it these tests check nothing and say so. What needs Python to read, Gaviota's DTM, is
//! held against the tables by `tests/reference/gaviota.py`.

use std::{
    collections::HashMap,
    env, fs,
    hash::Hash,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Mutex,
};

use errare_core::{Army, Material, Metric, Outcome, Plies};
use rayon::prelude::*;
use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, fen::Fen};
use shakmaty_syzygy::Tablebase;

use crate::twin::{self, Depths, Twin};

/// The number of men of the endgames that are checked.
const MEN: RangeInclusive<usize> = 3..=3;

const HISTOGRAMS: &str = "syzygy-histograms.tsv";

/// The outcomes that are checked.
fn outcomes() -> impl Fn(&Chess, Metric) -> Outcome + Sync {
    let twin = Mutex::new(Twin::new());
    move |position, metric| twin.lock().unwrap().depths(position).outcome(metric)
}

/// The directory of the references.
fn reference() -> Option<PathBuf> {
    let directory = env::var_os("ERRARE_REFERENCE");
    if directory.is_none() {
        eprintln!("skipped: ERRARE_REFERENCE does not name the directory of the references");
    }
    directory.map(PathBuf::from)
}

/// The endgame of a row, and its other columns.
type Row = (Material, Vec<String>);

/// The rows of a file of tab-separated values whose endgame has so many men.
fn rows(file: &Path, men: RangeInclusive<usize>) -> Vec<Row> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let mut columns = line.split('\t').map(str::to_owned);
        let endgame: Material = columns.next().unwrap().parse().unwrap();
        (endgame, columns.collect())
    });
    rows.filter(|(endgame, _)| men.contains(&endgame.men()))
        .collect()
}

fn syzygy(reference: &Path) -> Tablebase<Chess> {
    let mut syzygy = Tablebase::new();
    syzygy.add_directory(reference.join("syzygy")).unwrap();
    syzygy
}

fn assert_outcome(syzygy: &Tablebase<Chess>, position: &Chess, outcome: Outcome) {
    let published = syzygy.probe_wdl_after_zeroing(position).unwrap();
    let fen = || Fen::from_position(position, EnPassantMode::Legal);
    assert_eq!(outcome.sign(), published.signum(), "{}", fen());
}

#[test]
fn every_position_is_won_drawn_or_lost_as_in_syzygy_files() {
    let Some(reference) = reference() else { return };
    let syzygy = syzygy(&reference);
    let outcome = outcomes();
    let endgames = MEN.flat_map(Material::all).par_bridge();
    endgames.for_each(|endgame| {
        let en_passant = twin::en_passant_positions(endgame);
        for position in twin::positions(endgame).chain(en_passant) {
            assert_outcome(&syzygy, &position, outcome(&position, Metric::Dtm));
        }
    });
}

#[test]
fn the_longest_mates_are_as_published() {
    let Some(reference) = reference() else { return };
    let outcome = outcomes();
    for (endgame, columns) in rows(&reference.join("max-dtm.tsv"), MEN) {
        let mut longest = [0, 0];
        for position in twin::positions(endgame) {
            if let win @ Outcome::Win(_) = outcome(&position, Metric::Dtm) {
                let moves = win.moves().expect("a win has a depth").0;
                let longest = &mut longest[position.turn().fold_wb(0, 1)];
                *longest = moves.max(*longest);
            }
        }
        let published = [&columns[0], &columns[2]].map(|moves| moves.parse().unwrap());
        assert_eq!(longest, published, "{endgame}");
    }
}

/// Numbers of positions by side to move and DTZ.
type Histogram = HashMap<(Color, Outcome), u64>;
/// Numbers of positions by side to move and 1 for a win, 0 for a draw, -1 for a loss.
type Totals = HashMap<(Color, i32), u64>;

#[test]
fn histograms_of_dtz_are_as_published() {
    let Some(reference) = reference() else { return };
    let outcome = outcomes();
    let rows = rows(&reference.join(HISTOGRAMS), MEN);
    for rows in rows.chunk_by(|(one, _), (other, _)| one == other) {
        assert_histogram(rows, |position| outcome(position, Metric::Dtz));
    }
}

/// The twin alone would take long to solve this endgame, the only one of four men with captures en
/// passant; for DTZ it is enough to know which subgames are won, drawn or lost.
#[test]
fn the_twin_knows_en_passant() {
    let Some(reference) = reference() else { return };
    let endgame: Material = "KPKP".parse().unwrap();
    let subgames = syzygy(&reference);
    let mut twin = Twin::given(move |position| {
        let is_subgame = Material::of(position.board()).0 != endgame;
        is_subgame.then(|| {
            let published = subgames.probe_wdl_after_zeroing(position).unwrap();
            Depths::new(|_| match published.signum() {
                1 => Outcome::Win(Plies(1)),
                0 => Outcome::Draw,
                _ => Outcome::Loss(Plies(0)),
            })
        })
    });
    let rows = rows(&reference.join(HISTOGRAMS), 4..=4);
    let rows = rows
        .chunk_by(|(one, _), (other, _)| one == other)
        .find(|rows| rows[0].0 == endgame)
        .expect("there is a histogram");
    assert_histogram(rows, |position| twin.depths(position).outcome(Metric::Dtz));
    let syzygy = syzygy(&reference);
    for position in twin::en_passant_positions(endgame) {
        assert_outcome(
            &syzygy,
            &position,
            twin.depths(&position).outcome(Metric::Dtz),
        );
    }
}

/// DTZ in the Syzygy statistics is that of the 50-move rule, so where the rule spoils a win (there
/// are cursed ones) the totals alone are compared.
fn assert_histogram(rows: &[Row], mut dtz: impl FnMut(&Chess) -> Outcome) {
    let endgame = rows[0].0;
    let (mut published, mut published_totals) = (Histogram::new(), Totals::new());
    let mut has_cursed = false;
    for (_, columns) in rows {
        let color = Color::from_white(columns[0] == "white");
        let class = columns[1].strip_prefix("cursed ");
        has_cursed |= class.is_some();
        let ply = || Plies(columns[2].parse().unwrap());
        let positions = columns[3].parse().unwrap();
        match class.unwrap_or(&columns[1]) {
            "win" => count(&mut published, (color, Outcome::Win(ply())), positions),
            "lose" => count(&mut published, (color, Outcome::Loss(ply())), positions),
            "wins" => count(&mut published_totals, (color, 1), positions),
            "losses" => count(&mut published_totals, (color, -1), positions),
            "draws" => {
                count(&mut published, (color, Outcome::Draw), positions);
                count(&mut published_totals, (color, 0), positions);
            }
            other => panic!("{endgame}: no class is called {other}"),
        }
    }

    let (mut histogram, mut totals) = (Histogram::new(), Totals::new());
    for position in twin::positions(endgame) {
        let (color, dtz) = (position.turn(), dtz(&position));
        let positions = told_apart(endgame, position.board());
        count(&mut histogram, (color, dtz), positions);
        count(&mut totals, (color, dtz.sign()), positions);
    }
    assert_eq!(totals, published_totals, "{endgame}");
    if !has_cursed {
        assert_eq!(histogram, published, "{endgame}");
    }
}

/// Adds to a count; what there is none of is not listed.
fn count<K: Eq + Hash>(counts: &mut HashMap<K, u64>, key: K, positions: u64) {
    if positions > 0 {
        *counts.entry(key).or_default() += positions;
    }
}

/// How many positions a position up to symmetry stands for in the Syzygy statistics, which count
/// up to symmetry as well but tell like men apart.
///
/// Of a position *P* the board's group of symmetries *G* makes |G| / |S| others, *S* being the
/// symmetries that leave *P* as it is. Naming like men makes *n* positions of each, *n* being the
/// product of the factorials of their numbers. *G* gathers these n |G| / |S| positions in orbits of
/// |G| / |T|, *T* being the symmetries that leave every man where it is: n |T| / |S| orbits.
///
/// Only a reflection in a diagonal leaves a king where it is, and of the two only the one in a1-h8
/// a king that is least among its images. Pawns allow no such reflection.
///
/// Over the full board this is Burnside's lemma: there are n (F + 2 D) / 8 orbits, *F* being the
/// positions of the full board and *D* those with all men on a1-h8; with pawns, n F / 2.
fn told_apart(endgame: Material, board: &Board) -> u64 {
    let names: u64 = Color::ALL
        .into_iter()
        .flat_map(|color| Army::ROLES.map(|role| endgame.army(color).count(role) as u64))
        .map(|like_men| (1..=like_men).product::<u64>())
        .product();
    if endgame.has_pawns() {
        return names;
    }
    let mut reflected = board.clone();
    reflected.flip_diagonal();
    let stabiliser = if reflected == *board { 2 } else { 1 };
    let on_diagonal = board.occupied().is_subset(DIAGONAL);
    let stabiliser_of_men = if on_diagonal { 2 } else { 1 };
    names * stabiliser_of_men / stabiliser
}

/// The squares from a1 to h8.
const DIAGONAL: Bitboard = Bitboard(0x8040_2010_0804_0201);
