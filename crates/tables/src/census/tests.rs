//! The census against plain move generation and probing, position by position.

use std::sync::LazyLock;

use errare_core::{Material, Metric, Outcome};
use rayon::prelude::*;
use shakmaty::{Board, Chess, Color, Move, Position};

use super::*;
use crate::{Prober, Value, build, probe::after};

/// Tables that all tests share.
static TABLES: LazyLock<Prober> =
    LazyLock::new(|| Prober::new(Store::open(errare_testing::shared_tables(), 64 << 20)));

/// A number for every destination.
fn number(to: Destination) -> u16 {
    let step = match to.step {
        CensusStep::Quiet => 0,
        CensusStep::Push => 1,
        CensusStep::Conversion => 2,
    };
    Value::from(to.after).to_bits() * 8 + step * 2 + u16::from(to.stalemate)
}

/// A stored position as the census reports it.
struct Counted {
    index: u32,
    weight: u32,
    outcome: Outcome,
    moves: Vec<(u16, Option<u64>)>,
}

fn destination(prober: &Prober, position: &Chess, m: Move, metric: Metric) -> Destination {
    let next = after(position, m);
    let step = match () {
        () if m.is_capture() || m.is_promotion() => CensusStep::Conversion,
        () if m.is_zeroing() => CensusStep::Push,
        () => CensusStep::Quiet,
    };
    Destination {
        after: prober.outcome(&next, metric).unwrap(),
        step,
        stalemate: step != CensusStep::Conversion && next.is_stalemate(),
    }
}

/// Compares every `step`th stored position, and the sum of all weights with the statistics.
fn compare(name: &str, metric: Metric, step: usize) {
    let endgame: Material = name.parse().unwrap();
    let prober = &*TABLES;
    let store = prober.store();
    build(store, &[endgame], &[metric], 2 << 30, &()).unwrap();
    let statistics = crate::statistics(store, endgame, metric, &()).unwrap();
    for turn in Color::ALL {
        let census = Census::new(store, endgame, metric, turn, number).unwrap();
        let census = census.with_successors();
        let layout = &census.scan.layout;
        let class = |index: u32| layout.class(index.into());
        let add = |all: &mut (u64, Vec<Counted>), choice: &CensusEntry<'_>| {
            all.0 += u64::from(choice.weight);
            if (choice.index as usize).is_multiple_of(step) {
                let successors = choice.successors.iter();
                let successor =
                    |&s: &Successor| (s != Successor::ELSEWHERE).then(|| class(s.index()));
                let kinds = choice.kinds.iter().copied();
                let mut moves: Vec<_> = kinds.zip(successors.map(successor)).collect();
                moves.sort_unstable();
                all.1.push(Counted {
                    index: choice.index,
                    weight: choice.weight,
                    outcome: choice.outcome,
                    moves,
                });
            }
        };
        let merge = |all: &mut (u64, Vec<Counted>), part: (u64, Vec<Counted>)| {
            all.0 += part.0;
            all.1.extend(part.1);
        };
        let (weights, counted) = census.fold(&(), Default::default, add, merge).unwrap();
        let side = turn.fold_wb(&statistics.white, &statistics.black);
        assert_eq!(weights, side.legal, "{name} {metric} {turn}");
        assert!(counted.len() > 1000 && counted.is_sorted_by_key(|counted| counted.index));
        counted.par_iter().for_each(|counted| {
            let place = layout.place_at(counted.index.into());
            let position = census.scan.position(place, turn);
            let mut moves: Vec<_> = position
                .legal_moves()
                .iter()
                .map(|&m| {
                    let to = destination(prober, &position, m, metric);
                    let next = after(&position, m);
                    let stays = to.step != CensusStep::Conversion
                        && next.ep_square(shakmaty::EnPassantMode::Legal).is_none();
                    let successor = stays.then(|| layout.class(census.scan.index(&next)));
                    (number(to), successor)
                })
                .collect();
            moves.sort_unstable();
            assert_eq!(counted.moves, moves, "{name} {metric} {position:?}");
            let (found, symmetry) = census.locate(position.board(), false).unwrap();
            assert_eq!(class(found), class(counted.index));
            let moved = position
                .board()
                .clone()
                .into_iter()
                .map(|(square, piece)| (symmetry.image(square), piece));
            assert_eq!(moved.collect::<Board>(), *census.position(found).board());
            assert_eq!(counted.outcome, prober.outcome(&position, metric).unwrap());
            let reflected = layout.stores_reflections(place.slice, place.pair);
            let weight = layout.symmetries() / if reflected { 2 } else { 1 };
            assert_eq!(u64::from(counted.weight), weight);
        });
    }
}

#[test]
fn three_men_in_every_metric() {
    for metric in Metric::ALL {
        compare("KQK", metric, 1);
        compare("KPK", metric, 1);
    }
}

#[test]
fn pieces_against_each_other() {
    for metric in Metric::ALL {
        compare("KQKR", metric, 97);
    }
    compare("KQKR", Metric::Dtc, 13);
    compare("KRRK", Metric::Dtc, 7);
    compare("KNNKN", Metric::Dtc, 997);
}

#[test]
fn like_men() {
    compare("KBBK", Metric::Dtm, 11);
    compare("KPPK", Metric::Dtc, 11);
    compare("KNNNK", Metric::Dtc, 997);
}

#[test]
fn pawns_of_both_sides() {
    compare("KPKP", Metric::Dtc, 53);
    compare("KPKP", Metric::Dtr, 997);
    compare("KRKP", Metric::Dtz, 53);
}

/// The census reports only the included positions, in the same order.
#[test]
fn some_outcomes() {
    let endgame: Material = "KQKR".parse().unwrap();
    let prober = &*TABLES;
    build(prober.store(), &[endgame], &[Metric::Dtc], 1 << 30, &()).unwrap();
    let count = |wanted: fn(Outcome) -> bool| {
        Census::new(prober.store(), endgame, Metric::Dtc, Color::White, number)
            .unwrap()
            .only(wanted)
            .fold(
                &(),
                || 0,
                |count, choice| {
                    assert!(wanted(choice.outcome) && choice.successors.is_empty());
                    *count += u64::from(choice.weight);
                },
                |count, part| *count += part,
            )
            .unwrap()
    };
    // Haworth & Andrist's KQKR: 8,863,768 wins of White on the full board.
    assert_eq!(count(|outcome| outcome.sign() > 0), 8_863_768);
    assert_eq!(count(|_| false), 0);
}
