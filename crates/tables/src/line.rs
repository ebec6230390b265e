//! Lines of best play by both sides.

use errare_core::{Metric, Watch};
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
#[derive(Debug, Clone)]
pub struct Line {
    /// The starting position.
    pub fen: Fen,
    /// Its assessment.
    pub position: Assessment,
    /// The tables it comes from.
    pub source: Authority,
    /// The metric in which play is best.
    pub metric: Metric,
    /// The winner, ignoring the 50-move rule.
    pub winner: Option<Color>,
    /// The moves, each with the assessment of the position after it.
    pub mainline: Vec<MoveVerdict>,
}

impl Line {
    /// The result of this line; unknown if the line stops before the end of the game.
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
    /// A line of best play in a metric. If the watch stops it, there is no line.
    pub fn line(
        &self,
        position: &Chess,
        metric: Metric,
        extent: Extent,
        watch: &dyn Watch,
    ) -> Result<Line, JudgeError> {
        // Only the best moves matter.
        let mut search = self.search(0, watch);
        // A line begun with Syzygy stays with Syzygy below six men.
        let syzygy = self.syzygy_for(position);
        let mut verdict_on = |position: &Chess| {
            let verdict = self.verdict_with(&mut search, position, metric, syzygy)?;
            watch.check()?;
            Ok::<_, JudgeError>(verdict)
        };
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
