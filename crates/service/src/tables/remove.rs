//! Removes tables, including damaged ones.

use std::path::PathBuf;

use errare_core::{Material, Metric};
use serde::{Deserialize, Serialize};

use super::chosen;
use crate::{Error, Service};

/// The tables to remove.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RemoveRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The metrics; all if empty.
    #[serde(default)]
    pub metrics: Vec<Metric>,
}

/// Removes the tables and returns their files.
pub fn answer(service: &Service, request: &Request) -> Result<Vec<PathBuf>, Error> {
    let metrics = chosen(&request.metrics);
    service.tables.remove(request.endgame, &metrics)
}
