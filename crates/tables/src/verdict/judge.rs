//! Verdicts from our tables or from Syzygy tables.

use std::sync::Arc;

use errare_core::{Metric, Stopped, Watch};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{
    Assessment, Category, Depths, MoveVerdict, Verdict, category::clock_after, ranking,
    rule::Search,
};
use crate::{
    Layer, MAX_MEN, ProbeError, Prober, Syzygy, SyzygyError, generate::FIFTY_MOVES, probe::after,
};

/// Search limit in positions for the DTR of moves that are compared in another metric: some tenths of a second.
const SOON: u64 = 20_000;

/// The same where moves are compared in DTR, for those that cannot be best: a second or two.
const LONG: u64 = 100_000;

/// The tables that a verdict comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// Our tables.
    Errare,
    /// Syzygy tables, which only know DTZ.
    Syzygy,
}

/// Gives verdicts on positions.
///
/// ```no_run
/// use errare_core::{Mark, Metric};
/// use errare_tables::{Category, Judge, Prober, Store, parse_position};
///
/// let judge = Judge::new(Prober::new(Store::open("tables", 256 << 20)), None);
/// let position = parse_position("8/3P4/KBk5/8/8/8/8/8 w - - 0 1")?;
/// let verdict = judge.verdict(&position, Metric::Dtc, &())?;
/// assert_eq!(verdict.position.category, Category::Win);
/// assert_eq!(verdict.moves[0].san.to_string(), "d8=N+");
/// assert_eq!(verdict.moves[0].mark, Some(Mark::OnlyPreserving));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Judge {
    prober: Prober,
    syzygy: Option<Arc<Syzygy>>,
}

/// Why there is no verdict on a position.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Our tables gave no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Syzygy tables gave no answer.
    #[error(transparent)]
    Syzygy(#[from] SyzygyError),
    /// The watcher stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Judge {
    /// Judges by our tables, and by Syzygy tables, if given, for positions with more men.
    pub fn new(prober: Prober, syzygy: Option<Syzygy>) -> Judge {
        Judge {
            prober,
            syzygy: syzygy.map(Arc::new),
        }
    }

    /// The verdict on a position, with moves ordered and marked in a metric. Where Syzygy tables answer, the
    /// metric is always DTZ.
    ///
    /// A verdict in DTR may take long. If the watch stops it, as a [`Deadline`](errare_core::Deadline) does,
    /// the answer has bounds and is not marked as [certain](Verdict::certain).
    pub fn verdict(
        &self,
        position: &Chess,
        metric: Metric,
        watch: &dyn Watch,
    ) -> Result<Verdict, JudgeError> {
        let effort = match metric {
            Metric::Dtr => LONG,
            _ => SOON,
        };
        let syzygy = self.syzygy_for(position);
        self.verdict_with(&mut self.search(effort, watch), position, metric, syzygy)
    }

    /// The verdict of Syzygy tables, whatever the number of men; `None` if there are no such tables.
    pub fn verdict_by_syzygy(&self, position: &Chess) -> Result<Option<Verdict>, JudgeError> {
        let syzygy = self.syzygy.as_deref();
        syzygy.map(|syzygy| by_syzygy(syzygy, position)).transpose()
    }

    /// A search for [`Judge::verdict_with`] with this limit for moves that cannot be best.
    pub(crate) fn search<'a>(&'a self, effort: u64, watch: &'a dyn Watch) -> Search<'a> {
        Search::new(&self.prober, effort, watch)
    }

    /// The Syzygy tables, if the position is outside our own.
    pub(crate) fn syzygy_for(&self, position: &Chess) -> Option<&Syzygy> {
        let too_many_men = position.board().occupied().count() > MAX_MEN;
        self.syzygy.as_deref().filter(|_| too_many_men)
    }

    /// Like [`Judge::verdict`], with knowledge from verdicts on other positions of the same game, or by Syzygy
    /// tables.
    pub(crate) fn verdict_with(
        &self,
        search: &mut Search<'_>,
        position: &Chess,
        metric: Metric,
        syzygy: Option<&Syzygy>,
    ) -> Result<Verdict, JudgeError> {
        if let Some(syzygy) = syzygy {
            return by_syzygy(syzygy, position);
        }
        let assess = |position: &Chess, clock| self.assess(position, clock);
        let mut verdict = judge(position, metric, Authority::Errare, assess)?;
        let moves = &mut verdict.moves;
        match verdict.position.depths.get(Metric::Dtr) {
            Some(dtr) if metric == Metric::Dtr => {
                verdict.certain = search.set_dtr_and_best(position, dtr, moves)?;
            }
            _ => search.set_dtr(position, moves)?,
        }
        ranking::rank(&mut verdict.moves, metric, verdict.certain);
        Ok(verdict)
    }

    fn assess(&self, position: &Chess, clock: u32) -> Result<(Category, Depths), ProbeError> {
        let [dtm, dtc, dtz, dtr, dtz50] = self.prober.outcomes(position, Layer::ALL)?;
        let depths = Depths::known([dtm, dtc, dtz, dtr]);
        Ok((Category::new(depths.dtz(), dtz50, clock), depths))
    }
}

/// The verdict of Syzygy tables, whatever the number of men.
pub(super) fn by_syzygy(syzygy: &Syzygy, position: &Chess) -> Result<Verdict, JudgeError> {
    if position.castles().any() {
        return Err(ProbeError::Castling.into());
    }
    let assess = |position: &Chess, clock| syzygy.probe(position, clock);
    let mut verdict = judge(position, Metric::Dtz, Authority::Syzygy, assess)?;
    ranking::rank(&mut verdict.moves, Metric::Dtz, true);
    Ok(verdict)
}

/// Applies `assess` to a position and to those after its moves, given the halfmove clock. The moves are not
/// ranked yet.
fn judge<E>(
    position: &Chess,
    metric: Metric,
    source: Authority,
    assess: impl Fn(&Chess, u32) -> Result<(Category, Depths), E>,
) -> Result<Verdict, E> {
    let assessment = |position: &Chess, clock| {
        let (category, depths) = assess(position, clock)?;
        Ok(Assessment::new(position, category, depths))
    };
    let clock = position.halfmoves();
    let before = assessment(position, clock)?;
    let after_move = |m: Move| {
        let zeroing = m.is_zeroing();
        let converting = m.is_capture() || m.is_promotion();
        let mut after = assessment(&after(position, m), clock_after(clock, zeroing))?;
        if after.checkmate && clock >= FIFTY_MOVES.into() {
            // The rule has already ended the game.
            after.category = Category::BlessedLoss;
        }
        let through = after.depths.before_move(zeroing, converting);
        Ok(MoveVerdict {
            r#move: m,
            san: SanPlus::from_move(position.clone(), m),
            zeroing,
            converting,
            mark: None,
            ceded: None,
            through,
            greatest_dtr: None,
            to_zeroing: through.dtz(),
            after,
        })
    };
    let moves = position.legal_moves().into_iter().map(after_move);
    Ok(Verdict {
        position: before,
        source,
        metric,
        certain: true,
        moves: moves.collect::<Result<_, E>>()?,
    })
}
