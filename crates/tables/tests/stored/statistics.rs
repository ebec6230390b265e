//! Statistics against published numbers.

use std::collections::HashMap;

use errare_core::{Metric, Moves, Plies};
use errare_tables::{Layer, Scan, SideStatistics, Statistics, Store, statistics};
use shakmaty::{Color, Position};

use super::{endgame, store};

fn of(name: &str, metric: Metric) -> Statistics {
    statistics(store(), endgame(name), metric, &()).unwrap()
}

/// The maxima of Haworth & Andrist (2004), and the two positions of greatest depth from which
/// Browne played against BELLE.
#[test]
fn kqkr_to_conversion() {
    let Statistics { white, black, .. } = of("KQKR", Metric::Dtc);
    let deepest = white.deepest_win.unwrap();
    assert_eq!((deepest.plies, deepest.moves), (Plies(61), Moves(31)));
    assert_eq!(deepest.positions, 16);
    assert_eq!(white.unique.win_plies[&Plies(61)], 2);
    assert_eq!(black.deepest_win.unwrap().moves, Moves(3));
    assert_eq!(white.wins, 8_863_768);
    assert_eq!(white.unique.wins, 1_108_111);
}

/// Mutual zugzwangs as published with other people's tables. Colours are distinguished in all but
/// KPKP.
#[test]
fn mutual_zugzwangs() {
    for (name, zugzwangs) in [("KPK", 80), ("KQK", 0), ("KRKN", 18), ("KPKP", 121)] {
        let Statistics { white, black, .. } = of(name, Metric::Dtz);
        assert_eq!(white.mutual_zugzwangs, zugzwangs, "{name}");
        assert_eq!(black.mutual_zugzwangs, zugzwangs, "{name}");
    }
}

/// Quantities counted in several ways have equal sums.
#[test]
fn counts_agree_with_each_other() {
    for name in ["KPK", "KQK", "KRKN"] {
        for metric in Metric::ALL {
            let Statistics { white, black, .. } = of(name, metric);
            for side in [white, black] {
                assert_eq!(side.legal, side.wins + side.draws + side.losses);
                assert_eq!(side.wins, side.win_depths.values().sum::<u64>());
                assert_eq!(side.losses, side.loss_depths.values().sum::<u64>());
                let unique = side.unique;
                assert_eq!(unique.wins, unique.win_plies.values().sum::<u64>());
                assert_eq!(unique.losses, unique.loss_plies.values().sum::<u64>());
                let deepest = side.win_depths.keys().last().copied();
                assert_eq!(side.deepest_win.map(|deepest| deepest.moves), deepest);
            }
        }
    }
}

/// Positions listed one by one are those counted up to symmetry.
#[test]
fn listed_positions_are_the_unique_ones() {
    for name in ["KPK", "KQK", "KBK", "KRKN"] {
        let scan = Scan::new(store(), endgame(name), Layer::Metric(Metric::Dtm)).unwrap();
        let mut counts = HashMap::new();
        for listed in scan.positions() {
            let (position, outcome) = listed.unwrap();
            *counts.entry((position.turn(), outcome.sign())).or_insert(0) += 1;
        }
        let Statistics { white, black, .. } = of(name, Metric::Dtm);
        let listed = |turn, sign| counts.get(&(turn, sign)).copied().unwrap_or(0);
        let assert_listed = |turn: Color, side: &SideStatistics| {
            let unique = &side.unique;
            assert_eq!(listed(turn, 1), unique.wins, "{name} {turn}");
            assert_eq!(listed(turn, 0), unique.draws, "{name} {turn}");
            assert_eq!(listed(turn, -1), unique.losses, "{name} {turn}");
        };
        assert_listed(Color::White, &white);
        assert_listed(Color::Black, &black);
    }
}

#[test]
fn a_missing_table_has_no_statistics() {
    let directory = tempfile::tempdir().unwrap();
    let empty = Store::open(directory.path(), 1 << 20);
    let error = statistics(&empty, endgame("KRRK"), Metric::Dtm, &()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with("there is no dtm table of KRRK in "),
        "{message}"
    );
}
