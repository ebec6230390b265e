//! Resources shared by computations: tables, positions, games.

use errare_core::{Material, Metric, Watch, parse_position};
use errare_endgame::Oracle;
use shakmaty::Chess;

use super::Ratings;
use crate::{Error, Service};

/// The two positions of depth 31 in KQKR, from which Browne played BELLE.
pub(super) const STARTS: [&str; 2] = [
    "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1",
    "2KQ4/8/8/8/2r5/2k5/8/8 w - - 0 1",
];

/// Seed of every random experiment.
pub(super) const SEED: u64 = 2002;

/// The resources of a computation.
pub(super) struct Lab<'a> {
    pub(super) service: &'a Service,
    pub(super) watch: &'a dyn Watch,
    /// Further games, as PGN.
    pub(super) games: Option<String>,
    /// Games to evaluate, as files.
    pub(super) ratings: Option<Ratings>,
}

impl Lab<'_> {
    /// A watch for work within an entry: it can be stopped, but the progress shown is that of the entries.
    pub(super) fn quiet(&self) -> Quiet<'_> {
        Quiet(self.watch)
    }

    /// An oracle for an endgame, whose tables are built if necessary.
    pub(super) fn oracle(&self, endgame: &str, metric: Metric) -> Result<Oracle, Error> {
        // Ties may be broken by the depth to mate.
        let also = if endgame == "KQKR" {
            &[Metric::Dtm][..]
        } else {
            &[]
        };
        self.service
            .tables
            .oracle(&[material(endgame)], metric, also, &self.quiet())
    }
}

/// Forwards stop requests and nothing else.
pub(super) struct Quiet<'a>(&'a dyn Watch);

impl Watch for Quiet<'_> {
    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

pub(super) fn material(endgame: &str) -> Material {
    endgame.parse().expect("endgames are well named here")
}

pub(super) fn position(fen: &str) -> Chess {
    parse_position(fen).expect("positions are well written here")
}
