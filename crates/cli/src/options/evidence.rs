//! The options for the games behind a rating or a screening.

use errare_service::{CalibrationChoice, EvidenceChoice};

use crate::prelude::*;

/// A study, or games that are evaluated into one first.
#[derive(Debug, Args)]
pub(crate) struct EvidenceOptions {
    /// Games in PGN, or a study
    #[arg(value_name = "GAMES.pgn|STUDY.db")]
    games: PathBuf,

    /// The study the games are evaluated into [default: the games' file with .db at its end]
    #[arg(long, value_name = "STUDY.db")]
    store: Option<PathBuf>,

    /// How deep to search [default: 10, or the greatest depth of the study]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,

    #[command(flatten)]
    engine: EngineOptions,

    #[command(flatten)]
    calibration: CalibrationOptions,

    /// Use the paper's model instead of the better one that followed it
    #[arg(long, conflicts_with = "calibration")]
    paper: bool,
}

impl EvidenceOptions {
    /// The games.
    pub(crate) fn choice(&self) -> EvidenceChoice {
        EvidenceChoice {
            games: self.games.clone(),
            pgn: None,
            store: self.store.clone(),
            depth: self.depth,
            engine: self.engine.choice(),
            engine_name: self.engine.name(),
            calibration: CalibrationChoice {
                paper: self.paper,
                ..self.calibration.choice()
            },
        }
    }
}
