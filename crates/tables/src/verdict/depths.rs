//! The depths of a position in every metric.

use std::collections::BTreeMap;

use errare_core::{Metric, Outcome};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::backup::before;

/// What is known of a position's depths, for the side to move.
///
/// Serialized as in lila-tablebase, in signed plies (positive for a win, negative for a loss, 0 for
/// a draw and for checkmate, null if unknown), with `dtr` and, in moves, `moves_to` besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Depths {
    by_metric: [Option<Outcome>; Metric::ALL.len()],
    /// Whether DTZ may be a ply too small, as in Syzygy files.
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

    /// The outcome in each metric, looked up.
    pub(crate) fn probe<E>(
        mut outcome: impl FnMut(Metric) -> Result<Outcome, E>,
    ) -> Result<Depths, E> {
        let mut depths = Depths::all(Outcome::Draw);
        for metric in Metric::ALL {
            depths.by_metric[metric as usize] = Some(outcome(metric)?);
        }
        Ok(depths)
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

    /// The outcome with its depth to a zeroing move, which is always known.
    pub fn dtz(&self) -> Outcome {
        self.get(Metric::Dtz).expect("every source knows it")
    }
}

impl Depths {
    /// The depths for the side that makes a move, from those of the position after it: in DTC a
    /// winning capture is a win in 1 ply, however long the rest may take. DTR does not follow from
    /// those, and is to be [set](Depths::set_dtr).
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

    /// The outcome in DTR.
    pub(crate) fn set_dtr(&mut self, dtr: Outcome) {
        self.by_metric[Metric::Dtr as usize] = Some(dtr);
    }
}

impl Serialize for Depths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let plies = |metric| self.get(metric).map(Outcome::signed_plies);
        let moves = |metric| {
            self.get(metric)
                .and_then(|outcome| outcome.moves_in(metric))
        };
        let moves_to: BTreeMap<Metric, _> = Metric::ALL
            .into_iter()
            .map(|metric| (metric, moves(metric)))
            .collect();
        let precise_dtz = plies(Metric::Dtz).filter(|_| !self.rounded);
        let mut fields = serializer.serialize_struct("Depths", 7)?;
        fields.serialize_field("dtz", &plies(Metric::Dtz))?;
        fields.serialize_field("precise_dtz", &precise_dtz)?;
        fields.serialize_field("dtc", &plies(Metric::Dtc))?;
        fields.serialize_field("dtm", &plies(Metric::Dtm))?;
        fields.serialize_field("dtw", &None::<i32>)?;
        fields.serialize_field("dtr", &plies(Metric::Dtr))?;
        fields.serialize_field("moves_to", &moves_to)?;
        fields.end()
    }
}
