//! The one watch of the terminal: a bar where somebody looks on, otherwise a line now and then.

use std::{
    fmt,
    io::{self, IsTerminal},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use errare_core::Watch;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::interrupt;

/// The time between two progress lines where standard error is not a terminal.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// Shows long work on standard error and stops it on ctrl-C.
pub(crate) struct Terminal {
    bar: ProgressBar,
    /// The stage to report where there is no terminal.
    lines: Option<Mutex<Stage>>,
    done: AtomicU64,
}

/// The stage that lines are about.
#[derive(Debug)]
struct Stage {
    name: String,
    steps: Option<u64>,
    detail: String,
    begun: Instant,
    told: Instant,
}

impl Terminal {
    /// A watch that has nothing to show yet.
    pub(crate) fn new() -> Terminal {
        let lines = (!io::stderr().is_terminal()).then(|| {
            Mutex::new(Stage {
                name: String::new(),
                steps: None,
                detail: String::new(),
                begun: Instant::now(),
                told: Instant::now(),
            })
        });
        Terminal {
            bar: ProgressBar::no_length(),
            lines,
            done: AtomicU64::new(0),
        }
    }

    /// Reports progress if there is no bar and the last report is a while ago.
    fn tell_now_and_then(&self, detail: Option<&str>) {
        // If another thread is reporting, its report is enough.
        if let Some(lines) = &self.lines
            && let Ok(mut line) = lines.try_lock()
            && line.told.elapsed() >= NOW_AND_THEN
        {
            if let Some(detail) = detail {
                detail.clone_into(&mut line.detail);
            }
            let elapsed = line.begun.elapsed();
            talk!("{}", Told(&line, self.done.load(Relaxed), elapsed));
            line.told = Instant::now();
        }
    }

    /// Takes the bar away, as the work is done.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Does something, such as printing, while the bar is out of the way.
    pub(crate) fn suspend<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }
}

/// Does work under a watch that is removed when the work ends.
pub(crate) fn watched<T>(work: impl FnOnce(&dyn Watch) -> T) -> T {
    work(&Terminal::new())
}

impl Watch for Terminal {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        interrupt::defer();
        self.done.store(0, Relaxed);
        if let Some(lines) = &self.lines {
            let mut line = lines.lock().unwrap_or_else(PoisonError::into_inner);
            line.name = stage.to_owned();
            line.steps = steps;
            line.detail.clear();
            line.begun = Instant::now();
            return;
        }
        self.bar.set_style(style(steps.is_some()));
        self.bar.reset();
        match steps {
            Some(steps) => self.bar.set_length(steps),
            None => self.bar.unset_length(),
        }
        self.bar.set_message(stage.to_owned());
        self.bar.set_prefix("");
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
        self.bar.inc(steps);
        self.tell_now_and_then(None);
    }

    fn detail(&self, what: &str) {
        match &self.lines {
            Some(_) => self.tell_now_and_then(Some(what)),
            None => self.bar.set_prefix(what.to_owned()),
        }
    }

    fn tell(&self, message: &str) {
        self.suspend(|| talk!("{message}"));
    }

    fn is_stopped(&self) -> bool {
        interrupt::requested()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.clear();
        interrupt::allow();
    }
}

/// "building tables: 12 %, 1,200 of 10,000, 3 minutes left, KQKR dtc, ply 17".
struct Told<'a>(&'a Stage, u64, Duration);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Told(
            Stage {
                name,
                steps,
                detail,
                ..
            },
            done,
            elapsed,
        ) = self;
        let count = HumanCount(*done);
        match steps {
            Some(steps @ 1..) => {
                let share = *done as f64 / *steps as f64;
                let percent = 100.0 * share;
                let all = HumanCount(*steps);
                write!(f, "{name}: {percent:.0} %, {count} of {all}")?;
                if (1..*steps).contains(done) {
                    let left = elapsed.mul_f64((1.0 - share) / share);
                    write!(f, ", {} left", HumanDuration(left))?;
                }
            }
            _ => write!(f, "{name}: {count}")?,
        }
        match detail.as_str() {
            "" => Ok(()),
            detail => write!(f, ", {detail}"),
        }
    }
}

fn style(bounded: bool) -> ProgressStyle {
    let template = match bounded {
        true => "{msg} {wide_bar} {human_pos} of {human_len}{left} {prefix}",
        false => "{msg} {spinner} {human_pos} {prefix}",
    };
    ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key("left", time_left)
}

/// The time that is left, as soon as there is something to tell it from.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_how_far_the_work_is() {
        let stage = |steps| Stage {
            name: "building tables".to_owned(),
            steps,
            detail: String::new(),
            begun: Instant::now(),
            told: Instant::now(),
        };
        let told = |steps, done| Told(&stage(steps), done, Duration::from_secs(24)).to_string();
        assert_eq!(
            told(Some(10_000), 1_200),
            "building tables: 12 %, 1,200 of 10,000, 3 minutes left"
        );
        assert_eq!(
            told(Some(10_000), 10_000),
            "building tables: 100 %, 10,000 of 10,000"
        );
        assert_eq!(told(None, 7), "building tables: 7");
        assert_eq!(told(Some(0), 0), "building tables: 0");
    }
}
