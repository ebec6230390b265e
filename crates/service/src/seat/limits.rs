//! How long a player may think.

use std::time::Duration;

use errare_players::Chosen;
use shakmaty::Move;

/// A clock as it stands before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// What is left on it.
    pub left: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// How long a player may think, and of what.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Exactly so long at most.
    pub move_time: Option<Duration>,
    /// By a clock.
    pub clock: Option<Clock>,
    /// What the way to the clock may take.
    pub overhead: Duration,
    /// Whether the move is kept until somebody asks for it, as in analysis and while the opponent thinks.
    pub held: bool,
    /// Only one of these moves may be chosen; any if there is none.
    pub only: Vec<Move>,
}

/// A game is taken to last for so many more moves, where nobody says how many.
const MOVES_TO_GO: u32 = 40;
/// No thought is bounded to less.
const LEAST: Duration = Duration::from_millis(1);

impl Limits {
    /// The time within which there must be a move; none if there is no bound, or if it is held.
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

    /// Whether there is no game to play: the move is never due by a clock.
    pub(crate) fn is_analysis(&self) -> bool {
        self.held && self.by_clock().is_none()
    }

    /// The time that the clock leaves for a move.
    pub(crate) fn by_clock(&self) -> Option<Duration> {
        let by_move = self.move_time.map(|time| {
            // However slow the way to the clock is taken to be, there is some time for thinking; the rest is for a machine that is busy.
            time.saturating_sub(self.overhead).max(time * 2 / 5)
        });
        let by_clock = self.clock.map(|clock| {
            let usable = clock.left.saturating_sub(self.overhead);
            (self.share(clock)).min(usable / 2).max(LEAST)
        });
        by_move.into_iter().chain(by_clock).min()
    }

    /// The time at which a move must be made, whatever it is: a little after the budget, for whoever is late; none if there is no
    /// bound.
    pub fn latest(&self) -> Option<Duration> {
        let budget = self.by_clock()?;
        let late = budget + (self.overhead / 2).min(budget / 2);
        let flag = self
            .clock
            .map(|clock| clock.left.saturating_sub(self.overhead / 2));
        Some(late.min(flag.unwrap_or(late)).max(LEAST))
    }

    /// What a move may take of a clock if all are to take as much.
    fn share(&self, clock: Clock) -> Duration {
        let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
        clock.left / moves + clock.increment * 3 / 4
    }

    /// What is usual for a move: less than may be taken.
    pub(crate) fn usual(&self) -> Option<Duration> {
        match self.clock {
            Some(clock) => Some(self.share(clock)),
            None => self.move_time.map(|time| time / 2),
        }
    }

    /// Sees to it that the move is one of those that may be chosen: else the likeliest of them.
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

    /// Whatever the clock shows, a player who always takes all of its budget never runs out.
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
