//! Ranks moves: their order, marks and ceded depth.

use std::cmp::Reverse;

use errare_core::{Mark, Metric, Moves, Outcome};
use shakmaty::uci::UciMove;

use super::MoveVerdict;

/// Sorts all moves of a position, best first, marks them, and computes what they cede in a metric if it is certain which
/// are best.
pub(super) fn rank(moves: &mut [MoveVerdict], metric: Metric, certain: bool) {
    moves.sort_by_cached_key(|m| {
        let depths = [
            m.through.get(metric),
            Some(m.to_zeroing),
            m.through.get(Metric::Dtm),
        ]
        .map(|outcome| outcome.map(Outcome::preference));
        let name = UciMove::from_standard(m.r#move).to_string();
        (Reverse((m.after.category.reversed(), depths)), name)
    });
    let worth = |m: &MoveVerdict| (m.after.category, m.through.get(metric));
    let Some((value, Some(best))) = moves.first().map(worth) else {
        return;
    };
    let preserves = |m: &MoveVerdict| m.after.category == value;
    let is_best = |m: &MoveVerdict| worth(m) == (value, Some(best));
    let only = |test: &dyn Fn(&MoveVerdict) -> bool| moves.iter().filter(|m| test(m)).count() == 1;
    let mark_of_best = [
        (Mark::OnlyLegal, only(&|_| true)),
        (Mark::OnlyPreserving, only(&preserves)),
        (Mark::OnlyOptimal, certain && only(&is_best)),
    ]
    .into_iter()
    .find_map(|(mark, holds)| holds.then_some(mark));
    for m in moves {
        let depth = |outcome: Outcome| outcome.moves_in(metric).map_or(0, |moves| moves.0);
        m.mark = mark_of_best.filter(|_| is_best(m));
        m.ceded = match m.through.get(metric) {
            _ if !certain => None,
            _ if metric == Metric::Dtr && m.greatest_dtr.is_some() => None,
            Some(outcome) if preserves(m) => Some(Moves(depth(outcome).abs_diff(depth(best)))),
            _ => None,
        };
    }
}
