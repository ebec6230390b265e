//! The exact hunter's advice, compared with the Predator's.

use errare_choice::Kappa;
use errare_core::Watch;
use errare_endgame::{HuntError, Hunter, Library, Objective, TableView, Worth};
use serde::{Deserialize, Serialize};
use shakmaty::Position;

use super::Move;
use crate::Error;

/// The hunter's advice. For a learned competence the endgame is solved at the integers below and above, and worths are
/// interpolated geometrically.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hunted {
    /// The opponent's competence.
    pub competence: f64,
    /// In a decided position: the expected number of the winner's moves; absent if it is too large to compute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<HuntVerdict>,
    /// In a lost position: the probability that the opponent wins within the limit of the 50-move rule. In a drawn
    /// one: the probability that the opponent errs within 50 moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<HuntVerdict>,
}

/// The hunter's move for one objective, and what it gains if followed by best play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HuntVerdict {
    /// The best move, in UCI notation.
    pub best: String,
    /// The best move in standard algebraic notation.
    pub san: String,
    /// Its value: moves or a probability.
    pub worth: f64,
    /// The number of the opponent's moves within which the probability holds; absent for a length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_left: Option<u32>,
    /// Its advantage over the Predator's move.
    pub over_predator: f64,
    /// Its advantage over the best move that is optimal in the metric.
    pub over_optimal: f64,
    /// The values of the moves that keep the value of the position, best first.
    pub moves: Vec<MoveWorth>,
}

/// The value of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveWorth {
    /// The move in UCI notation.
    pub uci: String,
    /// Moves or a probability.
    pub worth: f64,
}

/// The hunter for the opponent's competence, or the hunters for the integers below and above it.
pub(super) struct Hunters {
    competence: f64,
    below: Hunter,
    /// With its weight in the interpolation.
    above: Option<(f64, Hunter)>,
}

impl Hunters {
    /// Hunters for an opponent of this competence, with a memory limit for solving. A given competence is solved as
    /// given. A learned one can be any number, and each would leave its own files: it is interpolated between integers.
    pub(super) fn new(competence: f64, given: bool, kappa: Kappa, memory: u64) -> Hunters {
        let hunter = |competence| Hunter {
            kappa,
            library: Library::shared(memory),
            ..Hunter::of(competence)
        };
        let below = if given {
            competence
        } else {
            competence.floor()
        };
        let part = competence - below;
        Hunters {
            competence,
            below: hunter(below),
            above: (part > 0.0).then(|| (part, hunter(below + 1.0))),
        }
    }

    /// Asks for their advice; `moves` are the Predator's, best first.
    pub(super) fn ask(
        &self,
        view: TableView<'_>,
        moves: &[(usize, Move)],
        watch: &dyn Watch,
    ) -> Result<Hunted, Error> {
        let value = view.turn.best().map_or(0, |best| best.value());
        let verdict = |objective| {
            let worths = self.worths(view, objective, watch)?;
            let hunter = aiming(&self.below, objective);
            Ok::<_, HuntError>(HuntVerdict {
                moves_left: hunter.moves_left_at(value, clock(view, objective)),
                ..HuntVerdict::new(&worths, moves)
            })
        };
        let length = match value {
            0 => None,
            _ => match verdict(Objective::Length) {
                Err(error @ (HuntError::TooLong { .. } | HuntError::NotSettled { .. })) => {
                    watch.tell(&error.to_string());
                    None
                }
                found => Some(found?),
            },
        };
        let chance = match value {
            1.. => None,
            0 => Some(verdict(Objective::Swindle)?),
            _ => Some(verdict(Objective::Fifty)?),
        };
        Ok(Hunted {
            competence: self.competence,
            length,
            chance,
        })
    }

    /// The worth of each move, best first. Lengths and chances fall about exponentially with c, hence the geometric mean.
    fn worths(
        &self,
        view: TableView<'_>,
        objective: Objective,
        watch: &dyn Watch,
    ) -> Result<Vec<Worth>, HuntError> {
        let clock = clock(view, objective);
        let below = aiming(&self.below, objective);
        let mut worths = below.worths(view, clock, watch)?;
        let Some((part, above)) = &self.above else {
            return Ok(worths);
        };
        let others = aiming(above, objective).worths(view, clock, watch)?;
        for worth in &mut worths {
            let other = others.iter().find(|other| other.number == worth.number);
            let other = other.map_or(worth.value, |other| other.value);
            worth.value = worth.value.powf(1.0 - part) * other.powf(*part);
        }
        below.rank(view, &mut worths);
        Ok(worths)
    }
}

fn aiming(hunter: &Hunter, objective: Objective) -> Hunter {
    Hunter {
        objective,
        ..hunter.clone()
    }
}

/// The clock by which a hunter counts.
fn clock(view: TableView<'_>, objective: Objective) -> u32 {
    match objective {
        // Its moves are counted from here.
        Objective::Swindle => 0,
        _ => view.position.halfmoves(),
    }
}

impl HuntVerdict {
    fn new(worths: &[Worth], moves: &[(usize, Move)]) -> HuntVerdict {
        let named = |number: usize| {
            let found = moves.iter().find(|(other, _)| *other == number);
            &found.expect("the Predator ranks every move").1
        };
        let worth = |number: usize| worths.iter().find(|worth| worth.number == number);
        let best = worths[0];
        let gain =
            |other: Option<&Worth>| other.map_or(0.0, |other| (best.value - other.value).abs());
        let optimal = worths.iter().find(|worth| named(worth.number).optimal);
        HuntVerdict {
            best: named(best.number).uci.clone(),
            san: named(best.number).san.clone(),
            worth: best.value,
            moves_left: None,
            over_predator: gain(moves.first().and_then(|(number, _)| worth(*number))),
            over_optimal: gain(optimal),
            moves: worths
                .iter()
                .map(|worth| MoveWorth {
                    uci: named(worth.number).uci.clone(),
                    worth: worth.value,
                })
                .collect(),
        }
    }
}
