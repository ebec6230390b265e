//! Moves in DTR: the rule under which a move still wins, taking the halfmove clock into account.
//!
//! The DTR of a position is the least *k* for a clock at zero. Play in DTR must know the clock as well, or
//! it shuffles about in positions that all have the same DTR. With *dz_k(P)* the plies to mate or a zeroing
//! move into a position of DTR at most *k*, a position with *c* plies on the clock stands under a *k*-ply
//! rule iff *dz_k(P) + c <= k*. Tables do not store *dz_k*: a [search](search) finds it.
//!
//! Reference: Haworth (2001), *Depth by the rule*.

mod search;

use errare_core::{Metric, Outcome, Plies};
use shakmaty::{Chess, Position};

pub(crate) use self::search::Search;
use self::search::Unknown;
use super::MoveVerdict;
use crate::{ProbeError, probe::after};

/// Upper limit of the clock, beyond any rule of chess.
const MOST_CLOCK: u32 = 10_000;

/// A winning or losing move as the rule sees it.
struct Candidate<'m> {
    verdict: &'m mut MoveVerdict,
    after: Chess,
    /// The DTR after it.
    dtr: Outcome,
    /// The plies on the clock after the move, unless it zeroes it.
    clock: u16,
    /// Bounds of the least rule that does not spoil the win, in plies.
    least: u16,
    most: u16,
}

impl<'m> Candidate<'m> {
    /// A candidate, unless the move draws.
    fn new(position: &Chess, clock: u16, verdict: &'m mut MoveVerdict) -> Option<Candidate<'m>> {
        let depths = &verdict.after.depths;
        let (dtr, dtz) = (depths.get(Metric::Dtr)?, depths.dtz());
        let (Plies(dr), Plies(dz)) = (dtr.plies()?, dtz.plies()?);
        let clock = clock + 1;
        let [least, most] = match verdict.zeroing {
            true => [dr.max(clock); 2],
            false => [dr.max(dz + clock), dr + clock],
        };
        Some(Candidate {
            after: after(position, verdict.r#move),
            verdict,
            dtr,
            clock,
            least,
            most,
        })
    }

    /// The outcome for the side that makes the move.
    fn outcome(&self, plies: u16) -> Outcome {
        match self.dtr {
            Outcome::Loss(_) => Outcome::Win(Plies(plies)),
            _ => Outcome::Loss(Plies(plies)),
        }
    }

    /// Is the least rule known, in moves?
    fn is_certain(&self) -> bool {
        let moves = |plies| self.outcome(plies).moves_in(Metric::Dtr);
        moves(self.least) == moves(self.most)
    }

    /// The plies to the next zeroing move, counting this move and ignoring the rule.
    fn to_zeroing(&self) -> u16 {
        self.verdict.to_zeroing.plies().map_or(0, |plies| plies.0)
    }
}

impl Search<'_> {
    /// Sets the DTR of moves, with the halfmove clock at zero.
    pub(super) fn set_dtr(
        &mut self,
        position: &Chess,
        moves: &mut [MoveVerdict],
    ) -> Result<(), ProbeError> {
        self.settle(candidates(position, 0, moves).collect())
    }

    /// Sets the DTR of moves, taking the halfmove clock into account, and for the best ones the plies to
    /// the next zeroing move under that rule, which decide between them. Returns whether it found out which
    /// are best: the watch may have stopped it.
    pub(super) fn set_dtr_and_best(
        &mut self,
        position: &Chess,
        dtr: Outcome,
        moves: &mut [MoveVerdict],
    ) -> Result<bool, ProbeError> {
        let clock = position.halfmoves().min(MOST_CLOCK) as u16;
        let keeps = |it: &Candidate| it.outcome(0).sign() == dtr.sign();
        let (mut kept, worse): (Vec<_>, Vec<_>) =
            candidates(position, clock, moves).partition(keeps);
        let found = match self.find_best(dtr, &mut kept) {
            Ok(()) => true,
            Err(Unknown::Exhausted) => false,
            Err(Unknown::Probe(error)) => return Err(error),
        };
        self.settle(worse)?;
        self.settle(kept)?;
        Ok(found)
    }

    /// Narrows the bounds of moves that keep the result until it is known which are best.
    fn find_best(&mut self, dtr: Outcome, kept: &mut [Candidate<'_>]) -> Result<(), Unknown> {
        let (Some(Plies(dr)), false) = (dtr.plies(), kept.is_empty()) else {
            return Ok(());
        };
        let wins = dtr.sign() > 0;
        self.left = u64::MAX;
        let all = (0..kept.len()).collect();
        let from = first_of(wins, kept.iter().map(|it| it.least)).max(dr);
        let (rule, best) = decide(wins, from, all, |i, rule| self.stands(&kept[i], rule))?;
        for (i, candidate) in kept.iter_mut().enumerate() {
            if best.contains(&i) {
                (candidate.least, candidate.most) = (rule, rule);
            } else if wins {
                candidate.least = candidate.least.max(rule + 1);
            } else {
                candidate.most = candidate.most.min(rule - 1);
            }
        }
        if best.len() > 1 {
            let from = first_of(wins, best.iter().map(|&i| kept[i].to_zeroing()));
            let (plies, first) = decide(wins, from, best.clone(), |i, plies| {
                match kept[i].verdict.zeroing {
                    true => Ok(plies >= 1),
                    false => self.within(&kept[i].after, kept[i].dtr, rule, plies - 1),
                }
            })?;
            for i in best {
                let plies = match (first.contains(&i), wins) {
                    (true, _) => plies,
                    (false, true) => kept[i].to_zeroing().max(plies + 1),
                    (false, false) => kept[i].to_zeroing(),
                };
                kept[i].verdict.to_zeroing = kept[i].outcome(plies);
            }
        }
        Ok(())
    }

    /// Sets the DTR of moves as exactly as the search limit allows.
    fn settle(&mut self, candidates: Vec<Candidate<'_>>) -> Result<(), ProbeError> {
        let mut effort = self.effort;
        let mut others = candidates.len() as u64;
        for mut candidate in candidates {
            let share = effort / others;
            self.left = share;
            while !candidate.is_certain() {
                match self.stands(&candidate, candidate.least) {
                    Ok(true) => candidate.most = candidate.least,
                    Ok(false) => candidate.least += 1,
                    Err(Unknown::Exhausted) => break,
                    Err(Unknown::Probe(error)) => return Err(error),
                }
            }
            effort -= share - self.left;
            others -= 1;
            let dtr = candidate.outcome(candidate.least);
            let most = candidate.outcome(candidate.most);
            candidate.verdict.greatest_dtr = (!candidate.is_certain()).then_some(most);
            candidate.verdict.through.set_dtr(dtr);
        }
        Ok(())
    }

    /// Does a rule leave the win standing after a move?
    fn stands(&mut self, candidate: &Candidate<'_>, rule: u16) -> Result<bool, Unknown> {
        if rule < candidate.least || rule >= candidate.most {
            return Ok(rule >= candidate.most);
        }
        self.within(
            &candidate.after,
            candidate.dtr,
            rule,
            rule - candidate.clock,
        )
    }
}

/// The moves that do not draw.
fn candidates<'m>(
    position: &Chess,
    clock: u16,
    moves: &'m mut [MoveVerdict],
) -> impl Iterator<Item = Candidate<'m>> {
    moves
        .iter_mut()
        .filter_map(move |m| Candidate::new(position, clock, m))
}

/// The deciding value: the least for the winner, the greatest for the loser.
fn first_of(wins: bool, values: impl Iterator<Item = u16>) -> u16 {
    let first = if wins { values.min() } else { values.max() };
    first.unwrap_or(0)
}

/// The least value, starting at `from`, that holds for some candidate of the winner or for all of the
/// loser, and the candidates that decide it.
fn decide(
    wins: bool,
    from: u16,
    mut candidates: Vec<usize>,
    mut holds: impl FnMut(usize, u16) -> Result<bool, Unknown>,
) -> Result<(u16, Vec<usize>), Unknown> {
    // For the loser, candidates that hold for less do not decide.
    let mut value = if wins { from } else { from.saturating_sub(1) };
    loop {
        let (mut held, mut open) = (Vec::new(), Vec::new());
        for candidate in candidates {
            match holds(candidate, value)? {
                true => held.push(candidate),
                false => open.push(candidate),
            }
        }
        if wins && !held.is_empty() || open.is_empty() {
            return Ok((value, held));
        }
        candidates = open;
        value += 1;
    }
}
