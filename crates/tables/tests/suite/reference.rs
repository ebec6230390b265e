//! Agreement with published tables and statistics.
//!
//! They are no part of this project. The environment variable `ERRARE_REFERENCE` names a directory
//! with
//!
//! - `syzygy/`: Syzygy files,
//! - `syzygy-histograms.tsv`: the statistics published with them, as endgame, side to move, class
//!   (`win`, `lose`: at a ply; `wins`, `draws`, `losses`, `cursed wins`, `cursed losses`: in all),
//!   ply, positions,
//! - `max-dtm.tsv`: endgame, greatest depth to mate of White to move and of Black to move, in moves,
//!   in the first, second and fourth column.
//!
//! Without it these tests check nothing and say so.

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

use crate::twin::{self, Twin};

/// The number of men of the endgames that are checked.
const MEN: RangeInclusive<usize> = 3..=3;

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

/// The rows of a file of tab-separated values that concern an endgame of [`MEN`] men, which the
/// first column names.
fn rows(file: &Path) -> Vec<(Material, Vec<String>)> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let mut columns = line.split('\t').map(str::to_owned);
        let endgame: Material = columns.next().unwrap().parse().unwrap();
        (endgame, columns.collect())
    });
    rows.filter(|(endgame, _)| MEN.contains(&endgame.men()))
        .collect()
}

#[test]
fn every_position_is_won_drawn_or_lost_as_in_syzygy_files() {
    let Some(reference) = reference() else { return };
    let mut syzygy = Tablebase::new();
    syzygy.add_directory(reference.join("syzygy")).unwrap();
    let outcome = outcomes();
    MEN.flat_map(Material::all)
        .par_bridge()
        .for_each(|endgame| {
            let en_passant = twin::en_passant_positions(endgame);
            for position in twin::positions(endgame).chain(en_passant) {
                let published = syzygy.probe_wdl_after_zeroing(&position).unwrap();
                assert_eq!(
                    outcome(&position, Metric::Dtm).sign(),
                    published.signum(),
                    "{}",
                    Fen::from_position(&position, EnPassantMode::Legal)
                );
            }
        });
}

#[test]
fn the_longest_mates_are_as_published() {
    let Some(reference) = reference() else { return };
    let outcome = outcomes();
    for (endgame, columns) in rows(&reference.join("max-dtm.tsv")) {
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

/// DTZ in the Syzygy statistics is that of the 50-move rule, so where the rule spoils a win (there
/// are cursed ones) the totals alone are compared.
#[test]
fn histograms_of_dtz_are_as_published() {
    let Some(reference) = reference() else { return };
    let outcome = outcomes();
    let rows = rows(&reference.join("syzygy-histograms.tsv"));
    for rows in rows.chunk_by(|(one, _), (other, _)| one == other) {
        let endgame = rows[0].0;
        let mut published = (Histogram::new(), Totals::new());
        let mut has_cursed = false;
        for (_, columns) in rows {
            let color = if columns[0] == "white" {
                Color::White
            } else {
                Color::Black
            };
            let class = columns[1].strip_prefix("cursed ");
            has_cursed |= class.is_some();
            let ply = || Plies(columns[2].parse().unwrap());
            let positions: u64 = columns[3].parse().unwrap();
            match class.unwrap_or(&columns[1]) {
                "win" => count(&mut published.0, (color, Outcome::Win(ply())), positions),
                "lose" => count(&mut published.0, (color, Outcome::Loss(ply())), positions),
                "wins" => count(&mut published.1, (color, 1), positions),
                "draws" => {
                    count(&mut published.0, (color, Outcome::Draw), positions);
                    count(&mut published.1, (color, 0), positions);
                }
                "losses" => count(&mut published.1, (color, -1), positions),
                other => panic!("{endgame}: no class is called {other}"),
            }
        }

        let (mut histogram, mut totals) = (Histogram::new(), Totals::new());
        for position in twin::positions(endgame) {
            let (color, outcome) = (position.turn(), outcome(&position, Metric::Dtz));
            let positions = told_apart(endgame, position.board());
            count(&mut histogram, (color, outcome), positions);
            count(&mut totals, (color, outcome.sign()), positions);
        }
        assert_eq!(totals, published.1, "{endgame}");
        if !has_cursed {
            assert_eq!(histogram, published.0, "{endgame}");
        }
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
/// Over the full board this is Burnside's lemma: the orbits are n (F + 2 D) / 8, where *F* positions
/// are on the board and *D* of them have all men on a1-h8; with pawns they are n F / 2.
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
