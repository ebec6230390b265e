//! A move that is asked for and must come in time, whoever is late.

use std::time::{Duration, Instant};

use errare_core::Cancel;
use shakmaty::{Chess, Move};

use super::{Decision, FALLBACK, Limits};

/// A player who is told to stop has so much time to choose by what it has found.
const GRACE: Duration = Duration::from_millis(100);

/// A move that is asked for.
#[derive(Debug)]
pub struct Search {
    pub(super) number: u64,
    pub(super) cancel: Cancel,
    began: Instant,
    limits: Limits,
    position: Chess,
    /// The move chosen, and the time that it should take in all.
    decision: Option<(Move, Duration)>,
    /// Whether the move waits until it is called for.
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

    /// How long it has lasted.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether this is what the player was asked, by the number of the question.
    pub fn is(&self, number: u64) -> bool {
        self.number == number
    }

    /// The player has chosen.
    pub fn decide(&mut self, decision: &Decision) {
        self.decision = Some((decision.r#move, decision.time));
    }

    /// Whether nobody has asked for the move yet.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// The clock runs from now on.
    pub fn release(&mut self) {
        self.held = false;
        self.began = Instant::now();
    }

    /// The move is wanted now.
    pub fn stop(&mut self) {
        self.held = false;
        self.stopped.get_or_insert_with(Instant::now);
        self.cancel.cancel();
    }

    /// When the move is due: as late as people would make it once there is one, and not later than the clock allows; not at all
    /// as long as nobody asks for it.
    pub fn due(&self) -> Option<Instant> {
        match (self.decision, self.stopped) {
            _ if self.held => None,
            (Some((_, time)), None) => Some(self.began + time),
            (Some(_), Some(stopped)) => Some(stopped),
            (None, Some(stopped)) => Some(stopped + GRACE),
            (None, None) => Some(self.began + self.limits.latest()?),
        }
    }

    /// The move, and whether the player was too late to choose it: then [`FALLBACK`] has.
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
