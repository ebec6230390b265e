//! Games, one after another; the person may stay with each after its end.

use errare_core::Watch;

use super::{Happening, Sitting, refused};
use crate::{
    Error, Service,
    practice::{
        Act, Answer, Command, Event, Request, act, begin,
        history::{History, now},
        report, resume,
    },
};

const ADVICE: &str = "help lists what you can do";

/// Games at a prompt.
pub struct GameSitting<'a> {
    service: &'a Service,
    history: Option<&'a History>,
    /// The request for another game; after a resumed game, its own start.
    request: Option<Request>,
    answer: Answer,
    left: bool,
}

impl<'a> GameSitting<'a> {
    /// A sitting that begins with a new game; the next ones count up from its seed.
    pub fn new(
        service: &'a Service,
        history: Option<&'a History>,
        mut request: Request,
        watch: &dyn Watch,
    ) -> Result<GameSitting<'a>, Error> {
        request.seed = Some(request.seed.unwrap_or_else(rand::random));
        Ok(GameSitting {
            service,
            history,
            answer: begin(service, &request, watch)?,
            request: Some(request),
            left: false,
        })
    }

    /// A sitting that resumes the last unfinished game, if there is one.
    pub fn resumed(
        service: &'a Service,
        history: &'a History,
        watch: &dyn Watch,
    ) -> Result<Option<GameSitting<'a>>, Error> {
        let Some(session) = history.unfinished()? else {
            return Ok(None);
        };
        Ok(Some(GameSitting {
            service,
            history: Some(history),
            answer: resume(service, &session, watch)?,
            request: None,
            left: false,
        }))
    }

    fn act(&mut self, what: &Act, watch: &dyn Watch) -> Result<Vec<Happening>, Error> {
        match act(self.service, &self.answer.session, what, watch) {
            Err(error) => Ok(vec![refused(&error, ADVICE)]),
            Ok(next) => {
                if let Some(history) = self.history {
                    history.save(&next, now())?;
                }
                self.answer = next;
                Ok(self.happened())
            }
        }
    }

    /// Leaves this game for another one.
    fn another(&mut self, request: &Request, watch: &dyn Watch) -> Vec<Happening> {
        match begin(self.service, request, watch) {
            Err(error) => vec![refused(&error, ADVICE)],
            Ok(next) => {
                let mut all = vec![Happening::Left(Box::new(self.answer.session.clone()))];
                self.answer = next;
                all.extend(self.begin());
                all
            }
        }
    }

    /// A game like this one, from another start if possible.
    fn next_request(&mut self) -> Request {
        match &mut self.request {
            None => Request::again(&self.answer.session.setup),
            Some(request) => {
                request.seed = request.seed.map(|seed| seed.wrapping_add(1));
                request.clone()
            }
        }
    }

    /// What happened last, and what comes next.
    fn happened(&self) -> Vec<Happening> {
        let Answer {
            session,
            events,
            view,
        } = &self.answer;
        let event = |event: &Event| Happening::Event(Box::new(event.clone()));
        let mut all: Vec<_> = events.iter().map(event).collect();
        let only_words = matches!(
            &events[..],
            [Event::Hinted(_) | Event::DrawDoubted { .. } | Event::DrawDeclined { .. }]
        );
        if view.your_turn && !only_words {
            all.push(Happening::Turn(Box::new(self.answer.clone())));
        }
        if session.end.is_some() {
            all.extend([self.reported(), Happening::Ended]);
        }
        all
    }

    fn reported(&self) -> Happening {
        Happening::Reported(Box::new(report(&self.answer, self.history.is_some())))
    }
}

impl Sitting for GameSitting<'_> {
    fn begin(&mut self) -> Vec<Happening> {
        let mut all = vec![Happening::Began(Box::new(self.answer.clone()))];
        all.extend(self.happened());
        all
    }

    fn typed(&mut self, line: &str, watch: &dyn Watch) -> Result<Vec<Happening>, Error> {
        Ok(match Command::read(line) {
            Command::Act(what) => self.act(&what, watch)?,
            Command::New => {
                let request = self.next_request();
                self.another(&request, watch)
            }
            Command::Again => {
                let request = Request::again(&self.answer.session.setup);
                self.another(&request, watch)
            }
            Command::Quit => {
                self.left = true;
                Vec::new()
            }
            Command::Nothing => Vec::new(),
            Command::Report => vec![self.reported()],
            command => vec![Happening::Asked(command, Box::new(self.answer.clone()))],
        })
    }

    fn is_over(&self) -> bool {
        self.left
    }

    fn leave(&mut self) -> Vec<Happening> {
        let session = &self.answer.session;
        let mut all = Vec::new();
        if session.end.is_none() {
            all.push(self.reported());
            if self.history.is_some() && !session.moves.is_empty() {
                all.push(Happening::Kept);
            }
        }
        all.push(Happening::Left(Box::new(session.clone())));
        all
    }

    fn game(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}
