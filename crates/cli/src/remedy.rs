//! What the user can do about an error: the libraries say what is wrong but know nothing of options.

use std::{error::Error, path::Path};

use errare_core::{Fault, FaultKind, Material};
use errare_endgame::{ExactError, HuntError, TablePlayError};
use errare_engine::{EngineError, NotFound};
use errare_players::{HireError, PlayError};
use errare_rating::{CalibrationError, PlayerError, StudyError, export::ExportError};
use errare_service::{RequestError, minimax::search::TooLong};
use errare_tables::{
    BuildError, FileError, JudgeError, Layer, ProbeError, ScanError, StoreError, VerifyError,
    WriteError,
};

use crate::shell::quoted;

/// The remedy for the first error in the chain that has one.
pub(crate) fn remedy(error: &anyhow::Error) -> Option<String> {
    error.chain().map(innermost).find_map(of)
}

/// The error inside transparent wrappers.
fn innermost<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    innermost(match () {
        () if let Some(error) = error.downcast_ref::<errare_service::Error>() => error.inner(),
        () if let Some(JudgeError::Probe(error)) = error.downcast_ref() => error,
        () if let Some(VerifyError::Scan(error)) = error.downcast_ref() => error,
        () if let Some(VerifyError::Probe(error)) = error.downcast_ref() => error,
        () if let Some(ExactError::Probe(error)) = error.downcast_ref() => error,
        () if let Some(ExactError::Scan(error)) = error.downcast_ref() => error,
        () if let Some(PlayError::Agent(error)) = error.downcast_ref() => error,
        () if let Some(TablePlayError::Hunt(error)) = error.downcast_ref() => error,
        () if let Some(TablePlayError::Probe(error)) = error.downcast_ref() => error,
        () if let Some(HuntError::Probe(error)) = error.downcast_ref() => error,
        () if let Some(HuntError::Scan(error)) = error.downcast_ref() => error,
        () if let Some(HireError::Calibration(error)) = error.downcast_ref() => error,
        () if let Some(BuildError::Store(error)) = error.downcast_ref() => error,
        () if let Some(BuildError::File(error)) = error.downcast_ref() => error,
        () if let Some(ProbeError::File(error)) = error.downcast_ref() => error,
        () if let Some(ScanError::File(error)) = error.downcast_ref() => error,
        () => return error,
    })
}

fn of(error: &(dyn Error + 'static)) -> Option<String> {
    Some(match () {
        () if let Some(error) = error.downcast_ref() => return of_file(error),
        () if let Some(ProbeError::Missing {
            material,
            directory,
            ..
        }) = error.downcast_ref() =>
        {
            format!("build it with {}", command(*material, None, directory))
        }
        () if let Some(ScanError::Missing {
            material,
            layer,
            directory,
        }) = error.downcast_ref() =>
        {
            let command = command(*material, Some(*layer), directory);
            format!("build it with {command}")
        }
        () if let Some(StudyError::Missing(path)) = error.downcast_ref() => format!(
            "make one with `errare evaluate GAMES.pgn --store {}`",
            quoted(&path.to_string_lossy())
        ),
        () if let Some(StudyError::Games(path)) = error.downcast_ref() => {
            let [games, study] = ["", ".db"].map(|end| quoted(&format!("{}{end}", path.display())));
            format!("make a study of them: `errare evaluate {games} --store {study}`")
        }
        () if let Some(RequestError::NotWon { fen, skill, .. }) = error.downcast_ref() => format!(
            "`errare advise {} --skill {skill} --hunter` advises the side that is to move here",
            quoted(fen)
        ),
        () => fixed(error)?.to_owned(),
    })
}

/// A remedy that does not depend on the error's details.
fn fixed(error: &(dyn Error + 'static)) -> Option<&'static str> {
    Some(match () {
        () if let Some(error) = error.downcast_ref() => match error {
            BuildError::Memory { .. } => "raise --memory or close other programs",
            BuildError::Write(WriteError::Write { .. }) => {
                "finished tables are kept: build again to continue"
            }
            BuildError::Stopped(_) => "finished tables are kept",
            _ => return None,
        },
        () if let Some(error) = error.downcast_ref() => match error {
            ExactError::Memory { .. } => "raise --memory",
            ExactError::NamedTies => "use --ties uniform",
            ExactError::TooLong { .. } | ExactError::NotSettled { .. } => {
                "ask without --position for the average over the endgame"
            }
            _ => return None,
        },
        () if let Some(HuntError::Memory { .. }) = error.downcast_ref() => "raise --memory",
        () if let Some(error) = error.downcast_ref() => match error {
            StudyError::NoEvaluations => "`errare evaluate` does that",
            StudyError::SeveralEngines(_) => "choose with --engine",
            _ => return None,
        },
        () if let Some(error) = error.downcast_ref() => match error {
            RequestError::NoCalibration { .. } => {
                "choose one of them with --depth, or make one with `errare calibrate` and name it with --calibration"
            }
            RequestError::StoreOfStudy => "--store is only for games",
            RequestError::StoreNeeded => "name one with --store STUDY.db",
            RequestError::LambdaWithoutBlend => "add --link blend",
            RequestError::AgentsNeeded => "make one with `errare calibrate --paper`",
            RequestError::NoReplicates => "say how many with --bootstrap N",
            RequestError::NoStart => "name one with --from FEN, --from start or --openings FILE",
            RequestError::NoClass => "see --milepost, --width and --years",
            RequestError::NoLine => "choose others with --milepost",
            RequestError::NoWin => "try --side or --value risk",
            RequestError::NoGames
            | RequestError::NoTurns(_)
            | RequestError::Nobody
            | RequestError::NotWon { .. } => return None,
        },
        () if let Some(ProbeError::TooManyMen(_)) = error.downcast_ref() => {
            "give larger Syzygy tables with --syzygy"
        }
        () if let Some(StoreError::Directory { .. }) = error.downcast_ref() => {
            "choose another with --tables"
        }
        () if let Some(PlayerError::Several { .. }) = error.downcast_ref() => {
            "name one with --player, or merge them with --merge"
        }
        () if let Some(CalibrationError::OtherEngine { .. }) = error.downcast_ref() => {
            "--accept-engine accepts another net, `errare calibrate` makes a calibration for any engine and depth"
        }
        () if let Some(ExportError::NoParquet) = error.downcast_ref() => {
            "use --csv, or build with `cargo install --path crates/cli --features parquet`"
        }
        () if error.is::<NotFound>() => "--engine takes it",
        () if let Some(HireError::NotFound(_)) = error.downcast_ref() => {
            "as in uci:/path/to/it, or with --engine where the verb has it"
        }
        () if error.is::<EngineError>() => "`errare doctor` checks whether an engine works",
        () if error.is::<TooLong>() => "add --yes to start all the same",
        () => return None,
    })
}

/// What to do about a file that cannot be used.
fn of_file(error: &FileError) -> Option<String> {
    let (material, layer) = error.table()?;
    match error {
        FileError::Foreign { .. } => Some("move it elsewhere".to_owned()),
        FileError::Newer { .. } => Some("update errare".to_owned()),
        error if error.kind() == FaultKind::Damaged => {
            let command = command(material, Some(layer), error.path().parent()?);
            Some(format!("{command} replaces it"))
        }
        _ => None,
    }
}

/// The command that builds a table, or all of an endgame, in the directory where it is missing.
pub(crate) fn command(material: Material, layer: Option<Layer>, directory: &Path) -> String {
    let metric = layer.map_or(String::new(), |layer| {
        format!(" --metric {}", layer.metric())
    });
    let directory = quoted(&directory.to_string_lossy());
    format!("`errare tables build {material}{metric} --tables {directory}`")
}
