//! What faces ask a history about slips that come back, and all that it holds.

use errare_core::Watch;
use serde::{Deserialize, Serialize};

use super::{Grade, History, HistoryError, NextReview, Slip};
use crate::{
    Error, Service,
    practice::{Judgement, Session},
};

/// Slips that come back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reviews {
    /// Those that are due, the gravest first.
    pub due: Vec<Slip>,
    /// The next one to come back, if none is due.
    pub next: Option<Slip>,
}

/// A try at a slip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Try {
    /// The move, as people type it.
    pub text: String,
    /// Whether a hint was given.
    #[serde(default)]
    pub hinted: bool,
    /// The seconds that it took.
    #[serde(default)]
    pub seconds: Option<f64>,
}

/// What came of a try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reviewed {
    /// What the move was worth.
    pub judgement: Judgement,
    /// The same as a sentence, with what was best.
    pub words: String,
    /// How well that was done.
    pub grade: Grade,
    /// When the slip comes back.
    pub next: Option<NextReview>,
}

/// Everything that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Export {
    /// The games, the oldest first.
    pub sessions: Vec<Session>,
    /// The slips, the next to come back first.
    pub slips: Vec<Slip>,
}

impl History {
    /// The slips that are due, or the next to come.
    pub fn reviews(&self, now: i64) -> Result<Reviews, HistoryError> {
        let due = self.due(now)?;
        let next = match due.is_empty() {
            true => self.slips()?.into_iter().next(),
            false => None,
        };
        Ok(Reviews { due, next })
    }

    /// Judges a try at a slip, and notes when the slip comes back.
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

    /// Everything that is kept.
    pub fn export(&self) -> Result<Export, HistoryError> {
        Ok(Export {
            sessions: self.sessions()?,
            slips: self.slips()?,
        })
    }
}
