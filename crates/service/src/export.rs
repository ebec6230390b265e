//! Exports the turns and moves of a study as tables for other programs.

use std::path::PathBuf;

use errare_core::Watch;
pub use errare_rating::export::{ExportFormat, Exported as Answer};
use serde::{Deserialize, Serialize};

use crate::{Error, Service, study::StudyView};

/// What to export, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ExportRequest))]
pub struct Request {
    /// The study.
    #[serde(flatten)]
    pub view: StudyView,
    /// The directory for the tables.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub directory: PathBuf,
    /// Their format.
    pub format: ExportFormat,
}

/// Writes the tables.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let (study, view) = request.view.opened(watch)?;
    watch.begin("exporting", None);
    Ok(study.export(&view, &request.directory, request.format, watch)?)
}
