//! Who gives verdicts, from our tables or from Syzygy's.

use errare_core::Metric;
use serde::Serialize;
use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{Assessment, Category, Depths, MoveVerdict, Verdict, category::clock_after, ranking};
use crate::{Layer, MAX_MEN, ProbeError, Prober, Syzygy, SyzygyError, probe::after};

/// Whose tables a verdict comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Authority {
    /// Our tables.
    Errare,
    /// Syzygy tables, which know DTZ alone.
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
/// let verdict = judge.verdict(&position, Metric::Dtc)?;
/// assert_eq!(verdict.position.category, Category::Win);
/// assert_eq!(verdict.moves[0].san.to_string(), "d8=N+");
/// assert_eq!(verdict.moves[0].mark, Some(Mark::OnlyPreserving));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Judge {
    prober: Prober,
    syzygy: Option<Syzygy>,
}

/// Why there is no verdict on a position.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Our tables do not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Syzygy tables do not answer.
    #[error(transparent)]
    Syzygy(#[from] SyzygyError),
}

impl Judge {
    /// Judges by our tables, and by Syzygy tables, if given, where ours have too few men.
    pub fn new(prober: Prober, syzygy: Option<Syzygy>) -> Judge {
        Judge { prober, syzygy }
    }

    /// The verdict on a position, its moves ordered and marked in a metric. Where Syzygy tables
    /// answer, which know no other, that metric is DTZ.
    pub fn verdict(&self, position: &Chess, metric: Metric) -> Result<Verdict, JudgeError> {
        match &self.syzygy {
            Some(syzygy) if position.board().occupied().count() > MAX_MEN => {
                by_syzygy(syzygy, position)
            }
            _ => Ok(judge(
                position,
                metric,
                Authority::Errare,
                |position, clock| by_tables(&self.prober, position, clock),
            )?),
        }
    }
}

/// The verdict of Syzygy tables, however few the men.
pub(crate) fn by_syzygy(syzygy: &Syzygy, position: &Chess) -> Result<Verdict, JudgeError> {
    if position.castles().any() {
        return Err(ProbeError::Castling.into());
    }
    let assess = |position: &Chess, clock| syzygy.probe(position, clock);
    Ok(judge(position, Metric::Dtz, Authority::Syzygy, assess)?)
}

fn by_tables(
    prober: &Prober,
    position: &Chess,
    clock: u32,
) -> Result<(Category, Depths), ProbeError> {
    let depths = Depths::probe(|metric| prober.outcome(position, metric))?;
    let dtz50 = prober.outcome(position, Layer::Dtz50)?;
    Ok((Category::new(depths.dtz(), dtz50, clock), depths))
}

/// The verdict on a position from what `assess` says of it and of the positions after its moves,
/// given the halfmove clock.
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
        let after = assessment(&after(position, m), clock_after(clock, zeroing))?;
        Ok(MoveVerdict {
            r#move: m,
            san: SanPlus::from_move(position.clone(), m),
            zeroing,
            converting,
            mark: None,
            ceded: None,
            through: after
                .depths
                .before_move(&before.depths, zeroing, converting),
            after,
        })
    };
    let moves = position.legal_moves().into_iter().map(after_move);
    let mut moves = moves.collect::<Result<Vec<_>, E>>()?;
    ranking::rank(&mut moves, metric);
    Ok(Verdict {
        position: before,
        source,
        metric,
        moves,
    })
}
