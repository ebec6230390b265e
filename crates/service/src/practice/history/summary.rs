//! The person's progress: session summaries, and c over time.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{History, HistoryError};

/// A summary of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SessionSummary {
    /// Its id.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// The endgame.
    pub endgame: String,
    /// The task: `win`, `hold` or `resist`.
    pub task: String,
    /// The opponent.
    pub opponent: String,
    /// The drill, if it was one.
    pub drill: Option<String>,
    /// The result: `win`, `draw` or `loss`; none if it has not ended.
    pub result: Option<String>,
    /// Was the task achieved?
    pub achieved: bool,
    /// The number of the person's moves.
    pub moves: u32,
    /// The number of the person's slips.
    pub slips: u32,
    /// The depth that the person ceded, in moves.
    pub ceded: u32,
    /// How often the person changed the value.
    pub value_losses: u32,
}

/// A session's apparent competence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProgressPoint {
    /// The session.
    pub session: SessionSummary,
    /// The mean; none if the session gives no estimate.
    pub mean: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// The person's progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Progress {
    /// The sessions, oldest first.
    pub points: Vec<ProgressPoint>,
    /// The number of slips.
    pub slips: u32,
    /// The number of slips that are due.
    pub due: u32,
    /// The number of reviews.
    pub reviews: u32,
    /// The share of successful reviews; none before the first.
    pub recalled: Option<f64>,
}

fn load(row: &Row<'_>) -> rusqlite::Result<ProgressPoint> {
    let (task, result): (String, Option<String>) = (row.get("task")?, row.get("result")?);
    let achieved = match (task.as_str(), result.as_deref()) {
        ("win", result) => result == Some("win"),
        (_, result) => matches!(result, Some("win" | "draw")),
    };
    Ok(ProgressPoint {
        session: SessionSummary {
            id: row.get("id")?,
            begun: row.get("begun")?,
            endgame: row.get("endgame")?,
            task,
            opponent: row.get("opponent")?,
            drill: row.get("drill")?,
            result,
            achieved,
            moves: row.get("moves")?,
            slips: row.get("slips")?,
            ceded: row.get("ceded")?,
            value_losses: row.get("value_losses")?,
        },
        mean: row.get("c_mean")?,
        low: row.get("c_low")?,
        high: row.get("c_high")?,
    })
}

impl ProgressPoint {
    /// The competence for display: "19.2 (13.9-25.2)".
    pub fn words(&self) -> Option<String> {
        let (mean, low, high) = (self.mean?, self.low?, self.high?);
        Some(format!("{mean:.1} ({low:.1}-{high:.1})"))
    }
}

impl History {
    /// The person's progress over all sessions with a move.
    pub fn progress(&self, now: i64) -> Result<Progress, HistoryError> {
        let connection = self.connection();
        let progress = || -> rusqlite::Result<Progress> {
            let mut query = connection
                .prepare("SELECT * FROM session WHERE moves > 0 ORDER BY begun, rowid")?;
            let points = query
                .query_map([], load)?
                .collect::<rusqlite::Result<_>>()?;
            let count = |query: &str, values: &[&dyn rusqlite::ToSql]| {
                connection.query_row(query, values, |row| row.get::<_, u32>(0))
            };
            let reviews = count("SELECT count(*) FROM review", &[])?;
            let failed = count("SELECT count(*) FROM review WHERE grade = 'again'", &[])?;
            Ok(Progress {
                points,
                slips: count("SELECT count(*) FROM slip", &[])?,
                due: count("SELECT count(*) FROM slip WHERE due <= ?", &[&now])?,
                reviews,
                recalled: (reviews > 0).then(|| f64::from(reviews - failed) / f64::from(reviews)),
            })
        };
        progress().map_err(self.database())
    }
}
