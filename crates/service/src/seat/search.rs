//! A pending move that must come in time, even if the player is late.

use std::time::{Duration, Instant};

use shakmaty::{Chess, Move};

use super::{Decision, Limits, RULES_ALONE, Said, Variation, stand_in, timer::Timer};

/// Grace period after a stop request, in which the player may still choose from what it has found.
const GRACE: Duration = Duration::from_millis(100);

/// A pending move.
#[derive(Debug)]
pub struct Search {
    pub(super) number: u64,
    pub(super) timer: Timer,
    limits: Limits,
    position: Chess,
    /// The chosen move, and the total time that it should take.
    decision: Option<(Move, Duration)>,
    /// Is the move held back until requested?
    held: bool,
    /// When it was told to stop.
    stopped: Option<Instant>,
    /// Did the player fail?
    failed: bool,
}

impl Search {
    pub(super) fn new(number: u64, position: Chess, limits: Limits) -> Search {
        Search {
            number,
            timer: Timer::new(&limits),
            held: limits.held,
            limits,
            position,
            decision: None,
            stopped: None,
            failed: false,
        }
    }

    /// The time since it started.
    pub fn elapsed(&self) -> Duration {
        self.timer.began().elapsed()
    }

    /// Is this the search with this number?
    pub fn is(&self, number: u64) -> bool {
        self.number == number
    }

    /// Records the player's choice.
    pub fn decide(&mut self, decision: &Decision) {
        self.decision = Some((decision.r#move, decision.time));
    }

    /// Records that the player failed and will not choose.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    /// Is the move still held back?
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Starts the clock, if it is not running.
    pub fn release(&mut self) {
        if self.held {
            self.held = false;
            self.timer.start();
        }
    }

    /// Requests the move now.
    pub fn stop(&mut self) {
        self.held = false;
        self.stopped.get_or_insert_with(Instant::now);
        self.timer.stop();
    }

    /// When the move is due: once there is one, after a human-like delay, but no later than the clock allows; `None` while it
    /// is held back.
    pub fn due(&self) -> Option<Instant> {
        let began = self.timer.began();
        match (self.decision, self.stopped) {
            _ if self.held => None,
            (Some((_, time)), None) => Some(began + time),
            (Some(_), Some(stopped)) => Some(stopped),
            _ if self.failed => Some(began),
            (None, Some(stopped)) => Some(stopped + GRACE),
            (None, None) => Some(began + self.limits.latest()?),
        }
    }

    /// The move, and the message that precedes it if it is not the player's.
    pub fn finish(self) -> (Move, Vec<Said>) {
        self.timer.stop();
        if let Some((chosen, _)) = self.decision {
            return (chosen, Vec::new());
        }
        let why = match self.timer.is_ready() {
            _ if self.failed => "the player failed",
            true => "out of time",
            false if self.limits.latest() == Some(Duration::ZERO) => "there was no time",
            false => "the player was not ready in time",
        };
        let only = self.limits.only.first().copied();
        let chosen = only.unwrap_or_else(|| stand_in::choose(&self.position, &mut rand::rng()));
        let words = Said::Words(format!("{why}; {RULES_ALONE}"));
        let line = Said::Line(Variation::by_rules(&self.position, chosen));
        (chosen, vec![words, line])
    }
}
