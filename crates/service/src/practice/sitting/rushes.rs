//! Positions against the clock, which starts with the first line.

use std::time::Instant;

use errare_core::Watch;

use super::{Happening, Sitting, refused};
use crate::{
    Error, Service,
    practice::{
        Rush, RushRequest, answer_rush, begin_rush,
        history::{History, now},
    },
};

/// A rush at a prompt.
pub struct RushSitting<'a> {
    service: &'a Service,
    /// Where slips are kept.
    history: Option<&'a History>,
    /// The rush so far.
    pub rush: Rush,
    /// When the clock was started.
    begun: Option<Instant>,
    left: bool,
}

impl<'a> RushSitting<'a> {
    /// A rush whose clock waits for the first line, or runs at once.
    pub fn new(
        service: &'a Service,
        history: Option<&'a History>,
        request: &RushRequest,
        at_once: bool,
        watch: &dyn Watch,
    ) -> Result<RushSitting<'a>, Error> {
        Ok(RushSitting {
            service,
            history,
            rush: begin_rush(service, request, watch)?,
            begun: at_once.then(Instant::now),
            left: false,
        })
    }

    /// Asks for the next position.
    fn ask(&self) -> Option<Happening> {
        self.rush.next()?;
        let passed = self.begun?.elapsed().as_secs_f64();
        let left = f64::from(self.rush.seconds) - passed;
        Some(Happening::RushTurn(Box::new(self.rush.clone()), left))
    }
}

impl Sitting for RushSitting<'_> {
    fn begin(&mut self) -> Vec<Happening> {
        let ready = Happening::RushReady(Box::new(self.rush.clone()));
        std::iter::once(ready).chain(self.ask()).collect()
    }

    fn typed(&mut self, line: &str, watch: &dyn Watch) -> Result<Vec<Happening>, Error> {
        let mut all = Vec::new();
        match (self.begun, line.trim()) {
            (_, "quit" | "exit" | "q") => {
                self.left = true;
                return Ok(all);
            }
            (None, _) => self.begun = Some(Instant::now()),
            (Some(_), "") => {}
            (Some(begun), text) => {
                let at = begun.elapsed().as_secs_f64();
                match answer_rush(self.service, &self.rush, text, at, watch) {
                    Err(error) => all.push(refused(&error, "type a move or quit")),
                    Ok(next) => {
                        let is_new = next.answers.len() > self.rush.answers.len();
                        self.rush = next;
                        if let Some(history) = self.history.filter(|_| is_new) {
                            history.save_rush(&self.rush, now())?;
                        }
                        all.push(Happening::RushAnswered(Box::new(self.rush.clone())));
                    }
                }
            }
        }
        all.extend(self.ask());
        Ok(all)
    }

    fn is_over(&self) -> bool {
        self.left || self.rush.next().is_none()
    }
}
