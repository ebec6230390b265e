//! A sitting: a person types lines, and something happens.
//!
//! [`GameSitting`] is for games, one after another; [`ReviewSitting`] for slips that are due; [`RushSitting`] for positions
//! against the clock. A face reads lines and shows what happened: the rules of what a line does are here.

mod games;
mod reviews;
mod rushes;

use errare_core::{Watch, with_causes};
use serde::Serialize;

use super::{
    Answer, Command, Event, Report, Rush, Session, Told,
    history::{Reviewed, Reviews, Slip},
};
use crate::Error;

pub use self::{games::GameSitting, reviews::ReviewSitting, rushes::RushSitting};

/// A person at a prompt.
pub trait Sitting {
    /// What there is to show before the first line.
    fn begin(&mut self) -> Vec<Happening>;

    /// What a line does.
    fn typed(&mut self, line: &str, watch: &dyn Watch) -> Result<Vec<Happening>, Error>;

    /// Whether the person has left, or there is nothing left to do.
    fn is_over(&self) -> bool;

    /// What there is to show in the end.
    fn leave(&mut self) -> Vec<Happening> {
        Vec::new()
    }

    /// The game in which a line is asked for, if it is one.
    fn game(&self) -> Option<&Answer> {
        None
    }
}

/// Something that happened at a sitting.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// A game begins or is taken up again.
    Began(Box<Answer>),
    /// Something happened in the game.
    Event(Box<Event>),
    /// It is the person's turn.
    Turn(Box<Answer>),
    /// The person asked to see something.
    Asked(Command, Box<Answer>),
    /// What the game has come to.
    Reported(Box<Report>),
    /// The game has ended; the person may go back, begin another one or leave.
    Ended,
    /// The history keeps a game that has not ended.
    Kept,
    /// The game is left.
    Left(Box<Session>),
    /// A review begins.
    Reviews(Box<Reviews>),
    /// A slip is to be tried again.
    Due(Box<Slip>),
    /// A slip was tried again.
    Reviewed {
        /// Its number in the history.
        slip: i64,
        /// What came of it.
        reviewed: Box<Reviewed>,
    },
    /// A rush waits for its first line.
    RushReady(Box<Rush>),
    /// The next position of a rush, with so many seconds left.
    RushTurn(Box<Rush>, f64),
    /// A position of a rush was answered.
    RushAnswered(Box<Rush>),
    /// A line cannot be done.
    Refused {
        /// Why.
        message: String,
        /// What can be done instead.
        advice: &'static str,
    },
    /// The person asked what can be done.
    Help(&'static str),
}

/// A happening as a script is told of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ScriptLine {
    /// Something that happened in a game.
    Event(Box<Event>),
    /// Anything else.
    Told(Told),
}

impl Happening {
    /// The happening for scripts; none if it is for people alone.
    pub fn for_scripts(&self) -> Option<ScriptLine> {
        Some(ScriptLine::Told(match self {
            Happening::Event(event) => return Some(ScriptLine::Event(event.clone())),
            Happening::Began(answer) => Told::Began {
                session: Box::new(answer.session.clone()),
                view: Box::new(answer.view.clone()),
            },
            Happening::Reported(report) => Told::Report(report.clone()),
            Happening::Due(slip) => Told::Due { slip: slip.clone() },
            Happening::Reviewed { slip, reviewed } => Told::Reviewed {
                slip: *slip,
                reviewed: reviewed.clone(),
            },
            Happening::Refused { message, .. } => Told::Refused {
                message: message.clone(),
            },
            _ => return None,
        }))
    }
}

fn refused(error: &Error, advice: &'static str) -> Happening {
    Happening::Refused {
        message: with_causes(error),
        advice,
    }
}
