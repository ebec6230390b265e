//! A pending move that must come in time, even if the player is late.

use std::time::{Duration, Instant};

use errare_core::Cancel;
use shakmaty::{Chess, Move};

use super::{Decision, FALLBACK, Limits};

/// Grace period after a stop request, in which the player may still choose from what it has found.
const GRACE: Duration = Duration::from_millis(100);

/// A pending move.
#[derive(Debug)]
pub struct Search {
    pub(super) number: u64,
    pub(super) cancel: Cancel,
    began: Instant,
    limits: Limits,
    position: Chess,
    /// The chosen move, and the total time that it should take.
    decision: Option<(Move, Duration)>,
    /// Is the move held back until requested?
    held: bool,
    /// When it was told to stop.
    stopped: Option<Instant>,
}

impl Search {
    pub(super) fn new(number: u64, position: Chess, limits: Limits) -> Search {
        Search {
            number,
            cancel: Cancel::default(),
            began: Instant::now(),
            held: limits.held,
            limits,
            position,
            decision: None,
            stopped: None,
        }
    }

    /// The time since it started.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Is this the search with this number?
    pub fn is(&self, number: u64) -> bool {
        self.number == number
    }

    /// Records the player's choice.
    pub fn decide(&mut self, decision: &Decision) {
        self.decision = Some((decision.r#move, decision.time));
    }

    /// Is the move still held back?
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Starts the clock.
    pub fn release(&mut self) {
        self.held = false;
        self.began = Instant::now();
    }

    /// Requests the move now.
    pub fn stop(&mut self) {
        self.held = false;
        self.stopped.get_or_insert_with(Instant::now);
        self.cancel.cancel();
    }

    /// When the move is due: once there is one, after a human-like delay, but no later than the clock allows; `None` while it
    /// is held back.
    pub fn due(&self) -> Option<Instant> {
        match (self.decision, self.stopped) {
            _ if self.held => None,
            (Some((_, time)), None) => Some(self.began + time),
            (Some(_), Some(stopped)) => Some(stopped),
            (None, Some(stopped)) => Some(stopped + GRACE),
            (None, None) => Some(self.began + self.limits.latest()?),
        }
    }

    /// The move, and whether the player was too late, so that [`FALLBACK`] chose.
    pub fn finish(self) -> (Move, bool) {
        self.cancel.cancel();
        match (self.decision, self.limits.only.first()) {
            (Some((chosen, _)), _) => (chosen, false),
            (None, Some(only)) => (*only, true),
            (None, None) => {
                let fallback: errare_minimax::MinimaxPlayer =
                    FALLBACK.parse().expect("it is a player");
                (fallback.choose(&self.position, &mut rand::rng()), true)
            }
        }
    }
}
