//! Endgames, named as their user names them.

use crate::prelude::*;

/// The side of the table that is this side of the endgame as written; says so where it is the other one.
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

/// An error about one of some endgames, which calls it what its user calls it.
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
