//! The reference player R_c, and the infallible player with its tie-breaking rules.

use std::{fmt, str::FromStr};

use errare_choice::{Kappa, probabilities};
use errare_core::{Metric, Outcome};
use errare_tables::ProbeError;
use rand::Rng;
use serde::{Deserialize, Serialize};
use shakmaty::{Position, Role};

use crate::{
    TablePlayError, Turn, Weighting,
    agent::{TableAgent, TableView, draw},
};

/// The reference player R_c, which chooses its moves at random.
#[derive(Debug, Clone)]
pub struct ReferencePlayer {
    /// c.
    pub competence: f64,
    /// κ.
    pub kappa: Kappa,
    /// Which moves it considers.
    pub weighting: Weighting,
}

impl ReferencePlayer {
    /// The probability of each move.
    pub fn probabilities(&self, turn: &Turn) -> Vec<f64> {
        probabilities(self.weighting.options(turn, self.kappa), self.competence)
    }
}

impl TableAgent for ReferencePlayer {
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        Ok(draw(&self.probabilities(view.turn), rng))
    }
}

/// How the infallible player breaks ties between equally good moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// At random.
    #[default]
    Uniform,
    /// The first by name, in UCI notation.
    First,
    /// As loser the move that is mated last, as winner the one that mates first; then by name.
    LongestDtm,
    /// A move of a rook before those of other pieces (queen, bishop, knight, pawn, king); then by
    /// name.
    RookFirst,
}

impl TieBreak {
    /// Every rule.
    pub const ALL: [TieBreak; 4] = [
        TieBreak::Uniform,
        TieBreak::First,
        TieBreak::LongestDtm,
        TieBreak::RookFirst,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Uniform => "uniform",
            TieBreak::First => "first",
            TieBreak::LongestDtm => "longest-dtm",
            TieBreak::RookFirst => "rook-first",
        }
    }

    /// The probability of each move of a turn.
    pub fn probabilities(self, view: TableView<'_>) -> Result<Vec<f64>, ProbeError> {
        let turn = view.turn;
        let choices = turn.choices().iter();
        let mut best: Vec<usize> = choices
            .enumerate()
            .filter(|(_, choice)| turn.is_optimal(choice))
            .map(|(number, _)| number)
            .collect();
        match self {
            TieBreak::Uniform => {}
            TieBreak::First => best.truncate(1),
            TieBreak::LongestDtm => best = by_dtm(view, &best)?.into_iter().collect(),
            TieBreak::RookFirst => {
                let order = |&number: &usize| rank_of(turn.choices()[number].r#move.role());
                best = best.into_iter().min_by_key(order).into_iter().collect();
            }
        }
        let mut chances = vec![0.0; turn.choices().len()];
        for &number in &best {
            chances[number] = 1.0 / best.len() as f64;
        }
        Ok(chances)
    }
}

pub(crate) fn rank_of(role: Role) -> usize {
    let order = [
        Role::Rook,
        Role::Queen,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
        Role::King,
    ];
    order
        .iter()
        .position(|&other| other == role)
        .unwrap_or(order.len())
}

/// The best of these moves in DTM; the first by name among equals.
fn by_dtm(view: TableView<'_>, moves: &[usize]) -> Result<Option<usize>, ProbeError> {
    let mut best: Option<(i32, usize)> = None;
    for &number in moves {
        let mut after = view.position.clone();
        after.play_unchecked(view.turn.choices()[number].r#move);
        let outcome: Outcome = view.oracle.prober().outcome(&after, Metric::Dtm)?;
        let preference = -outcome.preference();
        if best.is_none_or(|(most, _)| preference > most) {
            best = Some((preference, number));
        }
    }
    Ok(best.map(|(_, number)| number))
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returned when a name is not a tie-breaking rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a way to break ties; the ways are uniform, first, longest-dtm and rook-first"
)]
pub struct ParseTieBreakError(String);

impl FromStr for TieBreak {
    type Err = ParseTieBreakError;

    fn from_str(name: &str) -> Result<TieBreak, ParseTieBreakError> {
        TieBreak::ALL
            .into_iter()
            .find(|ties| ties.name() == name)
            .ok_or_else(|| ParseTieBreakError(name.to_owned()))
    }
}

/// The infallible player: one of the best moves in the metric.
#[derive(Debug, Clone, Copy, Default)]
pub struct Infallible {
    /// Its tie-breaking rule.
    pub ties: TieBreak,
}

impl TableAgent for Infallible {
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        Ok(draw(&self.ties.probabilities(view)?, rng))
    }
}

/// A player that plays any legal move with equal probability.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomPlayer;

impl TableAgent for RandomPlayer {
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        let moves = view.turn.choices().len();
        Ok(draw(&vec![1.0 / moves as f64; moves], rng))
    }
}
