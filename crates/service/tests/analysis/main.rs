//! Analysis, advice, prediction and random minimaxing, as every face requests them.

mod advise;
mod analyse;
mod minimax;
mod predict;

use std::{
    fmt::Debug,
    path::PathBuf,
    sync::{LazyLock, Mutex},
};

use errare_core::Watch;
use errare_service::{Service, Supply};
use errare_tables::Store;
use serde::{Serialize, de::DeserializeOwned};

/// BB2-12b of Haworth (2002), table 1.
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";

/// The games between Browne and BELLE.
const BROWNE_BELLE: &str = include_str!("../../../endgame/tests/suite/data/browne-belle.pgn");

/// A watch that counts the stages with a known number of steps, and how many of them are done.
#[derive(Default)]
struct Counted(Mutex<[u64; 2]>);

impl Watch for Counted {
    fn begin(&self, _: &str, steps: Option<u64>) {
        self.0.lock().unwrap()[0] += u64::from(steps.is_some());
    }

    fn advance(&self, steps: u64) {
        self.0.lock().unwrap()[1] += steps;
    }
}

/// Asserts that work reports its progress.
#[track_caller]
fn tells_progress<T, E: Debug>(work: impl FnOnce(&dyn Watch) -> Result<T, E>) -> T {
    let counted = Counted::default();
    let answer = work(&counted).unwrap();
    let [stages, steps] = *counted.0.lock().unwrap();
    assert!(stages > 0 && steps > 0, "{stages} stages, {steps} steps");
    answer
}

/// A service with tables that all tests share.
fn service() -> Service {
    static TABLES: LazyLock<PathBuf> = LazyLock::new(errare_testing::shared_tables);
    Service {
        tables: Supply::new(Store::open(&*TABLES, 64 << 20)),
    }
}

/// Asserts that an answer round-trips through JSON, and returns the JSON.
fn round_trip<T: Serialize + DeserializeOwned>(answer: &T) -> serde_json::Value {
    let text = serde_json::to_string(answer).unwrap();
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    serde_json::from_str(&text).unwrap()
}
