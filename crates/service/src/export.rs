//! Exports the turns and moves of a study as tables for other programs.

use std::path::PathBuf;

use errare_core::Watch;
use errare_rating::export;
pub use errare_rating::export::Exported as Answer;
use serde::{Deserialize, Serialize};

use crate::{Error, Service, study::StudyView};

/// What to export, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The study.
    #[serde(flatten)]
    pub view: StudyView,
    /// The directory for the tables.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub directory: PathBuf,
    /// Their format.
    pub format: Format,
}

/// The format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Parquet.
    Parquet,
}

/// Writes the tables.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let (study, view) = request.view.open()?;
    watch.begin("exporting", None);
    let format = match request.format {
        Format::Csv => export::Format::Csv,
        Format::Parquet => export::Format::Parquet,
    };
    Ok(study.export(&view, &request.directory, format, watch)?)
}
