//! Kinds of errors, from which the program chooses an exit code and the server an HTTP status.

use std::error::Error;

use crate::Stopped;

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The request is malformed or asks for something impossible.
    BadRequest,
    /// Something requested does not exist: a table, a game, an engine.
    Missing,
    /// A resource is in use; a later attempt may succeed.
    Busy,
    /// The watcher stopped the work, or the deadline passed.
    Stopped,
    /// A file is damaged or has the wrong format.
    Damaged,
    /// Anything else, such as a full disk.
    Internal,
}

/// An error with a kind. Every public error of the libraries implements it.
pub trait Fault: Error + Send + Sync + 'static {
    /// The kind of this error.
    fn kind(&self) -> FaultKind;
}

impl Fault for Stopped {
    fn kind(&self) -> FaultKind {
        FaultKind::Stopped
    }
}

/// An error with everything that caused it, in one line.
///
/// ```
/// use errare_core::with_causes;
///
/// let error = "x".parse::<u8>().unwrap_err();
/// assert_eq!(with_causes(&error), "invalid digit found in string");
/// ```
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
