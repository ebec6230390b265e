//! Answers one position or many, in order.

use serde::Serialize;
use serde_json::json;

use crate::prelude::*;

/// Answers each position in JSON or with `print`. With many positions, each JSON answer is one line; a position that
/// cannot be answered gets an error in its place, and the exit code is 2.
pub(crate) fn answer_each<A: Serialize>(
    positions: &Positions,
    mut answer: impl FnMut(&str) -> Result<A>,
    mut print: impl FnMut(&str, &A) -> Result<()>,
) -> Result<ExitCode> {
    let (many, json) = (positions.are_many(), positions.json);
    let mut code = ExitCode::SUCCESS;
    for (number, fen) in positions.texts().enumerate() {
        let fen = fen.context("cannot read standard input")?;
        match answer(&fen) {
            Ok(answer) if json && many => output::json_line(&answer)?,
            Ok(answer) if json => output::json(&answer)?,
            Ok(answer) => print(&fen, &answer)?,
            Err(error) if !many || failure::is_stop(&error) => return Err(error),
            Err(error) => {
                let error = failure::words(&error);
                talk!("errare: position {}: {error}", number + 1);
                if json {
                    output::json_line(&json!({ "error": error }))?;
                }
                code = ExitCode::from(failure::ERROR);
            }
        }
        if interrupt::requested() {
            return Err(errare_core::Stopped.into());
        }
    }
    Ok(code)
}
