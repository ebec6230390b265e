//! The progress of long work as lines of text, for log files and pipes, where no bar can be drawn.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use errare_core::{Watch, grouped};

use crate::words;

/// The time between two lines.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// A watch that reports progress now and then.
#[derive(Debug)]
pub struct ProgressLines {
    say: fn(&str),
    stage: Mutex<Stage>,
    done: AtomicU64,
}

/// The stage of the work.
#[derive(Debug)]
struct Stage {
    name: String,
    steps: Option<u64>,
    detail: String,
    begun: Instant,
    told: Instant,
}

impl ProgressLines {
    /// Reports by calling `say` with each line.
    pub fn new(say: fn(&str)) -> ProgressLines {
        let now = Instant::now();
        ProgressLines {
            say,
            stage: Mutex::new(Stage {
                name: String::new(),
                steps: None,
                detail: String::new(),
                begun: now,
                told: now,
            }),
            done: AtomicU64::new(0),
        }
    }

    /// Reports if the last report was a while ago.
    fn tell_now_and_then(&self, detail: Option<&str>) {
        // If another thread is reporting, its report is enough.
        if let Ok(mut stage) = self.stage.try_lock()
            && stage.told.elapsed() >= NOW_AND_THEN
        {
            if let Some(detail) = detail {
                detail.clone_into(&mut stage.detail);
            }
            (self.say)(&stage.line(self.done.load(Relaxed), stage.begun.elapsed()));
            stage.told = Instant::now();
        }
    }
}

impl Watch for ProgressLines {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        let mut current = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.done.store(0, Relaxed);
        stage.clone_into(&mut current.name);
        current.steps = steps;
        current.detail.clear();
        current.begun = Instant::now();
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
        self.tell_now_and_then(None);
    }

    fn detail(&self, what: &str) {
        self.tell_now_and_then(Some(what));
    }

    fn tell(&self, message: &str) {
        (self.say)(message);
    }
}

impl Stage {
    /// "building tables: 12 %, 1,200 of 10,000, 3 minutes left, KQKR dtc, ply 17".
    fn line(&self, done: u64, elapsed: Duration) -> String {
        let mut line = format!("{}: ", self.name);
        if let Some(steps @ 1..) = self.steps {
            let share = done as f64 / steps as f64;
            line += &format!("{:.0} %, ", 100.0 * share);
            line += &format!("{} of {}", grouped(done), grouped(steps));
            if (1..steps).contains(&done) {
                let left = elapsed.mul_f64((1.0 - share) / share);
                line += &format!(", {} left", words::time(left));
            }
        } else {
            line += &grouped(done);
        }
        if !self.detail.is_empty() {
            line += &format!(", {}", self.detail);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_how_far_the_work_is() {
        let line = |steps, done| {
            let lines = ProgressLines::new(|_| ());
            lines.begin("building tables", steps);
            let stage = lines.stage.into_inner().unwrap();
            stage.line(done, Duration::from_secs(24))
        };
        assert_eq!(
            line(Some(10_000), 1_200),
            "building tables: 12 %, 1,200 of 10,000, 3 minutes left"
        );
        assert_eq!(
            line(Some(10_000), 10_000),
            "building tables: 100 %, 10,000 of 10,000"
        );
        assert_eq!(line(None, 7), "building tables: 7");
        assert_eq!(line(Some(0), 0), "building tables: 0");
    }
}
