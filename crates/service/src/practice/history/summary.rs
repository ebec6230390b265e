//! What the history says about the person: sessions in short, and c over time.

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::{History, HistoryError};

/// A session in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SessionSummary {
    /// Its name.
    pub id: String,
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// The endgame.
    pub endgame: String,
    /// What was to be done: `win`, `hold` or `resist`.
    pub task: String,
    /// The opponent.
    pub opponent: String,
    /// The drill, if it was one.
    pub drill: Option<String>,
    /// The result: `win`, `draw` or `loss`; none if it has no end yet.
    pub result: Option<String>,
    /// Whether what was to be done was done.
    pub achieved: bool,
    /// The person's moves.
    pub moves: u32,
    /// The person's slips.
    pub slips: u32,
    /// The moves of depth that the person ceded.
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
    /// The mean; none where the session gives no competence.
    pub mean: Option<f64>,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// How the person is getting on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Progress {
    /// The sessions, the oldest first.
    pub points: Vec<ProgressPoint>,
    /// The slips that are kept.
    pub slips: u32,
    /// Those that are due.
    pub due: u32,
    /// How often slips were tried again.
    pub reviews: u32,
    /// The share of those tries that were not wrong again; none before the first.
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
    /// The competence as people read it: "19.2 (13.9-25.2)".
    pub fn words(&self) -> Option<String> {
        let (mean, low, high) = (self.mean?, self.low?, self.high?);
        Some(format!("{mean:.1} ({low:.1}-{high:.1})"))
    }
}

impl History {
    /// How the person is getting on, in all sessions with a move.
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
