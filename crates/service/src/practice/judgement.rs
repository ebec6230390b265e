//! Judges a move, with the papers' marks and in words.

use errare_core::{Mark, Metric};
use errare_endgame::{Choice, Turn};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, san::SanPlus};

use super::standing::{GameValue, Standing};

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
    /// What the move did: "Qe1+ lets the win slip from 22 to 24 moves".
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
            better: (!optimal).then(|| better(&best)),
            best,
            words: String::new(),
        };
        let mut after = position.clone();
        after.play_unchecked(chosen.r#move);
        judgement.words = judgement.words(&san(chosen), &after);
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

    fn words(&self, san: &str, after: &Chess) -> String {
        use GameValue::{Draw, Loss, Win};
        let from = self.before.moves.unwrap_or(0);
        let to = self.after.moves.unwrap_or(0);
        if after.is_checkmate() {
            return format!("{san} is mate");
        }
        match (self.before.value, self.after.value) {
            (Win, Draw) if after.is_stalemate() => {
                format!("{san} is stalemate: the win is gone")
            }
            (Win, Draw) => format!("{san} throws the win away: now a draw"),
            (Win, Loss) => format!("{san} throws the win away and even loses, in {}", moves(to)),
            (Draw, Loss) => format!("{san} gives the draw away: now lost in {}", moves(to)),
            (Win, Win) if from < to => {
                format!("{san} lets the win slip from {from} to {}", moves(to))
            }
            (Loss, Loss) if to < from => {
                format!(
                    "{san} gives in faster: lost in {} instead of {from}",
                    moves(to)
                )
            }
            (value, _) => self.praise(san, value),
        }
    }

    fn praise(&self, san: &str, value: GameValue) -> String {
        let kept = match value {
            GameValue::Win => "the win",
            GameValue::Draw => "the draw",
            GameValue::Loss => "out longest",
        };
        match (self.mark, value) {
            (Some(Mark::OnlyLegal), _) => format!("{san} is the only legal move"),
            (Some(Mark::OnlyPreserving), _) => format!("{san} is the only move that keeps {kept}"),
            (Some(Mark::OnlyOptimal), _) => format!("{san} is the one best move"),
            (None, GameValue::Win) => format!("{san} is best"),
            (None, GameValue::Draw) => format!("{san} keeps the draw"),
            (None, GameValue::Loss) => format!("{san} holds out longest"),
        }
    }
}

/// "Kc7 was best", "Kc7 or Kb7 was best", "Kc7, Kb7 and 3 others were best".
fn better(best: &[String]) -> String {
    match best {
        [] => String::new(),
        [one] => format!("{one} was best"),
        [one, two] => format!("{one} or {two} was best"),
        [one, two, rest @ ..] => match rest.len() {
            1 => format!("{one}, {two} or {} was best", rest[0]),
            more => format!("{one}, {two} and {more} other moves were best"),
        },
    }
}

/// "1 move", "24 moves".
pub(super) fn moves(count: u16) -> String {
    match count {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}
