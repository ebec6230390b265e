//! Due slips, tried again one by one.

use std::time::Instant;

use errare_core::Watch;

use super::{Happening, Sitting, refused};
use crate::{
    Error, Service,
    practice::history::{History, Reviews, Try},
};

/// Slips at a prompt.
pub struct ReviewSitting<'a> {
    service: &'a Service,
    history: &'a History,
    now: i64,
    reviews: Reviews,
    /// The number of slips done.
    done: usize,
    asked: Instant,
}

impl<'a> ReviewSitting<'a> {
    /// The slips that are due at a time, in seconds since 1970.
    pub fn new(
        service: &'a Service,
        history: &'a History,
        now: i64,
    ) -> Result<ReviewSitting<'a>, Error> {
        Ok(ReviewSitting {
            service,
            history,
            now,
            reviews: history.reviews(now)?,
            done: 0,
            asked: Instant::now(),
        })
    }

    /// Asks for the next slip.
    fn ask(&mut self) -> Option<Happening> {
        self.asked = Instant::now();
        let slip = self.reviews.due.get(self.done)?;
        Some(Happening::Due(Box::new(slip.clone())))
    }

    /// Takes a move as the answer.
    fn answer(&mut self, text: &str, watch: &dyn Watch) -> Vec<Happening> {
        let Some(slip) = self.reviews.due.get(self.done) else {
            return Vec::new();
        };
        let tried = Try {
            text: text.to_owned(),
            hinted: false,
            seconds: Some(self.asked.elapsed().as_secs_f64()),
        };
        let reviewed = self
            .history
            .review(self.service, slip, &tried, self.now, watch);
        match reviewed {
            Err(error) => vec![refused(&error, "type a move, skip or quit")],
            Ok(reviewed) => {
                let reviewed = Happening::Reviewed {
                    slip: slip.id,
                    reviewed: Box::new(reviewed),
                };
                self.done += 1;
                std::iter::once(reviewed).chain(self.ask()).collect()
            }
        }
    }
}

impl Sitting for ReviewSitting<'_> {
    fn begin(&mut self) -> Vec<Happening> {
        let reviews = Happening::Reviews(Box::new(self.reviews.clone()));
        std::iter::once(reviews).chain(self.ask()).collect()
    }

    fn typed(&mut self, line: &str, watch: &dyn Watch) -> Result<Vec<Happening>, Error> {
        Ok(match line.trim() {
            "" => Vec::new(),
            "quit" | "exit" | "q" => {
                self.done = self.reviews.due.len();
                Vec::new()
            }
            "skip" => {
                self.done += 1;
                self.ask().into_iter().collect()
            }
            "help" | "?" => vec![Happening::Help("Type a move, skip or quit.")],
            text => self.answer(text, watch),
        })
    }

    fn is_over(&self) -> bool {
        self.done >= self.reviews.due.len()
    }
}
