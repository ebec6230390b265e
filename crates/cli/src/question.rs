//! What the verbs about positions ask: the positions, the metric, and who may answer.

use std::{env, ffi::OsString, path::PathBuf};

use anyhow::Result;
use clap::Args;
use errare_core::Metric;
use errare_service::Service;

use crate::{options::environment, options::positions::Positions, supply::Supply};

/// Positions and how to judge them.
#[derive(Debug, Args)]
pub(crate) struct Question {
    #[command(flatten)]
    pub(crate) positions: Positions,

    /// The metric in which moves are compared: dtm, dtc, dtz or dtr
    ///
    /// dtm is the depth to mate, dtc to conversion (mate, capture or promotion), dtz to a zeroing
    /// move (mate, capture or pawn move), dtr the least k such that a k-move rule does not spoil
    /// the win. Moves are compared in dtr with the clock of the FEN counted.
    #[arg(long, default_value = "dtc")]
    pub(crate) metric: Metric,

    /// Directory of Syzygy tables for positions with more men than our tables have [default: $ERRARE_SYZYGY]
    ///
    /// Several are separated as in PATH.
    #[arg(long, value_name = "DIR")]
    syzygy: Option<OsString>,

    #[command(flatten)]
    supply: Supply,
}

impl Question {
    /// Directories of Syzygy tables.
    pub(crate) fn syzygy(&self) -> Vec<PathBuf> {
        let named = self.syzygy.clone().filter(|path| !path.is_empty());
        let named = named.or_else(|| environment("ERRARE_SYZYGY"));
        named.map_or_else(Vec::new, |paths| env::split_paths(&paths).collect())
    }

    /// The service that answers.
    pub(crate) fn service(&self) -> Result<Service> {
        self.supply.service()
    }
}
