//! The depths of a position in every metric.

use errare_core::{Metric, Outcome};

use crate::backup::before;

/// The known depths of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depths {
    by_metric: [Option<Outcome>; Metric::ALL.len()],
    /// May DTZ be a ply too small, as in Syzygy files?
    rounded: bool,
}

impl Depths {
    /// The same outcome in every metric: a draw, or mate on the board.
    pub(crate) fn all(outcome: Outcome) -> Depths {
        Depths {
            by_metric: [Some(outcome); Metric::ALL.len()],
            rounded: false,
        }
    }

    /// These outcomes, in the order of [`Metric::ALL`].
    pub(crate) fn known(outcomes: [Outcome; Metric::ALL.len()]) -> Depths {
        Depths {
            by_metric: outcomes.map(Some),
            rounded: false,
        }
    }

    /// DTZ alone, which may have been rounded.
    pub(crate) fn dtz_only(dtz: Outcome, rounded: bool) -> Depths {
        let mut by_metric = [None; Metric::ALL.len()];
        by_metric[Metric::Dtz as usize] = Some(dtz);
        Depths { by_metric, rounded }
    }

    /// The outcome with its depth in a metric, if known.
    pub fn get(&self, metric: Metric) -> Option<Outcome> {
        self.by_metric[metric as usize]
    }

    /// May the depth to a zeroing move be a ply too small, as in Syzygy files?
    pub fn dtz_is_rounded(&self) -> bool {
        self.rounded
    }

    /// The outcome with its depth to a zeroing move, which is always known.
    pub fn dtz(&self) -> Outcome {
        self.get(Metric::Dtz).expect("every source knows it")
    }
}

impl Depths {
    /// The depths for the side that makes a move, given those of the position after it: in DTC a
    /// winning capture is a win in 1 ply, however long the rest may take. DTR does not follow from
    /// them, and must be [set](Depths::set_dtr).
    pub(crate) fn before_move(&self, zeroing: bool, converting: bool) -> Depths {
        let ends_phase = |metric| match metric {
            Metric::Dtm => false,
            Metric::Dtc => converting,
            Metric::Dtz | Metric::Dtr => zeroing,
        };
        let mut depths = *self;
        for metric in Metric::ALL {
            depths.by_metric[metric as usize] = self
                .get(metric)
                .map(|after| before(after, metric, ends_phase(metric)));
        }
        depths
    }

    /// Sets the outcome in DTR.
    pub(crate) fn set_dtr(&mut self, dtr: Outcome) {
        self.by_metric[Metric::Dtr as usize] = Some(dtr);
    }
}
