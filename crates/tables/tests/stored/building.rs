//! Missing tables are built, even while others build.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use errare_core::{Cancel, Fault, FaultKind, Metric, Outcome, Plies, Watch};
use errare_tables::{Check, Extent, Judge, Layout, Store, build, parse_position, statistics};
use shakmaty::Color;

use super::{MEMORY, endgame, prober, store};

/// Builds some metrics of KRK through another store, as another process would, as soon as the work
/// is planned.
struct Meanwhile<'a>(&'a Store, &'a [Metric]);

impl Watch for Meanwhile<'_> {
    fn begin(&self, _stage: &str, _steps: Option<u64>) {
        let other = Store::open(self.0.directory(), 1 << 20);
        build(&other, &[endgame("KRK")], self.1, MEMORY, &()).unwrap();
    }
}

#[test]
fn what_another_process_leaves_out_is_built() {
    use Metric::{Dtc, Dtm, Dtr, Dtz};
    let selections: [&[Metric]; 6] = [
        &[Dtr],
        &[Dtz],
        &[Dtz, Dtr],
        &[Dtc],
        &[Dtm, Dtr],
        &[Dtm, Dtc, Dtz, Dtr],
    ];
    for ours in selections {
        for theirs in selections {
            let directory = tempfile::tempdir().unwrap();
            let store = Store::open(directory.path(), 1 << 20);
            let meanwhile = Meanwhile(&store, theirs);
            build(&store, &[endgame("KRK")], ours, MEMORY, &meanwhile).unwrap();
            for &metric in ours {
                let table = store.table(endgame("KRK"), metric.into()).unwrap();
                assert!(table.is_some(), "{ours:?} {theirs:?}: {metric}");
            }
        }
    }
}

/// All work says so when it is stopped, and a build leaves nothing unfinished behind.
#[test]
fn all_long_work_can_be_stopped() {
    let stop = Cancel::default();
    stop.cancel();
    let directory = tempfile::tempdir().unwrap();
    let fresh = Store::open(directory.path(), 1 << 20);
    let krk = endgame("KRK");
    let built = build(&fresh, &[krk], &[Metric::Dtm], MEMORY, &stop).unwrap_err();
    assert_eq!(built.kind(), FaultKind::Stopped);
    assert!(fresh.list().unwrap().is_empty());
    let leftovers = std::fs::read_dir(directory.path()).into_iter().flatten();
    let partial = |name: &str| name.ends_with(".partial");
    assert!(
        !leftovers
            .flatten()
            .any(|entry| partial(&entry.file_name().to_string_lossy()))
    );

    let kpk = endgame("KPK");
    let counted = statistics(store(), kpk, Metric::Dtm, &stop).unwrap_err();
    assert_eq!(counted.kind(), FaultKind::Stopped);
    for metric in [Metric::Dtm, Metric::Dtr] {
        let check = Check::new(prober(), kpk, metric.into(), None).unwrap();
        assert_eq!(check.run(&stop).unwrap_err().kind(), FaultKind::Stopped);
    }
    let judge = Judge::new(prober().clone(), None);
    let position = parse_position("8/8/8/8/8/2k5/4P3/4K3 w - - 0 1").unwrap();
    let line = judge.line(&position, Metric::Dtm, Extent::Mate, &stop);
    assert_eq!(line.unwrap_err().kind(), FaultKind::Stopped);
}

/// A build reports its progress: its steps add up to what it announced.
#[test]
fn the_steps_of_a_build_add_up() {
    #[derive(Default)]
    struct Steps(AtomicU64, AtomicU64);
    impl Watch for Steps {
        fn begin(&self, _stage: &str, steps: Option<u64>) {
            self.0.store(steps.unwrap(), Relaxed);
        }

        fn advance(&self, steps: u64) {
            self.1.fetch_add(steps, Relaxed);
        }
    }
    let directory = tempfile::tempdir().unwrap();
    let fresh = Store::open(directory.path(), 1 << 20);
    let steps = Steps::default();
    build(&fresh, &[endgame("KPK")], &Metric::ALL, MEMORY, &steps).unwrap();
    let Steps(announced, done) = steps;
    assert!(announced.load(Relaxed) > 0);
    assert_eq!(announced.into_inner(), done.into_inner());
}

/// The format allows depths that no builder produces: they are not misread.
#[test]
fn a_subgame_that_is_too_deep_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1 << 20);
    for subgame in ["KQK", "KRK", "KBK", "KNK"] {
        let positions = Layout::new(endgame(subgame)).unwrap().len();
        let dtm = Metric::Dtm.into();
        let mut writer = store.writer(endgame(subgame), dtm, positions).unwrap();
        let values = vec![Outcome::Win(Plies(257)).into(); positions as usize];
        for turn in Color::ALL {
            writer.append(turn, &values).unwrap();
        }
        writer.finish(false).unwrap();
    }
    let error = build(&store, &[endgame("KPK")], &[Metric::Dtm], MEMORY, &()).unwrap_err();
    let causes = std::error::Error::source(&error).unwrap().to_string();
    assert!(causes.contains("is damaged in its directory"), "{causes}");
}

/// A DTR table that says that DTZ50 has a table of its own needs that one.
#[test]
fn a_lost_table_of_dtz50_is_built_again() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1 << 20);
    let positions = Layout::new(endgame("KRK")).unwrap().len();
    let dtr = Metric::Dtr.into();
    let mut writer = store.writer(endgame("KRK"), dtr, positions).unwrap();
    let values = vec![Outcome::Win(Plies(1)).into(); positions as usize];
    for turn in Color::ALL {
        writer.append(turn, &values).unwrap();
    }
    writer.finish(true).unwrap();
    build(&store, &[endgame("KRK")], &[Metric::Dtr], MEMORY, &()).unwrap();
    let table = store.table(endgame("KRK"), dtr).unwrap().unwrap();
    assert!(!table.description().separate_dtz50);
}
