//! Compares our verdicts with those of Syzygy tables, if available.

use std::{env, path::Path};

use errare_core::Metric;

use super::{Authority, Category, judge::by_syzygy};
use crate::{Judge, Prober, Store, Syzygy, build, parse_position};

/// `ERRARE_REFERENCE` names a directory with Syzygy's three-man tables in `syzygy`.
#[test]
fn syzygy_tables_agree() {
    let Some(reference) = env::var_os("ERRARE_REFERENCE") else {
        errare_testing::skip("ERRARE_REFERENCE is not set");
        return;
    };
    let syzygy = Syzygy::open([Path::new(&reference).join("syzygy")]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1 << 20);
    build(
        &store,
        &["KPK".parse().unwrap()],
        &Metric::ALL,
        1 << 30,
        &(),
    )
    .unwrap();
    let judge = Judge::new(Prober::new(store), None);
    for fen in [
        "8/3P4/8/3K4/8/8/8/k7 w - - 0 1",
        "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1",
        "k7/8/K7/P7/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/2k5/7Q/K7 w - - 0 1",
        "8/8/8/8/8/2k5/7Q/K7 w - - 95 80",
        "7k/5KQ1/8/8/8/8/8/8 b - - 3 1",
    ] {
        let position = parse_position(fen).unwrap();
        let ours = judge.verdict(&position, Metric::Dtz, &()).unwrap();
        let theirs = by_syzygy(&syzygy, &position).unwrap();
        assert_eq!(theirs.source, Authority::Syzygy);
        assert_eq!(ours.position.category, theirs.position.category, "{fen}");
        assert_eq!(ours.moves.len(), theirs.moves.len());
        for m in &ours.moves {
            let same = theirs
                .moves
                .iter()
                .find(|other| other.r#move == m.r#move)
                .unwrap();
            assert_eq!(m.after.category, same.after.category, "{fen} {}", m.san);
            let [dtz, other] = [m, same].map(|m| m.after.depths.dtz().signed_plies());
            assert!(dtz.abs_diff(other) <= 1, "{fen} {}: {dtz} {other}", m.san);
        }
    }

    // Mate on the last ply that counts, if the depth was not rounded.
    let last = parse_position("7k/8/5K2/6Q1/8/8/8/8 w - - 99 80").unwrap();
    let ours = judge.verdict(&last, Metric::Dtz, &()).unwrap().position;
    assert_eq!(ours.category, Category::Win);
    let theirs = by_syzygy(&syzygy, &last).unwrap().position;
    assert_eq!(theirs.category, Category::MaybeWin);
}
