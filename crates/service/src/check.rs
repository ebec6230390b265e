//! Checks a calibration against games that it is not made from: other years, other events.

use errare_core::Watch;
use errare_rating::continuous::CalibrationCheck;
use serde::{Deserialize, Serialize};

use crate::{
    AboutCalibration, AnyCalibration, CalibrationChoice, Error, Service, calibrate,
    evidence::at_depth_of, study::StudyView,
};

/// The games, and the calibration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CheckRequest))]
pub struct Request {
    /// The study.
    #[serde(flatten)]
    pub view: StudyView,
    /// The calibration.
    #[serde(flatten)]
    pub calibration: CalibrationChoice,
    /// Periods, given by their first and last years, each checked separately; all games together if empty.
    #[serde(default)]
    pub periods: Vec<[u16; 2]>,
}

/// The results of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CheckAnswer))]
pub struct Answer {
    /// The calibration.
    pub calibration: AboutCalibration,
    /// Its own log-loss in held-out games, for comparison.
    pub own_log_loss: f64,
    /// One check per period.
    pub periods: Vec<Period>,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

/// The check of one period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Period {
    /// The first and last year; none if all games are taken together.
    pub years: Option<[u16; 2]>,
    /// The result for its games.
    #[serde(flatten)]
    pub check: CalibrationCheck,
}

/// Checks a calibration.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let view = at_depth_of(&request.calibration, request.view.clone())?;
    let (study, view) = view.opened(watch)?;
    let fitting = request.calibration.load(&view.engine)?;
    let AnyCalibration::Continuous(calibration) = &fitting.calibration else {
        return Err(Error::bad_request(
            "agents by milepost cannot be checked this way; use a calibration of the continuous family",
        ));
    };
    let features = calibration.lines.features();
    let periods: Vec<Option<[u16; 2]>> = match &request.periods[..] {
        [] => vec![None],
        periods => periods.iter().copied().map(Some).collect(),
    };
    let check = |years: Option<[u16; 2]>| {
        let choices = calibrate::choices(&study, &view, features, years, watch)?;
        let check = calibration.held_against(&choices, watch)?;
        Ok(Period { years, check })
    };
    Ok(Answer {
        own_log_loss: calibration.quality.log_loss.lines,
        periods: periods
            .into_iter()
            .map(check)
            .collect::<Result<_, Error>>()?,
        warnings: fitting.warning.into_iter().collect(),
        calibration: AboutCalibration::new(&fitting.calibration),
    })
}
