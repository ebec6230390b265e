//! Iterative deepening search for *dz_k*, with DTZ and DTR as bounds: *dz <= dz_k*, and *dz_k <= dr*
//! if *dr <= k*.

use errare_core::{Metric, Outcome, Watch};
use rustc_hash::FxHashMap;
use shakmaty::{Chess, Position};

use crate::{ProbeError, Prober, probe::after};

/// Searches for *dz_k*.
pub(crate) struct Search<'a> {
    prober: &'a Prober,
    watch: &'a dyn Watch,
    /// By position and *k*: the results of earlier searches.
    known: FxHashMap<(Chess, u16), Bounds>,
    /// The search limit in positions, for all moves of a position together except those that may be
    /// best.
    pub(super) effort: u64,
    /// The number of positions left of that limit.
    pub(super) left: u64,
}

/// Bounds of *dz_k* in plies.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: u16,
    most: Option<u16>,
}

/// Why a search found no answer.
pub(super) enum Unknown {
    Probe(ProbeError),
    /// It reached its limit, or the watch stopped it.
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

    /// Is *dz_k* of a position with this DTR at most `plies`?
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

    /// Does some move of the winner, or every move of the loser, keep *dz_k* within `plies`?
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
        // Try the likely refutation first: the winner's fastest move, the loser's slowest.
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

    /// The bounds of *dz_k* known without a search.
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
    /// Is *dz_k* at most `plies`, if that is known?
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
