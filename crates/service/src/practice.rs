//! Practice: a person against an opponent of chosen fallibility.
//!
//! A [`Session`] is one game, plain data that any interface can store. [`begin`] creates one from a [`Request`];
//! [`act`] does something in it: a move, a hint, a takeback, a draw offer or claim. Both return the updated session,
//! the events, and what to show. The rules of chess apply. A [`Sitting`] is a person at a prompt, where each typed line
//! does one of these things.

mod begin;
mod command;
mod competence;
mod drill;
mod hint;
pub mod history;
mod judgement;
mod level;
mod notation;
mod opponent;
mod play;
mod report;
mod rules;
mod rush;
mod session;
mod setup;
mod sitting;
mod standing;
mod start;
mod told;
mod tricky;
mod view;

pub use self::{
    begin::{Request, begin},
    command::Command,
    competence::ApparentCompetence,
    drill::{Drill, drills},
    hint::Hint,
    judgement::{Judgement, MISTAKE, better_words, cost_words},
    level::{Level, ParseLevelError},
    notation::{TypedMoveError, typed_move},
    opponent::opponent_words,
    play::{Act, Answer, Event, act, resume},
    report::{Report, ReportedSlip, report},
    rules::{Claim, End, EndKind},
    rush::{Rush, RushAnswer, RushPosition, RushRequest, RushResult, answer_rush, begin_rush},
    session::{Attempt, GivenHint, Played, Session},
    setup::{Setup, Task, Until},
    sitting::{GameSitting, Happening, ReviewSitting, RushSitting, ScriptLine, Sitting},
    standing::{GameValue, Standing},
    start::{DepthRange, ParseDepthRangeError, Start},
    told::Told,
    tricky::{Trick, TrickyPosition, TrickyRequest, trickiest},
    view::{Clock, SessionView},
};
