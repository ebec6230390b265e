//! Endgames under the names the user gave them.

use crate::prelude::*;

/// Maps a side of the endgame as written to the table's side; prints a note if they differ.
pub(crate) fn side_of(endgame: &WrittenEndgame, written: Colour) -> Colour {
    let side = endgame.side(written);
    if side != written {
        let table = endgame.material();
        talk!(
            "errare: {endgame} is {table} with the sides exchanged; its {written} is {side} there"
        );
    }
    side
}

/// Adds the user's name of an endgame to an error that has the table's name.
pub(crate) fn as_written<'a>(
    error: impl Into<anyhow::Error>,
    endgames: impl IntoIterator<Item = &'a WrittenEndgame>,
) -> anyhow::Error {
    let error = error.into();
    let text = format!("{error:#}");
    for endgame in endgames {
        let (name, table) = (endgame.to_string(), endgame.material().to_string());
        if name != table && text.contains(&table) {
            return error.context(format!("{name} ({table})"));
        }
    }
    error
}
