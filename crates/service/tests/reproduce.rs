//! The short version of the reproduction: everything in the papers that takes seconds.

use std::sync::Mutex;

use errare_core::{Cancel, FaultKind, Watch};
use errare_service::{
    Service, Supply,
    reproduce::{self, Answer, PaperVerdict, Request},
};
use errare_tables::Store;
use errare_testing::assert_round_trip;

fn service(directory: &std::path::Path) -> Service {
    Service {
        tables: Supply::new(Store::open(directory, 64 << 20)).with_memory(3 << 30),
    }
}

/// A watch that notes every stage with more steps done than it has, as in "875 of 874".
#[derive(Default)]
struct Counted {
    stage: Mutex<(String, Option<u64>, u64)>,
    too_far: Mutex<Vec<String>>,
}

impl Watch for Counted {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        *self.stage.lock().unwrap() = (stage.to_owned(), steps, 0);
    }

    fn advance(&self, steps: u64) {
        let mut stage = self.stage.lock().unwrap();
        stage.2 += steps;
        let (name, all, done) = &*stage;
        if let Some(all) = all.filter(|all| done > all) {
            let too_far = format!("{name}: {done} of {all}");
            self.too_far.lock().unwrap().push(too_far);
        }
    }
}

#[test]
fn nothing_in_the_papers_surprises() {
    let directory = tempfile::tempdir().unwrap();
    let service = service(directory.path());
    let request = Request {
        short: true,
        ..Request::default()
    };
    let (mut told, watch) = (0, Counted::default());
    let answer = reproduce::answer(&service, &request, &watch, &mut |_| told += 1).unwrap();
    assert_eq!(told, answer.entries.len());
    assert_eq!(*watch.too_far.lock().unwrap(), [""; 0]);
    let surprises: Vec<_> = answer.surprises().collect();
    assert!(surprises.is_empty(), "{surprises:#?}");
    let equal = |entry: &&reproduce::PaperEntry| entry.verdict == PaperVerdict::Equal;
    assert!(answer.entries.iter().filter(equal).count() >= 50);
    assert_round_trip::<Answer>(&serde_json::to_string(&answer).unwrap());

    // The document has these numbers, digit by digit.
    let document = include_str!("../../../docs/reproduction.md");
    for entry in &answer.entries {
        let name = entry.id[entry.paper.len()..].trim_start_matches('/');
        let computed = entry.computed.as_deref().unwrap_or("-");
        let cells = [&format!("`{name}`"), &entry.claim, &entry.printed, computed];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let row = format!("| {} |", cells.join(" | "));
        assert!(
            document.contains(&row),
            "docs/reproduction.md lacks {row:?}; `errare reproduce --markdown docs/reproduction.md` writes it"
        );
    }

    // Known entries are not computed again.
    let again = Request {
        known: answer.entries.clone(),
        ..request
    };
    let mut told = 0;
    let repeated = reproduce::answer(&service, &again, &(), &mut |_| told += 1).unwrap();
    assert_eq!((told, repeated), (0, answer));
}

#[test]
fn one_place_and_no_such_place() {
    let directory = tempfile::tempdir().unwrap();
    let service = service(directory.path());
    let ask = |id: &str| {
        let request = Request {
            ids: vec![id.to_owned()],
            ..Request::default()
        };
        reproduce::answer(&service, &request, &(), &mut |_| {})
    };
    let one = ask("levene-fenner/example-1/a").unwrap();
    assert_eq!(one.entries.len(), 1);
    assert_eq!(one.entries[0].computed.as_deref(), Some("3691/4096"));
    assert_eq!(ask("levene-fenner/example-2").unwrap().entries.len(), 5);
    for id in reproduce::ids() {
        assert!(id.contains('/'), "{id}");
    }
    let error = ask("levene-fenner/example-9").unwrap_err();
    assert_eq!(error.kind(), FaultKind::BadRequest);
    assert!(error.to_string().contains("levene-fenner/example-1"));

    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = reproduce::answer(&service, &Request::default(), &cancel, &mut |_| {});
    assert_eq!(stopped.unwrap_err().kind(), FaultKind::Stopped);
}
