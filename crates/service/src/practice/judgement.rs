//! Judges a move, with the papers' marks and in words.

use errare_core::{Mark, Metric};
use errare_endgame::{Choice, Turn};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, san::SanPlus};

use super::standing::{GameValue, Standing};

/// The number of ceded moves from which a move is a mistake rather than dubious.
pub const MISTAKE: u16 = 5;

/// The verdict on a move, from the view of the side that made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Judgement {
    /// How forced the move was.
    pub mark: Option<Mark>,
    /// Is it one of the best moves in the metric?
    pub optimal: bool,
    /// The number of the winner's moves that it cedes compared with the best one; none if it
    /// changes the value.
    pub ceded: Option<u16>,
    /// The standing after the best move.
    pub before: Standing,
    /// The standing after the move.
    pub after: Standing,
    /// The best moves; hidden until requested if a slip is to be retried.
    pub best: Vec<String>,
    /// What the move did: "Qe1+ still wins, but takes 24 moves instead of 22".
    pub words: String,
    /// What would have been better: "Kc7 was best"; none if the move was one of the best.
    pub better: Option<String>,
}

impl Judgement {
    /// Judges a choice among the moves of a position.
    pub fn new(position: &Chess, turn: &Turn, chosen: &Choice, metric: Metric) -> Judgement {
        let san = |choice: &Choice| SanPlus::from_move(position.clone(), choice.r#move).to_string();
        let optimal = turn.is_optimal(chosen);
        let best_state = turn.best().unwrap_or(chosen.state);
        let best: Vec<String> = turn
            .choices()
            .iter()
            .filter(|choice| turn.is_optimal(choice))
            .map(san)
            .collect();
        let mut judgement = Judgement {
            mark: turn.mark(chosen),
            optimal,
            ceded: turn.ceded(chosen),
            before: Standing::through(best_state, metric),
            after: Standing::through(chosen.state, metric),
            better: (!optimal).then(|| better_words(&best, best_state.value() == 0)),
            best,
            words: String::new(),
        };
        let mut after = position.clone();
        after.play_unchecked(chosen.r#move);
        judgement.words = judgement.words(&san(chosen), &after, metric);
        judgement
    }

    /// Did the move give away the value or depth?
    pub fn is_slip(&self) -> bool {
        self.ceded != Some(0)
    }

    /// Did the move change the value, the worst kind of slip?
    pub fn loses_value(&self) -> bool {
        self.ceded.is_none()
    }

    /// The words, followed by what would have been better.
    pub fn sentence(&self) -> String {
        match &self.better {
            Some(better) => format!("{}; {better}", self.words),
            None => self.words.clone(),
        }
    }

    fn words(&self, san: &str, after: &Chess, metric: Metric) -> String {
        let thrown = self.before.value == GameValue::Win && self.after.value == GameValue::Draw;
        if after.is_checkmate() {
            return format!("{san} is mate");
        }
        if thrown && after.is_stalemate() {
            return format!("{san} is stalemate: the win is gone");
        }
        let cost = cost_words(san, [self.before, self.after], metric);
        cost.unwrap_or_else(|| self.praise(san, self.before.value))
    }

    fn praise(&self, san: &str, value: GameValue) -> String {
        match (self.mark, value) {
            (Some(Mark::OnlyLegal), _) => format!("{san} is the only legal move"),
            (Some(Mark::OnlyPreserving), GameValue::Win) => {
                format!("{san} is the only move that keeps the win")
            }
            (Some(Mark::OnlyPreserving), _) => {
                format!("{san} is the only move that keeps the draw")
            }
            (Some(Mark::OnlyOptimal), _) => format!("{san} is the one best move"),
            (None, GameValue::Win) => format!("{san} is best"),
            (None, GameValue::Draw) => format!("{san} keeps the draw"),
            (None, GameValue::Loss) => format!("{san} holds out longest"),
        }
    }
}

/// What a move cost, in words: "Qe1+ still wins, but takes 24 moves instead of 22". `None` if it cost nothing.
///
/// The standings are those after the best move and after this one, for the side that moved.
pub fn cost_words(san: &str, standings: [Standing; 2], metric: Metric) -> Option<String> {
    use GameValue::{Draw, Loss, Win};
    let [best, now] = standings.map(|standing| standing.moves.unwrap_or(0));
    let in_moves = |count| match metric {
        Metric::Dtm => format!("{} to mate", moves(count)),
        Metric::Dtc | Metric::Dtz => moves(count),
        Metric::Dtr => format!("{} of the rule", moves(count)),
    };
    let now_lost = || format!("now lost in {}", in_moves(now));
    Some(match standings.map(|standing| standing.value) {
        [Win, Draw] => format!("{san} throws the win away: now a draw"),
        [Win, Loss] => format!("{san} throws the win away: {}", now_lost()),
        [Draw, Loss] => format!("{san} throws the draw away: {}", now_lost()),
        [Win, Win] if best < now => {
            format!(
                "{san} still wins, but takes {} instead of {best}",
                in_moves(now)
            )
        }
        [Loss, Loss] if now < best => {
            format!("{san} loses in {now} instead of {}", in_moves(best))
        }
        _ => return None,
    })
}

/// "Kc7 was best", "Kc7 or Kb7 was best", "Kc7, Kb7 and 3 others were best"; in a drawn position "Kc7 holds".
pub fn better_words(best: &[String], drawn: bool) -> String {
    let (one_is, many_are) = match drawn {
        true => ("holds the draw", "hold the draw"),
        false => ("was best", "were best"),
    };
    match best {
        [] => String::new(),
        [one] => format!("{one} {one_is}"),
        [one, two] => format!("{one} or {two} {one_is}"),
        [one, two, three] => format!("{one}, {two} or {three} {one_is}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} others {many_are}", rest.len()),
    }
}

/// "1 move", "24 moves".
pub(super) fn moves(count: u16) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}

#[cfg(test)]
mod tests {
    use GameValue::{Draw, Loss, Win};

    use super::*;

    #[test]
    fn every_cost_has_a_sentence() {
        let says = |standings: [(GameValue, u16); 2], metric| {
            let standing = |(value, moves): (GameValue, u16)| Standing {
                value,
                moves: (value != Draw).then_some(moves),
            };
            cost_words("Qe1+", standings.map(standing), metric)
        };
        for (standings, words) in [
            (
                [(Win, 22), (Win, 24)],
                "still wins, but takes 24 moves instead of 22",
            ),
            ([(Win, 23), (Draw, 0)], "throws the win away: now a draw"),
            (
                [(Win, 23), (Loss, 7)],
                "throws the win away: now lost in 7 moves",
            ),
            (
                [(Draw, 0), (Loss, 1)],
                "throws the draw away: now lost in 1 move",
            ),
            ([(Loss, 9), (Loss, 7)], "loses in 7 instead of 9 moves"),
        ] {
            let said = says(standings, Metric::Dtc);
            assert_eq!(said, Some(format!("Qe1+ {words}")));
        }
        let to_mate = says([(Win, 22), (Win, 24)], Metric::Dtm).unwrap();
        assert!(
            to_mate.ends_with("takes 24 moves to mate instead of 22"),
            "{to_mate}"
        );
        for equal in [[(Win, 22); 2], [(Draw, 0); 2], [(Loss, 9); 2]] {
            assert_eq!(says(equal, Metric::Dtc), None);
        }
    }

    #[test]
    fn better_moves_are_named() {
        let says = |names: &str, drawn| {
            let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
            better_words(&names, drawn)
        };
        for (names, drawn, words) in [
            ("Kc7 Kb7", false, "Kc7 or Kb7 was best"),
            ("Kc7 Kb7 Ka7", false, "Kc7, Kb7 or Ka7 was best"),
            (
                "Kc7 Kb7 Ka7 Ka8 Kb8",
                false,
                "Kc7, Kb7 and 3 others were best",
            ),
            ("Kc7", true, "Kc7 holds the draw"),
            (
                "Kc7 Kb7 Ka7 Ka8 Kb8",
                true,
                "Kc7, Kb7 and 3 others hold the draw",
            ),
        ] {
            assert_eq!(says(names, drawn), words);
        }
    }
}
