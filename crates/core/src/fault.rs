//! Kinds of errors: what a face needs to know of any error to choose an exit code or an HTTP status.

use std::error::Error;

use crate::Stopped;

/// What sort of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The request makes no sense, or asks for something impossible.
    BadRequest,
    /// Something that was asked for is not there: a table, a game, an engine.
    Missing,
    /// Something that is needed is in use; trying again later may work.
    Busy,
    /// The watcher stopped the work, or its time ran out.
    Stopped,
    /// A file is damaged, or is not the kind of file it should be.
    Damaged,
    /// Anything else, such as a disk that is full.
    Internal,
}

/// An error that knows its kind. Every public error of the libraries does.
pub trait Fault: Error + Send + Sync + 'static {
    /// What sort of thing went wrong.
    fn kind(&self) -> FaultKind;
}

impl Fault for Stopped {
    fn kind(&self) -> FaultKind {
        FaultKind::Stopped
    }
}
