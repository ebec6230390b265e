//! The difficulty of a start: the probability that the reference player R_20, who may lose value, reaches the goal.
//!
//! For wins and losses this is the Predictor's probability of winning within 50 moves against best defence, averaged
//! over all positions of a depth (Haworth and Andrist 2004, section 6). Draws have no depth; for them we follow a line
//! in which the attacker is the Predator, and multiply the probabilities that R_20 holds the draw at each turn.

use std::{fmt, str::FromStr};

use errare_choice::Kappa;
use errare_core::{Fault, FaultKind, Material, Watch};
use errare_endgame::{
    Opponent, Oracle, Predator, PredatorDepth, Predictor, ReferencePlayer, TableAgent, TableView,
    Values, Weighting,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};

use crate::Error;

/// The c of the reference player that defines levels.
pub(super) const LEVEL_COMPETENCE: f64 = 20.0;
/// The number of moves within which it must win.
const MOVES: u32 = 50;
/// The number of turns for which it must hold a draw.
const TURNS: usize = 8;

/// The difficulty of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// R_20 reaches the goal at least three times in four.
    Easy,
    /// In between.
    Medium,
    /// R_20 reaches the goal at most one time in four.
    Hard,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Easy, Level::Medium, Level::Hard];

    /// The level for a probability of reaching the goal.
    pub fn of(chance: f64) -> Level {
        match chance {
            _ if chance >= 0.75 => Level::Easy,
            _ if chance > 0.25 => Level::Medium,
            _ => Level::Hard,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returned when a text is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a level is easy, medium or hard, not {0:?}")]
pub struct ParseLevelError(String);

impl Fault for ParseLevelError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        let level = Level::ALL.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| ParseLevelError(text.to_owned()))
    }
}

/// By depth: the probability that R_20 on this side wins within 50 moves.
pub(super) fn winning_chances(
    oracle: &Oracle,
    endgame: Material,
    winner: Color,
    kappa: Kappa,
    watch: &dyn Watch,
) -> Result<Vec<(u16, f64)>, Error> {
    let predictor = Predictor::new(oracle, endgame, kappa, Values::Risked)?;
    let chains = predictor.chains(winner, &[LEVEL_COMPETENCE], f64::INFINITY, watch)?;
    let chain = &chains[0];
    let chances = chain.win_within(MOVES);
    let chance = |depth| chances[chain.states().number(chain.win(depth))];
    Ok(chain.depths().map(|depth| (depth, chance(depth))).collect())
}

/// The probability that R_20, to move, still holds a drawn position after some turns against the Predator.
pub(super) fn holding_chance(
    oracle: &Oracle,
    position: &Chess,
    kappa: Kappa,
) -> Result<f64, Error> {
    let player = ReferencePlayer {
        competence: LEVEL_COMPETENCE,
        kappa,
        weighting: Weighting::risking_value(),
    };
    let mut attacker = Predator {
        kappa,
        plies: PredatorDepth::TWO,
        opponent: Opponent::Known(LEVEL_COMPETENCE),
    };
    // The Predator leaves nothing to chance.
    let mut unused = ChaCha8Rng::seed_from_u64(0);
    let mut position = position.clone();
    let mut chance = 1.0;
    for _ in 0..TURNS {
        let turn = oracle.turn(&position)?;
        let chances = player.probabilities(&turn);
        let kept = |number: &usize| turn.preserves_value(&turn.choices()[*number]);
        chance *= (0..chances.len())
            .filter(kept)
            .map(|number| chances[number])
            .sum::<f64>();
        let best = (0..chances.len()).find(kept);
        let Some(best) = best else { break };
        position.play_unchecked(turn.choices()[best].r#move);
        if position.is_game_over() {
            break;
        }
        let turn = oracle.turn(&position)?;
        let view = TableView {
            oracle,
            position: &position,
            turn: &turn,
        };
        let reply = attacker.choose(view, &mut unused)?;
        position.play_unchecked(turn.choices()[reply].r#move);
        if position.is_game_over() {
            break;
        }
    }
    Ok(chance)
}
