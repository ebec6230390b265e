//! Reviews of slips, and the export of the history.

use errare_core::Watch;
use serde::{Deserialize, Serialize};

use super::{Grade, History, HistoryError, NextReview, Slip};
use crate::{
    Error, Service,
    practice::{Judgement, Session},
};

/// Slips to review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reviews {
    /// Those that are due, the gravest first.
    pub due: Vec<Slip>,
    /// The next one, if none is due.
    pub next: Option<Slip>,
}

/// An attempt at a slip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Try {
    /// The move, as typed.
    pub text: String,
    /// Was a hint given?
    #[serde(default)]
    pub hinted: bool,
    /// The time it took, in seconds.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// The result of an attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reviewed {
    /// The judgement of the move.
    pub judgement: Judgement,
    /// The judgement as a sentence, with the best move.
    pub words: String,
    /// The grade.
    pub grade: Grade,
    /// When the slip is due next.
    pub next: Option<NextReview>,
}

/// The whole history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Export {
    /// The games, oldest first.
    pub sessions: Vec<Session>,
    /// The slips, the next due first.
    pub slips: Vec<Slip>,
}

impl History {
    /// The slips that are due, or the next one.
    pub fn reviews(&self, now: i64) -> Result<Reviews, HistoryError> {
        let due = self.due(now)?;
        let next = match due.is_empty() {
            true => self.slips()?.into_iter().next(),
            false => None,
        };
        Ok(Reviews { due, next })
    }

    /// Judges an attempt at a slip, and schedules the next review.
    pub fn review(
        &self,
        service: &Service,
        slip: &Slip,
        tried: &Try,
        now: i64,
        watch: &dyn Watch,
    ) -> Result<Reviewed, Error> {
        let judgement = slip.judge(service, &tried.text, watch)?;
        let grade = Grade::of(&judgement, tried.hinted, tried.seconds);
        Ok(Reviewed {
            words: judgement.sentence(),
            judgement,
            grade,
            next: self.grade(slip.id, grade, now)?,
        })
    }

    /// Everything in the history.
    pub fn export(&self) -> Result<Export, HistoryError> {
        Ok(Export {
            sessions: self.sessions()?,
            slips: self.slips()?,
        })
    }
}
