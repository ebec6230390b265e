//! Practice at a prompt: the person types lines, and each has an effect.
//!
//! [`GameSitting`] plays games, one after another; [`ReviewSitting`] reviews slips that are due; [`RushSitting`] plays
//! positions against the clock. An interface reads lines and shows what happened; the effect of each line is decided here.

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
    /// The happenings to show before the first line.
    fn begin(&mut self) -> Vec<Happening>;

    /// Executes a line.
    fn typed(&mut self, line: &str, watch: &dyn Watch) -> Result<Vec<Happening>, Error>;

    /// Has the person left, or is there nothing left to do?
    fn is_over(&self) -> bool;

    /// What to show at the end.
    fn leave(&mut self) -> Vec<Happening> {
        Vec::new()
    }

    /// The game that is waiting for a line, if any.
    fn game(&self) -> Option<&Answer> {
        None
    }
}

/// An event at a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// A game begins or is resumed.
    Began(Box<Answer>),
    /// Something happened in the game.
    Event(Box<Event>),
    /// It is the person's turn.
    Turn(Box<Answer>),
    /// The person asked to see something.
    Asked(Command, Box<Answer>),
    /// The report on the game.
    Reported(Box<Report>),
    /// The game has ended; the person may go back, begin another one or leave.
    Ended,
    /// An unfinished game was saved in the history.
    Kept,
    /// The person left the game.
    Left(Box<Session>),
    /// A review begins.
    Reviews(Box<Reviews>),
    /// A slip is due for review.
    Due(Box<Slip>),
    /// A slip was reviewed.
    Reviewed {
        /// Its id in the history.
        slip: i64,
        /// The result.
        reviewed: Box<Reviewed>,
    },
    /// A rush is waiting for its first line.
    RushReady(Box<Rush>),
    /// The next position of a rush, with this many seconds left.
    RushTurn(Box<Rush>, f64),
    /// A position of a rush was answered.
    RushAnswered(Box<Rush>),
    /// A line could not be executed.
    Refused {
        /// Why.
        message: String,
        /// The possible commands.
        advice: &'static str,
    },
    /// The person asked for the list of commands.
    Help(&'static str),
}

/// A happening in the form for scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ScriptLine {
    /// Something that happened in a game.
    Event(Box<Event>),
    /// Anything else.
    Told(Told),
}

impl Happening {
    /// The happening for scripts; none if it is only for people.
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
