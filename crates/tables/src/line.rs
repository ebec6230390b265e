//! A line of best play for both sides.

use errare_core::Metric;
use serde::{Serialize, Serializer};
use shakmaty::{Chess, Color, EnPassantMode, KnownOutcome, Outcome, Position, fen::Fen};

use crate::{Assessment, Authority, Judge, JudgeError, MoveVerdict, Verdict, probe::after};

/// How far a line goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// To mate.
    Mate,
    /// To mate or the first capture or promotion.
    Conversion,
}

/// A line of best play from a position: each side plays the first move of its [`Verdict`]. A drawn
/// position has no moves in its line.
///
/// Serialized as a superset of lila-tablebase's main line.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The position that the line begins with.
    #[serde(serialize_with = "fen")]
    pub fen: Fen,
    /// What is said of it.
    #[serde(flatten)]
    pub position: Assessment,
    /// Whose tables it comes from.
    pub source: Authority,
    /// The metric in which play is best.
    pub metric: Metric,
    /// Who wins, the 50-move rule aside: `w`, `b` or null.
    #[serde(serialize_with = "color")]
    pub winner: Option<Color>,
    /// The moves, each with what is said of the position after it.
    pub mainline: Vec<MoveVerdict>,
}

impl Line {
    /// How the game of this line ends; unknown if the line stops before its end.
    pub fn result(&self) -> Outcome {
        let end = self.mainline.last().map_or(self.position, |m| m.after);
        match self.winner {
            None => Outcome::Known(KnownOutcome::Draw),
            Some(winner) if end.checkmate => Outcome::Known(KnownOutcome::Decisive { winner }),
            Some(_) => Outcome::Unknown,
        }
    }
}

impl Judge {
    /// A line of best play in a metric.
    pub fn line(
        &self,
        position: &Chess,
        metric: Metric,
        extent: Extent,
    ) -> Result<Line, JudgeError> {
        // Only the best moves matter.
        let mut search = self.search(0);
        // Who begins a line also ends it, with fewer men too.
        let syzygy = self.syzygy_for(position);
        let mut verdict_on =
            |position: &Chess| self.verdict_with(&mut search, position, metric, syzygy);
        let verdict = verdict_on(position)?;
        let winner = match verdict.position.depths.dtz().sign() {
            0 => None,
            1 => Some(position.turn()),
            _ => Some(!position.turn()),
        };
        let mut line = Line {
            fen: Fen::from_position(position, EnPassantMode::Legal),
            position: verdict.position,
            source: verdict.source,
            metric: verdict.metric,
            winner,
            mainline: Vec::new(),
        };
        let first = |verdict: Verdict| verdict.moves.into_iter().next();
        let mut next = winner.and_then(|_| first(verdict));
        let mut position = position.clone();
        while let Some(best) = next {
            position = after(&position, best.r#move);
            let stop = best.converting && extent == Extent::Conversion;
            line.mainline.push(best);
            next = match stop {
                true => None,
                false => first(verdict_on(&position)?),
            };
        }
        Ok(line)
    }
}

fn fen<S: Serializer>(fen: &Fen, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(fen)
}

fn color<S: Serializer>(color: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    color.map(Color::char).serialize(serializer)
}
