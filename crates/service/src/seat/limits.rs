//! Time limits of a player.

use std::time::Duration;

use errare_players::Chosen;
use shakmaty::Move;

/// The clock before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameClock {
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
    pub clock: Option<GameClock>,
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
/// A player that is late may cost this part of the clock, and half of it to get ready.
const PATIENCE: u32 = 8;
/// The part of a fixed time per move that is not used for thinking.
const RESERVE: u32 = 20;
/// The most that a move of human length takes, in shares of the clock.
const LONGEST: u32 = 4;

impl Limits {
    /// The time to think, counted from the request; `None` if it is unlimited.
    ///
    /// ```
    /// use std::time::Duration;
    /// use errare_service::seat::{GameClock, Limits};
    ///
    /// let ten = Limits { move_time: Some(Duration::from_millis(10)), ..Limits::default() };
    /// assert!(ten.budget().unwrap() <= Duration::from_millis(10));
    /// assert_eq!(Limits::default().budget(), None);
    /// ```
    pub fn budget(&self) -> Option<Duration> {
        let by_clock = self.clock.map(|clock| self.by_clock(clock));
        // An engine that is told to stop takes a moment.
        let by_move = self.by_move().map(|time| time - time / RESERVE);
        by_move.into_iter().chain(by_clock).min()
    }

    /// How much longer it may take if the player had to get ready first: a clock can spare some time, a fixed time per move
    /// cannot.
    pub(super) fn extension(&self) -> Duration {
        match (self.move_time, self.clock) {
            (None, Some(clock)) => self.usable(clock) / (2 * PATIENCE),
            _ => Duration::ZERO,
        }
    }

    /// The time at which a move must be sent, whatever it is: somewhat after the budget, as a grace period; `None` if it is
    /// unlimited.
    pub fn latest(&self) -> Option<Duration> {
        let by_move = self
            .by_move()
            .map(|time| time + (self.overhead / 2).min(time / 2));
        let by_clock = self
            .clock
            .map(|clock| self.by_clock(clock) + self.usable(clock) / PATIENCE);
        by_move.into_iter().chain(by_clock).min()
    }

    /// Is this analysis, where no clock makes the move due?
    pub(super) fn is_analysis(&self) -> bool {
        self.held && self.budget().is_none()
    }

    /// The usual time of a move of human length, and the most that it takes; `None` if there is no limit to go by.
    pub(super) fn pace(&self) -> Option<[Duration; 2]> {
        let by_clock = self.clock.map(|clock| {
            let share = self.share(clock);
            [share, (share * LONGEST).min(self.usable(clock) / 2)]
        });
        let by_move = self.by_move().map(|time| [time / LONGEST, time]);
        let [usual, most] = by_clock.or(by_move)?;
        Some([usual, most.min(by_move.map_or(most, |[_, most]| most))])
    }

    /// What a fixed time per move leaves for the player.
    fn by_move(&self) -> Option<Duration> {
        // However large the overhead, some time is left for thinking; the rest is reserve for a busy machine.
        self.move_time
            .map(|time| time.saturating_sub(self.overhead).max(time * 2 / 5))
    }

    /// The time to think by the clock.
    fn by_clock(&self, clock: GameClock) -> Duration {
        (self.share(clock)).min(self.usable(clock) / 2).max(LEAST)
    }

    /// The time left, without what is reserved.
    fn usable(&self, clock: GameClock) -> Duration {
        clock.left.saturating_sub(self.overhead)
    }

    /// The time per move if all remaining moves take the same.
    fn share(&self, clock: GameClock) -> Duration {
        let moves = clock.moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
        clock.left / moves + clock.increment * 3 / 4
    }

    /// Makes sure that the move is among the allowed ones; otherwise takes the likeliest of them.
    pub(super) fn restrict(&self, chosen: &mut Chosen) {
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

    fn clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(GameClock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            overhead: Duration::from_millis(50),
            ..Limits::default()
        }
    }

    fn budget(limits: &Limits) -> Duration {
        limits.budget().expect("it has a clock")
    }

    /// Whatever the clock shows, a player that always uses its whole budget, or is even late every time, never runs out of time.
    #[test]
    fn nobody_runs_out_of_time() {
        for increment in [0, 10, 1000] {
            for late in [false, true] {
                let mut left = 60_000;
                for _ in 0..500 {
                    let limits = clock(left, increment, None);
                    let taken = match late {
                        true => limits.latest().expect("it has a clock"),
                        false => budget(&limits),
                    };
                    let taken = taken.as_millis() as u64;
                    assert!(taken < left, "{taken} of {left}");
                    left = left - taken + increment;
                    if left < 2 {
                        break;
                    }
                }
            }
        }
        assert!(budget(&clock(60_000, 0, Some(1))) <= Duration::from_millis(30_000));
        assert_eq!(budget(&clock(20, 0, None)), LEAST);
    }

    /// A move that used its whole budget can still be sent in time, even if the player had to get ready first.
    #[test]
    fn the_last_moment_is_after_the_budget() {
        for limits in [
            clock(60_000, 0, None),
            clock(60_000, 0, Some(1)),
            clock(500, 100, None),
            Limits {
                move_time: Some(Duration::from_millis(10)),
                ..clock(60_000, 0, None)
            },
        ] {
            let latest = limits.latest().expect("it has a limit");
            assert!(budget(&limits) + limits.extension() < latest, "{limits:?}");
        }
    }
}
