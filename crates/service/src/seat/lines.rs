//! Lines of play with their true scores, from tables or engines.

use std::{cmp::Reverse, collections::HashSet};

use errare_choice::State;
use errare_core::{Metric, Outcome, Plies, Watch};
use errare_engine::Score;
use errare_players::{Chosen, MoveValues, Sight};
use shakmaty::{Chess, Move, Position, zobrist::Zobrist64};

use super::key;

/// A line of play.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its depth: for tables, its length in plies.
    pub depth: usize,
    /// Its score for the side to move.
    pub score: TrueScore,
    /// The moves.
    pub moves: Vec<Move>,
}

/// A score for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrueScore {
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
    /// Hundredths of a pawn. A table win whose distance to mate is unknown is [`TrueScore::WON`] minus the moves to the end of
    /// the metric's phase.
    Centipawns(i32),
}

impl TrueScore {
    /// The score of a win whose distance to mate is unknown, as engines report it.
    pub const WON: i32 = 20_000;

    /// A number that is greater the better the score.
    fn worth(self) -> i32 {
        /// Beyond every score in hundredths of a pawn.
        const MATE: i32 = 1_000_000;
        match self {
            TrueScore::Mate(moves) if moves > 0 => MATE - moves,
            TrueScore::Mate(moves) => -MATE - moves,
            TrueScore::Centipawns(hundredths) => hundredths,
        }
    }
}

impl Variation {
    /// A move about which only the rules are known: mate, or an even score.
    pub(super) fn by_rules(position: &Chess, m: Move) -> Variation {
        let mut after = position.clone();
        after.play_unchecked(m);
        Variation {
            rank: 1,
            depth: 1,
            score: match after.is_checkmate() {
                true => TrueScore::Mate(1),
                false => TrueScore::Centipawns(0),
            },
            moves: vec![m],
        }
    }
}

/// The maximum length of a displayed line.
const LONGEST: usize = 20;

/// The best lines to show.
#[derive(Clone, Copy)]
pub(super) struct Best<'a> {
    /// The number of lines.
    pub(super) lines: usize,
    /// The moves they begin with; any if empty.
    pub(super) among: &'a [Move],
}

/// The lines to show for a choice: for the `best` moves, or for the chosen one. They are cut short when the watch stops,
/// since moving in time matters more.
pub(super) fn of(
    position: &Chess,
    chosen: &Chosen,
    sight: &Sight,
    best: Option<Best<'_>>,
    past: &HashSet<Zobrist64>,
    watch: &dyn Watch,
) -> Vec<Variation> {
    let Some(judgement) = &chosen.judgement else {
        return vec![Variation::by_rules(position, chosen.r#move)];
    };
    let moves = judgement.moves();
    let scored = |number: usize| (number, score(position, judgement, number, sight));
    let shown: Vec<(usize, TrueScore)> = match best {
        Some(Best { lines, among }) => {
            let asked = |number: &usize| among.is_empty() || among.contains(&moves[*number]);
            let all = best_first(judgement).into_iter().filter(asked);
            let mut all: Vec<_> = all.map(scored).collect();
            // The metric's best move may not mate soonest, and scores count moves to mate.
            all.sort_by_key(|(_, score)| Reverse(score.worth()));
            all.truncate(lines);
            all
        }
        None => judgement
            .find(chosen.r#move)
            .into_iter()
            .map(scored)
            .collect(),
    };
    let lines = shown.into_iter().enumerate();
    lines
        .map(|(index, (number, score))| {
            let mut line = vec![moves[number]];
            let depth = match judgement {
                MoveValues::Engine(list) => list.depth().into(),
                MoveValues::Tables { .. } => {
                    go_on(position, &mut line, sight, past, watch);
                    line.len()
                }
            };
            Variation {
                rank: index + 1,
                depth,
                score,
                moves: line,
            }
        })
        .collect()
}

/// Continues with best moves, as long as there are tables and somebody wins. Stops where the game would be a draw by repetition
/// or by the 50-move rule.
fn go_on(
    position: &Chess,
    line: &mut Vec<Move>,
    sight: &Sight,
    past: &HashSet<Zobrist64>,
    watch: &dyn Watch,
) {
    let mut position = position.clone();
    position.play_unchecked(line[0]);
    let has_ended = |position: &Chess| {
        watch.is_stopped() || position.halfmoves() >= 100 || past.contains(&key(position))
    };
    while line.len() < LONGEST && !has_ended(&position) {
        let Ok(Some(judgement)) = sight.tables(&position) else {
            return;
        };
        if matches!(&judgement, MoveValues::Tables { turn, .. } if turn.best() == Some(State::Draw))
        {
            return;
        }
        let Some(&best) = best_first(&judgement).first() else {
            return;
        };
        let next = judgement.moves()[best];
        line.push(next);
        position.play_unchecked(next);
    }
}

/// The indices of the moves, best first.
fn best_first(judgement: &MoveValues) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..judgement.moves().len()).collect();
    // An engine's list is already in this order.
    if let MoveValues::Tables { turn, .. } = judgement {
        numbers.sort_by_key(|&number| turn.choices()[number].state.rank());
    }
    numbers
}

fn score(position: &Chess, judgement: &MoveValues, number: usize, sight: &Sight) -> TrueScore {
    let turn = match judgement {
        MoveValues::Tables { turn, .. } => turn,
        MoveValues::Engine(list) => {
            return match list.moves()[number].1 {
                Score::Centipawns(hundredths) => TrueScore::Centipawns(hundredths),
                Score::Mate(moves) => TrueScore::Mate(moves),
            };
        }
    };
    let choice = &turn.choices()[number];
    let mut after = position.clone();
    after.play_unchecked(choice.r#move);
    let prober = sight.oracle.as_ref().map(|oracle| oracle.prober());
    match prober.and_then(|prober| prober.outcome(&after, Metric::Dtm).ok()) {
        Some(outcome) => mate(outcome),
        None => won(choice.state),
    }
}

/// The score of a move that leads to this outcome for the opponent, in plies to mate.
fn mate(after: Outcome) -> TrueScore {
    match after {
        Outcome::Loss(Plies(plies)) => TrueScore::Mate(i32::from(plies) / 2 + 1),
        Outcome::Draw => TrueScore::Centipawns(0),
        Outcome::Win(Plies(plies)) => TrueScore::Mate(-i32::from(plies.div_ceil(2))),
    }
}

/// The score of a move that leads to this state, in moves to the end of the metric's phase.
fn won(state: State) -> TrueScore {
    TrueScore::Centipawns(match state {
        State::Win(depth) => TrueScore::WON - i32::from(depth),
        State::Draw => 0,
        State::Loss(depth) => i32::from(depth) - TrueScore::WON,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner() {
        assert_eq!(mate(Outcome::Loss(Plies(0))), TrueScore::Mate(1));
        assert_eq!(mate(Outcome::Loss(Plies(2))), TrueScore::Mate(2));
        assert_eq!(mate(Outcome::Win(Plies(1))), TrueScore::Mate(-1));
        assert_eq!(mate(Outcome::Win(Plies(3))), TrueScore::Mate(-2));
        assert_eq!(mate(Outcome::Draw), TrueScore::Centipawns(0));
        assert_eq!(won(State::Win(3)), TrueScore::Centipawns(19_997));
        assert_eq!(won(State::Loss(0)), TrueScore::Centipawns(-20_000));
    }
}
