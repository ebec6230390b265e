//! What a face tells a script about practice, one line of JSON each, besides the events of a game.

use serde::{Deserialize, Serialize};

use super::{
    Report, Session, SessionView,
    history::{Reviewed, Slip},
};

/// Something to tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Told {
    /// A session begins or is taken up again.
    Began {
        /// The session.
        session: Box<Session>,
        /// What there is to show.
        view: Box<SessionView>,
    },
    /// Something that was typed cannot be done.
    Refused {
        /// Why.
        message: String,
    },
    /// What a session came to.
    Report(Box<Report>),
    /// A slip is to be tried again.
    Due {
        /// The slip.
        slip: Box<Slip>,
    },
    /// A slip was tried again.
    Reviewed {
        /// Its number in the history.
        slip: i64,
        /// What came of it.
        #[serde(flatten)]
        reviewed: Box<Reviewed>,
    },
}
