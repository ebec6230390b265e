//! `errare uci`: a chess engine for programs that speak UCI.

use errare_players::PlayerName;
use errare_service::AnyCalibration;
use errare_uci::Options;

use crate::prelude::*;

/// Plays chess through UCI, the protocol of chess programs
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The player at the start, such as rep:c=20, predator or human:elo=1800
    #[arg(default_value = "rep:c=20")]
    player: PlayerName,

    #[command(flatten)]
    calibration: CalibrationPath,

    #[command(flatten)]
    tables: BuildOptions,
}

/// Speaks UCI on standard input and output until `quit`.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let engine = environment("ERRARE_ENGINE").and_then(|name| name.into_string().ok());
    let engine = engine.as_deref().unwrap_or("stockfish");
    let calibration = arguments.calibration.calibration.as_deref();
    let calibration = calibration
        .map(AnyCalibration::named_continuous)
        .transpose()?;
    let input = io::BufReader::new(io::stdin());
    let options = Options::new(&arguments.player, engine, calibration);
    errare_uci::speak(service, options, input, io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
