//! How good a calibration is: everything is predicted by lines that were fitted without it.

mod coverage;
mod folds;
mod foresight;
mod reliability;
mod rivals;

use serde::{Deserialize, Serialize};

pub(super) use coverage::{coverage, mean_elo};
pub(super) use folds::{FOLDS, left_out, part_of_game, part_of_player};
pub(super) use foresight::{classes, foresee, mean_loss, rms, situations};
pub(super) use reliability::{curves, reliability};
pub(super) use rivals::agents_loss;

/// How good a calibration is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Quality {
    /// The weights over Elo, with bands of two standard errors.
    pub curves: Vec<CurvePoint>,
    /// How well moves of left-out games are predicted.
    pub log_loss: LogLoss,
    /// Matches and differences by class of rating, in left-out games.
    pub classes: Vec<ClassQuality>,
    /// The root mean squares of the classes' z of mm and of ad.
    pub rms_z: [f64; 2],
    /// Whether what is said to happen so often does.
    pub reliability: Vec<Reliability>,
    /// How often intervals contain the Elo of left-out players.
    pub coverage: Coverage,
    /// By how much play is rated too high or too low in certain situations.
    pub situations: Vec<Situation>,
}

/// The weight of a feature at a rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// The feature.
    pub feature: String,
    /// The rating.
    pub elo: f64,
    /// The weight.
    pub weight: f64,
    /// Two standard errors less.
    pub low: f64,
    /// Two standard errors more.
    pub high: f64,
}

/// Mean -ln p of the moves played, in games that were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LogLoss {
    /// Turns.
    pub turns: usize,
    /// Of these lines.
    pub lines: f64,
    /// The same on the turns they are fitted to.
    pub fitted: f64,
    /// Of the paper's model, s and c fitted by likelihood to each class of a hundred Elo.
    pub paper: f64,
    /// Of the blend of `loglog` and `norm`, s, c and lambda fitted to each class.
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
    /// z of their difference, by the scatter of games.
    pub z_mm: f64,
    /// Average difference, actual and projected.
    pub ad: [f64; 2],
    /// z of their difference.
    pub z_ad: f64,
}

/// Options of about the same probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reliability {
    /// The least probability.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Options.
    pub options: usize,
    /// The mean of their probabilities.
    pub projected: f64,
    /// How often they were played.
    pub actual: f64,
}

/// How often 95 % intervals contain a player's Elo, by calibrations without any turn of that player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Coverage {
    /// Players with one game each time: how many such intervals.
    pub singles: usize,
    /// How many of them contain the Elo, as a share.
    pub single: f64,
    /// The root mean square of their z, which should be 1.
    pub single_z: f64,
    /// Half the width of the median interval.
    pub single_half_width: f64,
    /// Players with as many games as `fewest_games` or more.
    pub aggregates: usize,
    /// Games they have at least: 8 if the sample has enough such players, else fewer.
    pub fewest_games: usize,
    /// The share of intervals that contain their Elo.
    pub aggregate: f64,
    /// The root mean square of their z.
    pub aggregate_z: f64,
    /// Half the width of the median interval.
    pub aggregate_half_width: f64,
    /// The same share if the player's own effect is left out of account.
    pub aggregate_without_player: f64,
}

/// By how much turns of a situation are rated too high.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Situation {
    /// The situation.
    pub name: String,
    /// Turns.
    pub turns: usize,
    /// Elo by which play looks better than it is; negative if worse.
    pub offset: f64,
    /// Its standard error, by the scatter of games.
    pub error: f64,
}

/// The hundred a rating belongs to.
pub(super) fn hundred(elo: f64) -> u16 {
    ((elo / 100.0).round() * 100.0).clamp(0.0, 60_000.0) as u16
}
