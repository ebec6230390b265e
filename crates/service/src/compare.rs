//! Compares calibrations: their data, their results, and their accuracy.

use errare_core::FaultKind;
use errare_engine::EngineKey;
use errare_rating::continuous::{Calibration, Coverage, LogLoss, Origin};
use serde::{Deserialize, Serialize};

use crate::{AboutCalibration, AnyCalibration, Error, Service};

/// Thresholds are compared for a list of this many players.
pub const LISTED: usize = 30;

/// The calibrations to compare: files, or names of shipped ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CompareRequest))]
pub struct Request {
    /// Files or names.
    pub calibrations: Vec<String>,
}

/// The calibrations, and the differences of the first two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CompareAnswer))]
pub struct Answer {
    /// In the order requested.
    pub calibrations: Vec<CalibrationSummary>,
    /// For weights that the first two share, the difference in standard errors; samples that share games
    /// differ by less.
    pub differences: Vec<Difference>,
}

/// A summary of a calibration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CalibrationSummary {
    /// The name it was requested by.
    pub name: String,
    /// Its engine.
    pub engine: EngineKey,
    /// The sample it is made from.
    pub origin: Origin,
    /// Its weights.
    pub weights: Vec<WeightWithError>,
    /// How well it predicts moves of held-out games.
    pub log_loss: LogLoss,
    /// The root mean squares of the classes' z for mm and ad; none if no class has a z.
    pub rms_z: Option<[f64; 2]>,
    /// How often its intervals contain the Elo of held-out players.
    pub coverage: Coverage,
    /// The standard deviations of the permanent effect of a player, and of what a game adds to it, in
    /// Elo.
    pub effects: [f64; 2],
    /// The number of honest players whose z it knows.
    pub honest: usize,
    /// The scatter of their z for mm and ad.
    pub scatter: [f64; 2],
    /// The thresholds of adjusted z for *watch* and *full test* in a list of 30.
    pub thresholds: [f64; 2],
    /// Warnings from when it was made.
    pub warnings: Vec<String>,
}

/// The weight of a feature with its standard errors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WeightWithError {
    /// The feature.
    pub feature: String,
    /// The weight at 2250 Elo, and its error.
    pub at_origin: [f64; 2],
    /// Its increase per 450 Elo, and the error; none if it is the same for all ratings.
    pub slope: Option<[f64; 2]>,
}

/// The difference of a weight between two calibrations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Difference {
    /// The feature.
    pub feature: String,
    /// The difference at 2250 Elo, in standard errors.
    pub z_at_origin: f64,
    /// The difference of the slopes.
    pub z_slope: Option<f64>,
}

/// The shipped calibrations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Shipped {
    /// Each with its name.
    pub calibrations: Vec<Named>,
}

/// A calibration with its name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Named {
    /// The name.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub about: AboutCalibration,
}

/// Lists the shipped calibrations.
#[must_use]
pub fn shipped() -> Shipped {
    let named = |calibration: &AnyCalibration| Named {
        name: calibration.name(),
        about: AboutCalibration::new(calibration),
    };
    Shipped {
        calibrations: AnyCalibration::all_shipped().iter().map(named).collect(),
    }
}

/// Compares calibrations.
pub fn answer(_: &Service, request: &Request) -> Result<Answer, Error> {
    if request.calibrations.is_empty() {
        return Err(Error::bad_request("no calibration is named"));
    }
    let calibrations: Vec<CalibrationSummary> = request
        .calibrations
        .iter()
        .map(|name| summary(name))
        .collect::<Result<_, Error>>()?;
    let differences = match &calibrations[..] {
        [one, other, ..] => differences(one, other),
        _ => Vec::new(),
    };
    Ok(Answer {
        calibrations,
        differences,
    })
}

fn summary(name: &str) -> Result<CalibrationSummary, Error> {
    let AnyCalibration::Continuous(calibration) = AnyCalibration::named(name)? else {
        return Err(Error::new(
            FaultKind::BadRequest,
            format!(
                "{name} is a calibration of the paper's kind, and only the continuous family can be compared"
            ),
        ));
    };
    let thresholds = calibration.thresholds(LISTED);
    Ok(CalibrationSummary {
        name: name.to_owned(),
        weights: weights(&calibration),
        effects: [
            calibration.effects.player.sd(),
            calibration.effects.of_game().sqrt(),
        ],
        honest: calibration.honest.players(),
        scatter: [calibration.honest.scatter[0], calibration.honest.scatter[2]],
        thresholds: [thresholds.watch, thresholds.full_test],
        engine: calibration.engine,
        origin: calibration.origin,
        log_loss: calibration.quality.log_loss,
        rms_z: calibration.quality.rms_z,
        coverage: calibration.quality.coverage,
        warnings: calibration.warnings,
    })
}

fn weights(calibration: &Calibration) -> Vec<WeightWithError> {
    let mut place = 0;
    let mut error = || {
        place += 1;
        calibration.covariance[place - 1][place - 1].max(0.0).sqrt()
    };
    let table = calibration.lines.table().into_iter();
    table
        .map(|weight| WeightWithError {
            feature: weight.feature,
            at_origin: [weight.at_origin, error()],
            slope: weight.slope.map(|slope| [slope, error()]),
        })
        .collect()
}

fn differences(one: &CalibrationSummary, other: &CalibrationSummary) -> Vec<Difference> {
    let z = |[a, a_error]: [f64; 2], [b, b_error]: [f64; 2]| (a - b) / a_error.hypot(b_error);
    let difference = |weight: &WeightWithError| {
        let same = other
            .weights
            .iter()
            .find(|it| it.feature == weight.feature)?;
        Some(Difference {
            feature: weight.feature.clone(),
            z_at_origin: z(weight.at_origin, same.at_origin),
            z_slope: weight.slope.zip(same.slope).map(|(a, b)| z(a, b)),
        })
    };
    one.weights.iter().filter_map(difference).collect()
}
