//! Time limits of a player.

use std::time::Duration;

use errare_players::Chosen;
use shakmaty::Move;

/// The clock before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub left: Duration,
    /// The increment per move.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// The limits of a search.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// A fixed maximum time for the move.
    pub move_time: Option<Duration>,
    /// The player's clock.
    pub clock: Option<Clock>,
    /// Time reserved for communication delays.
    pub overhead: Duration,
    /// Is the move held back until requested, as in analysis and pondering?
    pub held: bool,
    /// The moves to choose from; any if empty.
    pub only: Vec<Move>,
}

/// The assumed number of remaining moves, if there is no time control.
const MOVES_TO_GO: u32 = 40;
/// The minimum time budget.
const LEAST: Duration = Duration::from_millis(1);

impl Limits {
    /// The time within which there must be a move; `None` if it is unlimited or held.
    ///
    /// ```
    /// use std::time::Duration;
    /// use errare_service::seat::{Clock, Limits};
    ///
    /// let ten = Limits { move_time: Some(Duration::from_millis(10)), ..Limits::default() };
    /// assert!(ten.budget().unwrap() <= Duration::from_millis(10));
    /// assert_eq!(Limits::default().budget(), None);
    /// ```
    pub fn budget(&self) -> Option<Duration> {
        if self.held {
            return None;
        }
        self.by_clock()
    }

    /// Is this analysis, where no clock makes the move due?
    pub(crate) fn is_analysis(&self) -> bool {
        self.held && self.by_clock().is_none()
    }

    /// The time that the clock allows for a move.
    pub(crate) fn by_clock(&self) -> Option<Duration> {
        let by_move = self.move_time.map(|time| {
            // However large the overhead, some time is left for thinking; the rest is reserve for a busy machine.
            time.saturating_sub(self.overhead).max(time * 2 / 5)
        });
        let by_clock = self.clock.map(|clock| {
            let usable = clock.left.saturating_sub(self.overhead);
            (self.share(clock)).min(usable / 2).max(LEAST)
        });
        by_move.into_iter().chain(by_clock).min()
    }

    /// The time at which a move must be sent, whatever it is: slightly after the budget, as a grace period; `None` if it is
    /// unlimited.
    pub fn latest(&self) -> Option<Duration> {
        let budget = self.by_clock()?;
        let late = budget + (self.overhead / 2).min(budget / 2);
        let flag = self
            .clock
            .map(|clock| clock.left.saturating_sub(self.overhead / 2));
        Some(late.min(flag.unwrap_or(late)).max(LEAST))
    }

    /// The time per move if all remaining moves take the same.
    fn share(&self, clock: Clock) -> Duration {
        let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
        clock.left / moves + clock.increment * 3 / 4
    }

    /// The usual time for a move: less than the maximum.
    pub(crate) fn usual(&self) -> Option<Duration> {
        match self.clock {
            Some(clock) => Some(self.share(clock)),
            None => self.move_time.map(|time| time / 2),
        }
    }

    /// Makes sure that the move is among the allowed ones; otherwise takes the likeliest of them.
    pub(crate) fn restrict(&self, chosen: &mut Chosen) {
        if self.only.is_empty() || self.only.contains(&chosen.r#move) {
            return;
        }
        let allowed = chosen.chances.iter().filter(|(m, _)| self.only.contains(m));
        let likeliest = allowed.max_by(|a, b| a.1.total_cmp(&b.1));
        let (m, chance) = likeliest.copied().unwrap_or((self.only[0], f64::NAN));
        chosen.r#move = m;
        chosen.probability = Some(chance).filter(|chance| !chance.is_nan());
        let number = chosen.judgement.as_ref().and_then(|j| j.find(m));
        let judged = chosen.judgement.as_ref().zip(number);
        chosen.mark = judged.and_then(|(judgement, number)| judgement.mark(number));
        chosen.ceded = judged.map(|(judgement, number)| judgement.ceded(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Duration {
        let limits = Limits {
            clock: Some(Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            overhead: Duration::from_millis(50),
            ..Limits::default()
        };
        limits.budget().expect("it has a clock")
    }

    /// Whatever the clock shows, a player that always uses its whole budget never runs out of time.
    #[test]
    fn nobody_runs_out_of_time() {
        for increment in [0, 10, 1000] {
            let mut left = 60_000;
            for _ in 0..500 {
                let budget = clock(left, increment, None).as_millis() as u64;
                assert!(budget < left, "{budget} of {left}");
                left = left - budget + increment;
                if left < 2 {
                    break;
                }
            }
        }
        assert!(clock(60_000, 0, Some(1)) <= Duration::from_millis(30_000));
        assert_eq!(clock(20, 0, None), LEAST);
    }
}
