//! Progress on standard error: a bar at a terminal, otherwise an occasional line.

use std::{
    fmt,
    io::{self, IsTerminal},
};

use errare_core::Watch;
use errare_report::progress::ProgressLines;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::interrupt;

/// Shows long work on standard error and stops it on ctrl-C.
pub(crate) struct Terminal {
    bar: ProgressBar,
    /// What is printed when there is no terminal.
    lines: Option<ProgressLines>,
}

impl Terminal {
    /// A watch with nothing to show yet.
    pub(crate) fn new() -> Terminal {
        let is_seen = io::stderr().is_terminal();
        Terminal {
            bar: ProgressBar::no_length(),
            lines: (!is_seen).then(|| ProgressLines::new(|line| talk!("{line}"))),
        }
    }

    /// Removes the bar when the work is done.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Hides the bar while `act` runs, for example to print.
    pub(crate) fn suspend<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }
}

/// Runs work under a watch that is removed at the end.
pub(crate) fn watched<T>(work: impl FnOnce(&dyn Watch) -> T) -> T {
    work(&Terminal::new())
}

impl Watch for Terminal {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        interrupt::defer();
        if let Some(lines) = &self.lines {
            return lines.begin(stage, steps);
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
        match &self.lines {
            Some(lines) => lines.advance(steps),
            None => self.bar.inc(steps),
        }
    }

    fn detail(&self, what: &str) {
        match &self.lines {
            Some(lines) => lines.detail(what),
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

fn style(bounded: bool) -> ProgressStyle {
    let template = match bounded {
        true => "{msg} {wide_bar} {human_pos} of {human_len}{left} {prefix}",
        false => "{msg} {spinner} {human_pos} {prefix}",
    };
    ProgressStyle::with_template(template)
        .expect("the template is well formed")
        .with_key("left", time_left)
}

/// The time left, once there is enough progress to estimate it.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}
