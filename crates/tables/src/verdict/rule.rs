//! Moves by the rule: which rule a move still wins under, with the halfmove clock counted.
//!
//! The DTR of a position says the least *k* for a clock at zero. Play in DTR must know the clock as
//! well, or it shuffles about in positions that all have the same DTR. With *dz_k(P)* the plies to
//! mate or a zeroing move into a position of DTR at most *k*, a position with *c* plies on the clock
//! stands under a *k*-ply rule iff *dz_k(P) + c <= k*. Tables do not hold *dz_k*, so it is searched
//! for, deeper and deeper, with DTZ and DTR as bounds: *dz <= dz_k*, and *dz_k <= dr* if *dr <= k*.
//!
//! Reference: Haworth (2001), *Depth by the rule*.

use std::collections::HashMap;

use errare_core::{Metric, Outcome, Plies};
use shakmaty::{Chess, Move, Position};

use crate::{ProbeError, Prober, probe::after};

/// A clock is not taken to show more: no rule of chess counts so far.
const MOST_CLOCK: u32 = 10_000;

/// Positions that are looked into where an answer is wanted soon: some hundredths of a second.
const SOON: u32 = 2_000;

/// A move by the rule, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ByRule {
    /// The outcome with the least *k*, in plies, such that a *k*-ply rule does not spoil the win.
    pub(super) rule: Outcome,
    /// The outcome with the plies to the next zeroing move under that rule.
    pub(super) zeroing: Outcome,
}

/// Searches for *dz_k*.
pub(crate) struct Search<'a> {
    prober: &'a Prober,
    /// By position and *k*: what searches have found.
    known: HashMap<(Chess, u16), Bounds>,
    /// How many positions may still be looked into.
    left: u32,
}

/// Between which plies *dz_k* is.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: u16,
    most: Option<u16>,
}

/// Why a search has no answer.
enum Stopped {
    Probe(ProbeError),
    /// It has taken too long.
    Exhausted,
}

impl From<ProbeError> for Stopped {
    fn from(error: ProbeError) -> Stopped {
        Stopped::Probe(error)
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(prober: &'a Prober) -> Search<'a> {
        Search {
            prober,
            known: HashMap::new(),
            left: 0,
        }
    }

    /// A move by the rule, with the halfmove clock of the position counted.
    pub(super) fn by_rule(&mut self, position: &Chess, m: Move) -> Result<ByRule, ProbeError> {
        let after = after(position, m);
        let dtr = self.prober.outcome(&after, Metric::Dtr)?;
        let Some(Plies(dr)) = dtr.plies() else {
            return Ok(ByRule {
                rule: Outcome::Draw,
                zeroing: Outcome::Draw,
            });
        };
        let elapsed = position.halfmoves().min(MOST_CLOCK) as u16 + 1;
        let (rule, zeroing) = if m.is_zeroing() {
            (dr.max(elapsed), 1)
        } else {
            let mut rule = dr.max(self.dz(&after)? + elapsed);
            loop {
                self.left = u32::MAX;
                match self.depth(&after, rule, rule - elapsed) {
                    Ok(Some(depth)) => break (rule, depth + 1),
                    Ok(None) => rule += 1,
                    Err(Stopped::Exhausted) => {}
                    Err(Stopped::Probe(error)) => return Err(error),
                }
            }
        };
        Ok(ByRule {
            rule: for_mover(dtr, rule),
            zeroing: for_mover(dtr, zeroing),
        })
    }

    /// The least rule that a move still wins under, the clock being at zero, and whether the number of
    /// moves is certain: if it takes too long to find out, it may be one more.
    pub(super) fn by_rule_soon(
        &mut self,
        position: &Chess,
        m: Move,
    ) -> Result<(Outcome, bool), ProbeError> {
        let after = after(position, m);
        let dtr = self.prober.outcome(&after, Metric::Dtr)?;
        let Some(Plies(dr)) = dtr.plies() else {
            return Ok((Outcome::Draw, true));
        };
        if m.is_zeroing() {
            return Ok((for_mover(dtr, dr.max(1)), true));
        }
        let moves = |plies| for_mover(dtr, plies).moves_in(Metric::Dtr);
        let least = dr.max(self.dz(&after)? + 1);
        // A ply more than what is enough afterwards is enough before.
        if least > dr || moves(least) == moves(least + 1) {
            return Ok((for_mover(dtr, least), true));
        }
        self.left = SOON;
        match self.depth(&after, least, least - 1) {
            Ok(Some(_)) => Ok((for_mover(dtr, least), true)),
            Ok(None) => Ok((for_mover(dtr, least + 1), true)),
            Err(Stopped::Exhausted) => Ok((for_mover(dtr, least), false)),
            Err(Stopped::Probe(error)) => Err(error),
        }
    }

    fn dz(&self, position: &Chess) -> Result<u16, ProbeError> {
        let dtz = self.prober.outcome(position, Metric::Dtz)?;
        Ok(dtz.plies().map_or(0, |plies| plies.0))
    }

    /// *dz_k*, if it is at most `limit`.
    fn depth(&mut self, position: &Chess, rule: u16, limit: u16) -> Result<Option<u16>, Stopped> {
        for plies in self.dz(position)?..=limit {
            if self.within(position, rule, plies)? {
                return Ok(Some(plies));
            }
        }
        Ok(None)
    }

    /// Whether *dz_k* is at most `plies`.
    fn within(&mut self, position: &Chess, rule: u16, plies: u16) -> Result<bool, Stopped> {
        let mut bounds = self.bounds(position, rule)?;
        if let Some(known) = bounds.admit(plies) {
            return Ok(known);
        }
        let holds = self.expand(position, rule, plies)?;
        match holds {
            true => bounds.most = Some(plies),
            false => bounds.least = plies + 1,
        }
        self.known.insert((position.clone(), rule), bounds);
        Ok(holds)
    }

    /// What is known of *dz_k*.
    fn bounds(&self, position: &Chess, rule: u16) -> Result<Bounds, ProbeError> {
        if let Some(&bounds) = self.known.get(&(position.clone(), rule)) {
            return Ok(bounds);
        }
        let dtr = self.prober.outcome(position, Metric::Dtr)?.plies();
        Ok(match dtr.filter(|dr| dr.0 <= rule) {
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

    /// Whether some move of the winner, or every move of the loser, keeps *dz_k* within `plies`.
    fn expand(&mut self, position: &Chess, rule: u16, plies: u16) -> Result<bool, Stopped> {
        self.left = self.left.checked_sub(1).ok_or(Stopped::Exhausted)?;
        let wins = self.prober.outcome(position, Metric::Dtr)?.sign() > 0;
        let mut open = Vec::new();
        for m in position.legal_moves() {
            let next = after(position, m);
            let reached = self.prober.outcome(&next, Metric::Dtr)?;
            let holds = if wins && reached.sign() >= 0 {
                false
            } else if m.is_zeroing() {
                reached.plies().is_some_and(|dr| dr.0 <= rule)
            } else {
                let bounds = self.bounds(&next, rule)?;
                match bounds.admit(plies - 1) {
                    Some(holds) => holds,
                    None => {
                        open.push((bounds.least, next));
                        continue;
                    }
                }
            };
            if holds == wins {
                return Ok(wins);
            }
        }
        // What decides most likely comes first: the winner's fastest move, the loser's slowest.
        open.sort_by_key(|(least, _)| *least);
        if !wins {
            open.reverse();
        }
        for (_, next) in open {
            if self.within(&next, rule, plies - 1)? == wins {
                return Ok(wins);
            }
        }
        Ok(!wins)
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

/// An outcome of the side that made the move, from what it is for the other.
fn for_mover(after: Outcome, plies: u16) -> Outcome {
    match after {
        Outcome::Loss(_) => Outcome::Win(Plies(plies)),
        _ => Outcome::Loss(Plies(plies)),
    }
}
