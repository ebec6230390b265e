//! The error type of all requests: what went wrong, and its kind.

use std::{error, fmt};

use errare_core::{Fault, FaultKind};

/// Why a request failed. Its kind maps to an exit code or an HTTP status; its text names no option
/// of any interface.
#[derive(Debug)]
pub struct Error {
    kind: FaultKind,
    context: Option<String>,
    source: Box<dyn error::Error + Send + Sync>,
}

impl Error {
    /// An error of this kind with this text.
    pub fn new(kind: FaultKind, text: impl Into<String>) -> Error {
        Error {
            kind,
            context: None,
            source: text.into().into(),
        }
    }

    /// An invalid request.
    pub fn bad_request(text: impl Into<String>) -> Error {
        Error::new(FaultKind::BadRequest, text)
    }

    /// The kind of the error.
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Adds what was being done.
    pub fn context(mut self, context: impl Into<String>) -> Error {
        let context = context.into();
        self.context = Some(match self.context {
            None => context,
            Some(inner) => format!("{context}: {inner}"),
        });
        self
    }

    /// The underlying error, without the added context.
    pub fn inner(&self) -> &(dyn error::Error + 'static) {
        &*self.source
    }

    /// The underlying library error, if it has this type, for which an interface may have a remedy.
    pub fn cause<E: error::Error + 'static>(&self) -> Option<&E> {
        self.source.downcast_ref()
    }
}

impl<E: Fault> From<E> for Error {
    fn from(error: E) -> Error {
        Error {
            kind: error.kind(),
            context: None,
            source: Box::new(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.context {
            Some(context) => f.write_str(context),
            None => self.source.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self.context {
            Some(_) => Some(&*self.source),
            None => self.source.source(),
        }
    }
}
