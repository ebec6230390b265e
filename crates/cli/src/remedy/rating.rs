//! Remedies for errors of studies, engines and ratings.

use std::error::Error;

use errare_engine::{EngineError, NotFound};
use errare_rating::{CalibrationError, PlayerError, StudyError, export::ExportError};
use errare_service::RequestError;

use super::quoted;

/// What to do about an error of these kinds.
pub(super) fn of(error: &(dyn Error + 'static)) -> Option<String> {
    let of_study = error.downcast_ref().and_then(of_study);
    let of_request = || Some(of_request(error.downcast_ref()?)?.to_owned());
    of_study.or_else(of_request).or_else(|| {
        let text = match () {
            () if error.is::<NotFound>() => "name one with --engine",
            () if error.is::<EngineError>() => "`errare doctor` checks whether an engine works",
            () if let Some(PlayerError::Several { .. }) = error.downcast_ref() => {
                "name one with --player, or merge them with --merge"
            }
            () if let Some(CalibrationError::OtherEngine { .. }) = error.downcast_ref() => {
                "--accept-engine accepts another net, `errare calibrate` makes a calibration for any engine and depth"
            }
            () if let Some(ExportError::NoParquet) = error.downcast_ref() => {
                "use --csv, or build with `cargo install --path crates/cli --features parquet`"
            }
            () => return None,
        };
        Some(text.to_owned())
    })
}

fn of_study(error: &StudyError) -> Option<String> {
    match error {
        StudyError::Missing(path) => Some(format!(
            "make one with `errare evaluate GAMES.pgn --store {}`",
            quoted(path)
        )),
        StudyError::NoEvaluations => Some("`errare evaluate` does that".to_owned()),
        StudyError::SeveralEngines(_) => Some("choose with --engine".to_owned()),
        _ => None,
    }
}

fn of_request(error: &RequestError) -> Option<&'static str> {
    Some(match error {
        RequestError::NoCalibration { .. } => {
            "choose one of them with --depth, or make one with `errare calibrate` and name it with --calibration"
        }
        RequestError::StoreOfStudy => "--store is only for games",
        RequestError::StoreNeeded => "name one with --store STUDY.db",
        RequestError::LambdaWithoutBlend => "add --link blend",
        RequestError::AgentsNeeded => "make one with `errare calibrate --paper`",
        RequestError::NoClass => "see --milepost, --width and --years",
        RequestError::NoLine => "choose others with --milepost",
        RequestError::NoGames | RequestError::NoTurns(_) | RequestError::Nobody => return None,
    })
}
