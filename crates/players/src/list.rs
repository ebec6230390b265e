//! An engine's list of all moves, in place of a table.
//!
//! A reference player R_c chooses an option with probability proportional to S_c = exp(-c g), where g is its aversion: ln(d +
//! κ) for a win of depth d. An engine knows no depths, so the scale on which Regan & Haworth (2011, section 3.1) measure
//! evaluations takes their place: with F(e) = sign(e) ln(1 + |e|), e in pawns from the mover's view, the aversion is
//!
//! ```text
//! g = -F(e)
//! ```
//!
//! as if a move led to a win of depth 1 / (1 + e) for e >= 0. Two moves with evaluations e_0 > e differ in aversion by the
//! cost delta = F(e_0) - F(e) of Regan & Haworth, and are chosen with odds exp(c delta). At c = 20 and a level game, five
//! centipawns are worth odds of 2.7 to 1, which is about what one move of depth is worth in a win in 20.
//!
//! A mate in n counts 100 (1 + 1/n) pawns, so that shorter mates are preferred. All moves are considered, since an engine knows
//! no theoretical result to preserve.

use errare_choice::Profile;
use errare_core::Mark;
use errare_engine::{Evaluation, Score};
use errare_rating::{continuous::Seen, scaled};
use shakmaty::{Chess, Move, Position};

/// All moves of a position as an engine ranks them, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineList {
    moves: Vec<(Move, Score)>,
    depth: u8,
    seen: Seen,
}

impl EngineList {
    /// Built from an evaluation, at the greatest depth at which all moves are ranked.
    pub fn new(position: &Chess, evaluation: &Evaluation) -> EngineList {
        let deepest = evaluation.deepest();
        let ranked = deepest.ranking.iter().filter_map(|ranked| {
            let name = evaluation.moves()[usize::from(ranked.index)];
            Some((name.to_move(position).ok()?, ranked.score))
        });
        EngineList {
            moves: ranked.collect(),
            depth: deepest.depth,
            seen: Seen::of_evaluation(evaluation, position.fullmoves().get()),
        }
    }

    /// The moves with their scores, best first.
    pub fn moves(&self) -> &[(Move, Score)] {
        &self.moves
    }

    /// How deep the engine looked.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The moves at all depths, as input for the model of human play.
    pub(crate) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Moves as pairs of aversion and weight.
    pub fn options(&self) -> Vec<(f64, f64)> {
        let option = |(_, score): &(Move, Score)| (aversion(*score), 1.0);
        self.moves.iter().map(option).collect()
    }

    /// The turn as a profile of options.
    pub fn profile(&self) -> Profile {
        Profile::new(self.options())
    }

    /// The index of a move in the list.
    pub fn find(&self, m: Move) -> Option<usize> {
        self.moves.iter().position(|(listed, _)| *listed == m)
    }

    /// What a move gives away, in pawns.
    pub fn ceded(&self, number: usize) -> f64 {
        self.moves[0].1.pawns() - self.moves[number].1.pawns()
    }

    /// The mark of the only legal move, if there is only one.
    pub fn mark(&self) -> Option<Mark> {
        (self.moves.len() == 1).then_some(Mark::OnlyLegal)
    }
}

/// g of a score.
pub(crate) fn aversion(score: Score) -> f64 {
    -worth(score)
}

/// F of a score, with different values for different mates.
pub(crate) fn worth(score: Score) -> f64 {
    scaled(match score {
        Score::Centipawns(_) => score.pawns(),
        Score::Mate(moves) => score.pawns() * (1.0 + 1.0 / f64::from(moves.abs().max(1))),
    })
}

#[cfg(test)]
mod tests {
    use errare_choice::probabilities;

    use super::*;

    #[test]
    fn odds_are_those_of_the_scaled_cost() {
        let options = [Score::Centipawns(0), Score::Centipawns(-5)].map(|s| (aversion(s), 1.0));
        let chances = probabilities(options, 20.0);
        let cost = 1.05_f64.ln();
        assert!((chances[0] / chances[1] - (20.0 * cost).exp()).abs() < 1e-9);
    }

    #[test]
    fn shorter_mates_and_longer_resistance_are_preferred() {
        let best_first = [
            Score::Mate(1),
            Score::Mate(2),
            Score::Mate(40),
            Score::Centipawns(9_999),
            Score::Centipawns(30),
            Score::Centipawns(-30),
            Score::Mate(-9),
            Score::Mate(-1),
        ];
        assert!(best_first.is_sorted_by(|a, b| aversion(*a) < aversion(*b)));
    }
}
