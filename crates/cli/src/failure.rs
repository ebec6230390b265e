//! From an error to its message and exit code.

use std::{error::Error, io, process::ExitCode};

use errare_core::{FaultKind, Stopped};
use errare_service::RequestError;

use crate::{interrupt, remedy::remedy};

/// The exit code of a command that failed. (1 means that it worked and the answer is no.)
pub(crate) const ERROR: u8 = 2;

/// The exit code of a command whose answer is no.
const NO: u8 = 1;

/// The exit code of a yes-or-no answer.
pub(crate) fn exit_code(yes: bool) -> ExitCode {
    ExitCode::from(if yes { 0 } else { NO })
}

/// Prints the error, with a remedy if there is one, and finds its exit code. A closed pipe, as in
/// `errare ... | head`, is not an error.
pub(crate) fn failure(error: &anyhow::Error) -> ExitCode {
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    tell(error);
    ExitCode::from(code(error))
}

/// Prints an error, with a remedy if there is one.
pub(crate) fn tell(error: &anyhow::Error) {
    talk!("errare: {}", words(error));
}

/// An error in words, with a remedy if there is one.
pub(crate) fn words(error: &anyhow::Error) -> String {
    match remedy(error) {
        Some(remedy) => format!("{error:#}; {remedy}"),
        None => format!("{error:#}"),
    }
}

fn code(error: &anyhow::Error) -> u8 {
    match () {
        () if is_stop(error) => interrupt::EXIT_CODE,
        () if error.chain().any(is_no) => NO,
        () => ERROR,
    }
}

/// Whether the request was valid and the answer is no.
fn is_no(error: &(dyn Error + 'static)) -> bool {
    let service = error.downcast_ref::<errare_service::Error>();
    let request = service.and_then(|error| error.cause::<RequestError>());
    request.is_some_and(RequestError::is_no)
}

/// Whether the error means that the user stopped the work.
pub(crate) fn is_stop(error: &anyhow::Error) -> bool {
    error.chain().any(is_one_stop)
}

fn is_one_stop(error: &(dyn Error + 'static)) -> bool {
    let service = error.downcast_ref::<errare_service::Error>();
    service.is_some_and(|error| error.kind() == FaultKind::Stopped) || error.is::<Stopped>()
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let json = error.downcast_ref::<serde_json::Error>();
    let kind = match error.downcast_ref::<io::Error>() {
        Some(error) => Some(error.kind()),
        None => json.and_then(serde_json::Error::io_error_kind),
    };
    kind == Some(io::ErrorKind::BrokenPipe)
}
