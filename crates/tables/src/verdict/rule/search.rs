//! The search for *dz_k*, deeper and deeper, with DTZ and DTR as bounds: *dz <= dz_k*, and
//! *dz_k <= dr* if *dr <= k*.

use errare_core::{Metric, Outcome, Watch};
use rustc_hash::FxHashMap;
use shakmaty::{Chess, Position};

use crate::{ProbeError, Prober, probe::after};

/// Searches for *dz_k*.
pub(crate) struct Search<'a> {
    prober: &'a Prober,
    watch: &'a dyn Watch,
    /// By position and *k*: what searches have found.
    known: FxHashMap<(Chess, u16), Bounds>,
    /// How many positions may be looked into for all moves of a position together, but for those that
    /// may be best.
    pub(super) effort: u64,
    /// How many positions may still be looked into.
    pub(super) left: u64,
}

/// Between which plies *dz_k* is.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: u16,
    most: Option<u16>,
}

/// Why a search has no answer.
pub(super) enum Unknown {
    Probe(ProbeError),
    /// It has taken too long, or whoever watches stopped it.
    Exhausted,
}

impl From<ProbeError> for Unknown {
    fn from(error: ProbeError) -> Unknown {
        Unknown::Probe(error)
    }
}

impl<'a> Search<'a> {
    pub(in crate::verdict) fn new(
        prober: &'a Prober,
        effort: u64,
        watch: &'a dyn Watch,
    ) -> Search<'a> {
        Search {
            prober,
            watch,
            known: FxHashMap::default(),
            effort,
            left: 0,
        }
    }

    /// Whether *dz_k* of a position with this DTR is at most `plies`.
    pub(super) fn within(
        &mut self,
        position: &Chess,
        dtr: Outcome,
        rule: u16,
        plies: u16,
    ) -> Result<bool, Unknown> {
        if let Some(known) = self.bounds(position, dtr, rule)?.admit(plies) {
            return Ok(known);
        }
        let holds = self.expand(position, dtr.sign() > 0, rule, plies)?;
        let mut bounds = self.bounds(position, dtr, rule)?;
        match holds {
            true => bounds.most = Some(plies),
            false => bounds.least = plies + 1,
        }
        self.known.insert((position.clone(), rule), bounds);
        Ok(holds)
    }

    /// Whether some move of the winner, or every move of the loser, keeps *dz_k* within `plies`.
    fn expand(
        &mut self,
        position: &Chess,
        wins: bool,
        rule: u16,
        plies: u16,
    ) -> Result<bool, Unknown> {
        if self.left == 0 || self.watch.is_stopped() {
            return Err(Unknown::Exhausted);
        }
        self.left -= 1;
        let mut open = Vec::new();
        for m in position.legal_moves() {
            let next = after(position, m);
            let dtr = self.prober.outcome(&next, Metric::Dtr)?;
            let holds = if wins && dtr.sign() >= 0 {
                Some(false)
            } else if m.is_zeroing() {
                Some(dtr.plies().is_some_and(|dr| dr.0 <= rule))
            } else {
                let bounds = self.bounds(&next, dtr, rule)?;
                let holds = bounds.admit(plies - 1);
                if holds.is_none() {
                    open.push((bounds.least, next, dtr));
                }
                holds
            };
            if holds == Some(wins) {
                return Ok(wins);
            }
        }
        // What decides most likely comes first: the winner's fastest move, the loser's slowest.
        open.sort_by_key(|(least, ..)| *least);
        if !wins {
            open.reverse();
        }
        for (_, next, dtr) in open {
            if self.within(&next, dtr, rule, plies - 1)? == wins {
                return Ok(wins);
            }
        }
        Ok(!wins)
    }

    /// What is known of *dz_k*, also without a search.
    fn bounds(&self, position: &Chess, dtr: Outcome, rule: u16) -> Result<Bounds, ProbeError> {
        if let Some(&bounds) = self.known.get(&(position.clone(), rule)) {
            return Ok(bounds);
        }
        Ok(match dtr.plies().filter(|dr| dr.0 <= rule) {
            Some(dr) => Bounds {
                least: self.dz(position)?,
                most: Some(dr.0),
            },
            None => Bounds {
                least: u16::MAX,
                most: None,
            },
        })
    }

    fn dz(&self, position: &Chess) -> Result<u16, ProbeError> {
        let dtz = self.prober.outcome(position, Metric::Dtz)?;
        Ok(dtz.plies().map_or(0, |plies| plies.0))
    }
}

impl Bounds {
    /// Whether *dz_k* is at most `plies`, if that is known.
    fn admit(&self, plies: u16) -> Option<bool> {
        if self.most.is_some_and(|most| most <= plies) {
            Some(true)
        } else if self.least > plies {
            Some(false)
        } else {
            None
        }
    }
}
