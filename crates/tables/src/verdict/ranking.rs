//! Moves compared: their order, marks and ceded depth.

use std::cmp::Reverse;

use errare_core::{Mark, Metric, Moves, Outcome};
use shakmaty::uci::UciMove;

use super::{MoveVerdict, rule::ByRule};

impl MoveVerdict {
    /// Notes what the move is by the rule.
    pub(super) fn set_by_rule(&mut self, by_rule: ByRule) {
        self.through.set_dtr(by_rule.rule);
        self.to_zeroing = by_rule.zeroing;
    }
}

/// Sorts all moves of a position, best first, marks them and finds what they cede in a metric.
pub(super) fn rank(moves: &mut [MoveVerdict], metric: Metric) {
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
    let outcomes: Vec<Outcome> = moves.iter().filter_map(|m| m.through.get(metric)).collect();
    let Some(&best) = outcomes.iter().max_by_key(|outcome| outcome.preference()) else {
        return;
    };
    let only = |test: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|o| test(o)).count() == 1;
    let preserves = |outcome: &Outcome| outcome.sign() == best.sign();
    let mark_of_best = [
        (Mark::OnlyLegal, only(&|_| true)),
        (Mark::OnlyPreserving, only(&preserves)),
        (Mark::OnlyOptimal, only(&|&outcome| outcome == best)),
    ]
    .into_iter()
    .find_map(|(mark, holds)| holds.then_some(mark));
    for (m, outcome) in moves.iter_mut().zip(outcomes) {
        m.mark = mark_of_best.filter(|_| outcome == best);
        m.ceded = preserves(&outcome).then(|| {
            let depth = |outcome: Outcome| outcome.moves_in(metric).map_or(0, |moves| moves.0);
            Moves(depth(outcome).abs_diff(depth(best)))
        });
    }
}
