//! The exact hunter's advice, compared with the Predator's.

use errare_core::Watch;
use errare_endgame::{Hunter, Library, Objective, TableView, Worth};
use serde::{Deserialize, Serialize};
use shakmaty::Position;

use super::Move;
use crate::Error;

/// The hunter's advice. A learned competence is rounded to the nearest integer, so that an endgame is solved for only
/// a few values, and gains can be stated in moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hunted {
    /// The opponent's competence for which it was solved.
    pub competence: f64,
    /// In a decided position: the expected number of the winner's moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Verdict>,
    /// In a lost position: the probability that the opponent wins within the limit of the 50-move rule. In a drawn
    /// one: the probability that the opponent errs within 50 moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<Verdict>,
}

/// The hunter's move for one objective, and what it gains if followed by best play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// The best move, in UCI notation.
    pub best: String,
    /// The best move in standard algebraic notation.
    pub san: String,
    /// Its value: moves or a probability.
    pub worth: f64,
    /// Its advantage over the Predator's move.
    pub over_predator: f64,
    /// Its advantage over the best move that is optimal in the metric.
    pub over_optimal: f64,
    /// The values of the moves that keep the value of the position, best first.
    pub moves: Vec<Worthy>,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Worthy {
    /// The move in UCI notation.
    pub uci: String,
    /// Moves or a probability.
    pub worth: f64,
}

/// Asks the hunter about an opponent of this competence; the Predator's moves are given, best first.
pub(super) fn ask(
    view: TableView<'_>,
    hunter: &Hunter,
    moves: &[(usize, Move)],
    watch: &dyn Watch,
) -> Result<Hunted, Error> {
    let value = view.turn.best().map_or(0, |best| best.value());
    let clock = view.position.halfmoves();
    let verdict = |objective: Objective| -> Result<Verdict, Error> {
        let hunter = Hunter {
            objective,
            ..hunter.clone()
        };
        let worths = hunter.worths(view, clock, None, watch)?;
        Ok(Verdict::new(&worths, moves))
    };
    Ok(Hunted {
        competence: hunter.known.unwrap_or_default(),
        length: match value {
            0 => None,
            _ => Some(verdict(Objective::Length)?),
        },
        chance: match value {
            1.. => None,
            0 => Some(verdict(Objective::Swindle)?),
            _ => Some(verdict(Objective::Fifty)?),
        },
    })
}

/// A hunter of an opponent of known competence, with this much memory for solving.
pub(super) fn hunter(competence: f64, kappa: errare_choice::Kappa, memory: u64) -> Hunter {
    Hunter {
        kappa,
        library: Library::shared(memory),
        ..Hunter::of(competence)
    }
}

impl Verdict {
    fn new(worths: &[Worth], moves: &[(usize, Move)]) -> Verdict {
        let named = |number: usize| {
            let found = moves.iter().find(|(other, _)| *other == number);
            &found.expect("the Predator ranks every move").1
        };
        let worth = |number: usize| worths.iter().find(|worth| worth.number == number);
        let best = worths[0];
        let gain =
            |other: Option<&Worth>| other.map_or(0.0, |other| (best.value - other.value).abs());
        let optimal = worths.iter().find(|worth| named(worth.number).optimal);
        Verdict {
            best: named(best.number).uci.clone(),
            san: named(best.number).san.clone(),
            worth: best.value,
            over_predator: gain(moves.first().and_then(|(number, _)| worth(*number))),
            over_optimal: gain(optimal),
            moves: worths
                .iter()
                .map(|worth| Worthy {
                    uci: named(worth.number).uci.clone(),
                    worth: worth.value,
                })
                .collect(),
        }
    }
}
