//! The JSON lines of a practice session for scripts, besides the events of a game.

use serde::{Deserialize, Serialize};

use super::{
    Report, Session, SessionView,
    history::{Reviewed, Slip},
};

/// A line of output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Told {
    /// A session begins or is resumed.
    Began {
        /// The session.
        session: Box<Session>,
        /// What to show.
        view: Box<SessionView>,
    },
    /// The input was refused.
    Refused {
        /// Why.
        message: String,
    },
    /// The result of a session.
    Report(Box<Report>),
    /// A slip is due for review.
    Due {
        /// The slip.
        slip: Box<Slip>,
    },
    /// A slip was reviewed.
    Reviewed {
        /// Its id in the history.
        slip: i64,
        /// The result.
        #[serde(flatten)]
        reviewed: Box<Reviewed>,
    },
}
