//! The accuracy of a calibration, by cross-validation.

mod coverage;
mod folds;
mod foresight;
mod reliability;
mod rivals;

use serde::{Deserialize, Serialize};

pub(super) use coverage::{coverage, mean_elo};
pub(super) use folds::{FOLDS, left_out, part_of_game, part_of_player};
pub(super) use foresight::{classes, foresee, mean_loss, rms_z, situations};
pub(super) use reliability::{curves, reliability};
pub(super) use rivals::agents_losses;

/// The accuracy of a calibration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Quality {
    /// The weights over Elo, with bands of two standard errors.
    pub curves: Vec<QualityPoint>,
    /// How well moves of held-out games are predicted.
    pub log_loss: LogLoss,
    /// Matches and differences by class of rating, in held-out games.
    pub classes: Vec<ClassQuality>,
    /// The root mean squares of the classes' z for mm and ad; none if no class has a z.
    pub rms_z: Option<[f64; 2]>,
    /// Reliability: predicted probabilities against observed frequencies.
    pub reliability: Vec<Reliability>,
    /// How often intervals contain the Elo of held-out players.
    pub coverage: Coverage,
    /// How much play is overrated or underrated in certain situations.
    pub situations: Vec<Situation>,
}

/// The weight of a feature at a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QualityPoint {
    /// The feature.
    pub feature: String,
    /// The rating.
    pub elo: f64,
    /// The weight.
    pub weight: f64,
    /// The weight minus two standard errors.
    pub low: f64,
    /// The weight plus two standard errors.
    pub high: f64,
}

/// Mean -ln p of the moves played, in held-out games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LogLoss {
    /// Turns.
    pub turns: usize,
    /// These lines.
    pub lines: f64,
    /// These lines, on the turns they are fitted to.
    pub fitted: f64,
    /// The paper's model, with s and c fitted by likelihood to each class of a hundred Elo.
    pub paper: f64,
    /// The blend of `loglog` and `norm`, with s, c and lambda fitted to each class.
    pub blend: f64,
}

/// A class of a hundred Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ClassQuality {
    /// Its middle.
    pub elo: u16,
    /// Games.
    pub games: usize,
    /// Turns.
    pub turns: usize,
    /// Mean -ln p.
    pub log_loss: f64,
    /// First-move matches, actual and projected.
    pub mm: [f64; 2],
    /// The z of their difference, from the scatter of games: positive if there are more than projected; none with
    /// fewer than ten games, whose scatter says little.
    pub z_mm: Option<f64>,
    /// Average difference, actual and projected.
    pub ad: [f64; 2],
    /// The z of their difference: positive if costs are smaller than projected.
    pub z_ad: Option<f64>,
}

/// Options of similar probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reliability {
    /// The least probability.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// The number of options.
    pub options: usize,
    /// The mean of their probabilities.
    pub projected: f64,
    /// How often they were played.
    pub actual: f64,
}

/// How often 95 % intervals contain a player's Elo, with calibrations that leave out all turns of
/// that player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Coverage {
    /// The number of intervals from a single game.
    pub singles: usize,
    /// The share of them that contain the Elo.
    pub single: f64,
    /// The root mean square of their z, nominally 1.
    pub single_z: f64,
    /// Half the width of the median closed interval; none if all are open.
    pub single_half_width: Option<f64>,
    /// The share of open intervals, an end of which is only the limit of the calibration; none if there are no intervals.
    pub single_open: Option<f64>,
    /// The number of players with at least `fewest_games` games.
    pub aggregates: usize,
    /// The minimum number of their games: 8 if the sample has enough such players, otherwise fewer.
    pub fewest_games: usize,
    /// The share of intervals that contain their Elo.
    pub aggregate: f64,
    /// The root mean square of their z.
    pub aggregate_z: f64,
    /// Half the width of the median closed interval; none if all are open.
    pub aggregate_half_width: Option<f64>,
    /// The share of open intervals; none if there are no intervals.
    pub aggregate_open: Option<f64>,
    /// The same share if the player's own effect is ignored.
    pub aggregate_without_player: f64,
}

/// How much turns in a situation, from at least two games, are overrated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Situation {
    /// The situation.
    pub name: String,
    /// Turns.
    pub turns: usize,
    /// By how many Elo play looks better than it is; negative if worse.
    pub offset: f64,
    /// Its standard error, from the scatter of games.
    pub error: f64,
}

/// The hundred nearest to a rating.
pub(super) fn hundred(elo: f64) -> u16 {
    ((elo / 100.0).round() * 100.0).clamp(0.0, 60_000.0) as u16
}
