//! Reviews of slips: spaced repetition by FSRS, with intervals of whole days.

use chrono::{DateTime, Utc};
use errare_core::{Colour, Material, Metric, Watch, parse_position};
use rs_fsrs::{Card, FSRS, Parameters, Rating, State};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params, types::Type};
use serde::{Deserialize, Serialize};

use super::{History, HistoryError};
use crate::{
    Error, Service,
    practice::{
        judgement::Judgement,
        notation::typed_move,
        rush::Rush,
        session::{Session, mover, san},
    },
};

/// A position in which the person erred, to be reviewed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Slip {
    /// Its id in the history.
    pub id: i64,
    /// The session in which it happened, or `rush` with its seed.
    pub session: String,
    /// The endgame.
    pub endgame: Material,
    /// The metric in which moves are judged.
    pub metric: Metric,
    /// The position.
    pub fen: String,
    /// The side to move.
    pub side: Colour,
    /// The move played.
    pub played: String,
    /// What was wrong with it.
    pub words: String,
    /// Did it change the value?
    pub value_lost: bool,
    /// The number of moves ceded, if it did not.
    pub ceded: u16,
    /// When it is due, in seconds since 1970.
    pub due: i64,
    /// The number of reviews.
    pub reviews: u32,
}

/// The grade of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Wrong again.
    Again,
    /// Nearly: with a hint, or a move worse than the best.
    Hard,
    /// One of the best moves.
    Good,
    /// One of the best moves, at once.
    Easy,
}

/// The maximum number of seconds for `Easy`.
const AT_ONCE: f64 = 5.0;

impl Grade {
    /// The grade of a move, by how it was found.
    pub fn of(judgement: &Judgement, hinted: bool, seconds: Option<f64>) -> Grade {
        match judgement.ceded {
            Some(0) if hinted => Grade::Hard,
            Some(0) if seconds.is_some_and(|seconds| seconds <= AT_ONCE) => Grade::Easy,
            Some(0) => Grade::Good,
            Some(1) if !hinted => Grade::Hard,
            _ => Grade::Again,
        }
    }

    fn rating(self) -> Rating {
        match self {
            Grade::Again => Rating::Again,
            Grade::Hard => Rating::Hard,
            Grade::Good => Rating::Good,
            Grade::Easy => Rating::Easy,
        }
    }
}

/// When a slip is due next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NextReview {
    /// The time, in seconds since 1970.
    pub due: i64,
    /// The number of days until then.
    pub days: i64,
}

impl Slip {
    /// Judges a move typed in the slip's position.
    pub fn judge(
        &self,
        service: &Service,
        text: &str,
        watch: &dyn Watch,
    ) -> Result<Judgement, Error> {
        judge(service, &self.fen, self.endgame, self.metric, text, watch)
    }
}

/// Judges a move typed in a position.
pub(in crate::practice) fn judge(
    service: &Service,
    fen: &str,
    endgame: Material,
    metric: Metric,
    text: &str,
    watch: &dyn Watch,
) -> Result<Judgement, Error> {
    let oracle = service.tables.oracle(&[endgame], metric, &[], watch)?;
    let position = parse_position(fen)?;
    let m = typed_move(&position, text)?;
    let turn = oracle.turn(&position)?;
    let chosen = turn
        .find(m)
        .ok_or_else(|| Error::bad_request("the tables do not know that move"))?;
    Ok(Judgement::new(
        &position,
        &turn,
        &turn.choices()[chosen],
        metric,
    ))
}

/// FSRS with its published parameters, in days: a review after ten minutes tests nothing.
fn scheduler() -> FSRS {
    FSRS::new(Parameters {
        enable_short_term: false,
        ..Parameters::default()
    })
}

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// A move that was a slip, in a game or in a rush.
struct Slipped<'a> {
    /// Where it happened.
    session: &'a str,
    /// When that began.
    begun: i64,
    endgame: Material,
    metric: Metric,
    fen: &'a str,
    san: &'a str,
    judgement: &'a Judgement,
}

/// Stores the new slips of a session.
pub(super) fn store_slips(
    change: &Transaction<'_>,
    session: &Session,
    now: i64,
) -> rusqlite::Result<()> {
    for attempt in session.slips() {
        let slipped = Slipped {
            session: &session.id,
            begun: session.begun,
            endgame: session.setup.endgame,
            metric: session.setup.metric,
            fen: &attempt.fen,
            san: &attempt.san,
            judgement: &attempt.judgement,
        };
        store_slip(change, &slipped, now)?;
    }
    Ok(())
}

/// Stores a slip. In a known position it comes back soon, but is not a review: games in which the position went well are not
/// counted either.
fn store_slip(change: &Transaction<'_>, slipped: &Slipped<'_>, now: i64) -> rusqlite::Result<()> {
    let metric = slipped.metric.name();
    let known: Option<(i64, i64)> = change
        .query_row(
            "SELECT id, seen FROM slip WHERE fen = ? AND metric = ?",
            params![slipped.fen, metric],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    match known {
        // Every save includes the session's earlier slips.
        Some((_, seen)) if seen >= slipped.begun => {}
        Some((id, _)) => {
            schedule(change, id, Grade::Again, now)?;
            change.execute("UPDATE slip SET seen = ? WHERE id = ?", params![now, id])?;
        }
        None => {
            let new = Card {
                due: time(now),
                last_review: time(now),
                ..Card::default()
            };
            let card = scheduler().next(new, time(now), Rating::Again).card;
            change.execute(
                "INSERT INTO slip (session, endgame, metric, fen, played, words, value_lost, ceded, seen, due, \
                 stability, difficulty, elapsed_days, scheduled_days, reps, lapses, state, last_review) \
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                params![
                    slipped.session,
                    slipped.endgame.to_string(),
                    metric,
                    slipped.fen,
                    slipped.san,
                    slipped.judgement.words,
                    slipped.judgement.loses_value(),
                    slipped.judgement.ceded.unwrap_or(0),
                    now,
                ],
            )?;
            store_card(change, change.last_insert_rowid(), &card)?;
        }
    }
    Ok(())
}

fn store_card(change: &Connection, id: i64, card: &Card) -> rusqlite::Result<usize> {
    change.execute(
        "UPDATE slip SET due = ?, stability = ?, difficulty = ?, elapsed_days = ?, scheduled_days = ?, reps = ?, \
         lapses = ?, state = ?, last_review = ? WHERE id = ?",
        params![
            card.due.timestamp(),
            card.stability,
            card.difficulty,
            card.elapsed_days,
            card.scheduled_days,
            card.reps,
            card.lapses,
            card.state as i64,
            card.last_review.timestamp(),
            id,
        ],
    )
}

fn load_card(row: &Row<'_>) -> rusqlite::Result<Card> {
    Ok(Card {
        due: time(row.get("due")?),
        stability: row.get("stability")?,
        difficulty: row.get("difficulty")?,
        elapsed_days: row.get("elapsed_days")?,
        scheduled_days: row.get("scheduled_days")?,
        reps: row.get("reps")?,
        lapses: row.get("lapses")?,
        state: match row.get("state")? {
            0 => State::New,
            1 => State::Learning,
            2 => State::Review,
            _ => State::Relearning,
        },
        last_review: time(row.get("last_review")?),
    })
}

/// Schedules the slip with this id again, if it exists.
fn schedule(
    change: &Connection,
    id: i64,
    grade: Grade,
    now: i64,
) -> rusqlite::Result<Option<NextReview>> {
    let card = change
        .query_row("SELECT * FROM slip WHERE id = ?", [id], load_card)
        .optional()?;
    let Some(card) = card else { return Ok(None) };
    let next = scheduler().next(card, time(now), grade.rating()).card;
    store_card(change, id, &next)?;
    Ok(Some(NextReview {
        due: next.due.timestamp(),
        days: next.scheduled_days,
    }))
}

fn load_slip(row: &Row<'_>) -> rusqlite::Result<Slip> {
    let wrong = |column: usize, error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error)
    };
    let (endgame, metric, fen): (String, String, String) =
        (row.get("endgame")?, row.get("metric")?, row.get("fen")?);
    let position = parse_position(&fen).map_err(|error| wrong(4, error.into()))?;
    Ok(Slip {
        id: row.get("id")?,
        session: row.get("session")?,
        endgame: endgame
            .parse()
            .map_err(|error: errare_core::ParseMaterialError| wrong(2, error.into()))?,
        metric: metric
            .parse()
            .map_err(|error: errare_core::ParseMetricError| wrong(3, error.into()))?,
        side: mover(&position),
        fen,
        played: row.get("played")?,
        words: row.get("words")?,
        value_lost: row.get("value_lost")?,
        ceded: row.get("ceded")?,
        due: row.get("due")?,
        reviews: row.get("reviews")?,
    })
}

impl History {
    /// Keeps the last answer of a rush if it was a slip.
    pub fn save_rush(&self, rush: &Rush, now: i64) -> Result<(), Error> {
        let Some((position, answer)) = rush.positions.iter().zip(&rush.answers).next_back() else {
            return Ok(());
        };
        if !answer.judgement.is_slip() {
            return Ok(());
        }
        let board = parse_position(&position.fen)?;
        let slipped = Slipped {
            session: &format!("rush {}", rush.seed),
            begun: now,
            endgame: position.endgame,
            metric: rush.metric,
            fen: &position.fen,
            san: &san(&board, typed_move(&board, &answer.text)?),
            judgement: &answer.judgement,
        };
        let mut connection = self.connection();
        let stored = (|| {
            let change =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            store_slip(&change, &slipped, now)?;
            change.commit()
        })();
        Ok(stored.map_err(self.database())?)
    }

    /// The slips that are due: lost results first, then by ceded depth.
    pub fn due(&self, now: i64) -> Result<Vec<Slip>, HistoryError> {
        self.slips_where("due <= ? ORDER BY value_lost DESC, ceded DESC, due", now)
    }

    /// All slips, the next due first.
    pub fn slips(&self) -> Result<Vec<Slip>, HistoryError> {
        self.slips_where("? < due OR TRUE ORDER BY due", 0)
    }

    fn slips_where(&self, condition: &str, now: i64) -> Result<Vec<Slip>, HistoryError> {
        let connection = self.connection();
        let slips = || -> rusqlite::Result<Vec<Slip>> {
            let mut query = connection.prepare(&format!(
                "SELECT *, (SELECT count(*) FROM review WHERE review.slip = slip.id) AS reviews FROM slip WHERE {condition}"
            ))?;
            query.query_map([now], load_slip)?.collect()
        };
        slips().map_err(self.database())
    }

    /// Records the grade of a slip and returns when it is due next; `None` if there is no such slip.
    pub fn grade(&self, id: i64, how: Grade, now: i64) -> Result<Option<NextReview>, HistoryError> {
        let mut connection = self.connection();
        let graded = (|| -> rusqlite::Result<Option<NextReview>> {
            let change =
                connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let next = schedule(&change, id, how, now)?;
            if next.is_some() {
                let told = super::name(&how);
                change.execute(
                    "INSERT INTO review VALUES (?, ?, ?)",
                    params![id, now, told],
                )?;
            }
            change.commit()?;
            Ok(next)
        })();
        graded.map_err(self.database())
    }
}
