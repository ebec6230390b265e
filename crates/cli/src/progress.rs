//! The progress of a build, on a terminal's standard error.

use std::{
    fmt,
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use errare_core::Material;
use errare_tables::{Observer, Progress, Report, Task};
use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::{interrupt, words};

/// A bar over everything that is to be built; it stops the work when ctrl-C was pressed.
pub(crate) struct Bar<F> {
    bar: ProgressBar,
    /// Is told of each table that is finished, while the bar is hidden.
    told: F,
    /// Values of the tasks that are done.
    done: AtomicU64,
}

impl<F: Fn(&Report) + Sync> Bar<F> {
    /// A bar that shows itself only on a terminal, and only when there is something to build.
    pub(crate) fn new(told: F) -> Bar<F> {
        let style = ProgressStyle::with_template(
            "{prefix} {msg} {wide_bar} {human_pos} of {human_len}{left}",
        )
        .expect("the template is well formed")
        .with_key("left", time_left);
        Bar {
            bar: ProgressBar::no_length().with_style(style),
            told,
            done: AtomicU64::new(0),
        }
    }
}

impl<F: Fn(&Report) + Sync> Observer for Bar<F> {
    fn planned(&self, tasks: &[Task]) {
        let Some(memory) = tasks.iter().map(|task| task.memory).max() else {
            return;
        };
        let tables: usize = tasks.iter().map(|task| task.layers.len()).sum();
        let positions = tasks.iter().map(|task| task.values).sum();
        talk!(
            "building up to {} with {}, using up to {} of memory",
            words::counted(tables as u64, "table", "tables"),
            words::counted(positions, "position", "positions"),
            HumanBytes(memory),
        );
        self.bar.set_length(positions);
    }

    fn begin(&self, task: &Task, step: usize, steps: usize) {
        interrupt::defer();
        self.bar
            .set_prefix(format!("{} ({}/{steps})", task.material, step + 1));
        // A task that another process did leaves a gap, and a layer may be left out.
        self.bar
            .set_position(self.done.fetch_add(task.values, Relaxed));
    }

    fn ply(&self, progress: Progress) -> ControlFlow<()> {
        if interrupt::requested() {
            return ControlFlow::Break(());
        }
        self.bar
            .set_message(format!("{}, ply {}", progress.layer, progress.ply));
        ControlFlow::Continue(())
    }

    fn stored(&self, positions: u64) {
        self.bar.inc(positions);
    }

    fn waiting(&self, material: Material) {
        let message = format!("waiting for another process that builds {material}");
        if self.bar.is_hidden() {
            talk!("{message}");
        }
        self.bar.set_message(message);
    }

    fn built(&self, report: &Report) {
        interrupt::allow();
        self.bar.suspend(|| (self.told)(report));
    }
}

/// The time that is left, as soon as there is something to tell it from: without pawns the values of an
/// endgame are all stored at its end.
fn time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl<F> Drop for Bar<F> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
