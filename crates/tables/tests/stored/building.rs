//! What is missing is built, whoever else builds.

use errare_core::{Metric, Outcome, Plies};
use errare_tables::{Layout, Observer, Store, Task, build};
use shakmaty::Color;

use super::{MEMORY, endgame};

/// Builds some metrics of KRK by way of another store, as another process would, as soon as the work
/// is planned.
struct Meanwhile<'a>(&'a Store, &'a [Metric]);

impl Observer for Meanwhile<'_> {
    fn planned(&self, _tasks: &[Task]) {
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

/// The format holds depths that no builder makes: they are not taken for others.
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
