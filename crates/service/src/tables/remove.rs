//! Removes tables, including damaged ones, and hunters' solutions.

use std::path::PathBuf;

use errare_core::{Material, Metric};
use serde::{Deserialize, Serialize};

use super::{chosen, solutions};
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

/// Removes the tables, and the hunters' solutions that are made from them, and returns their files.
pub fn answer(service: &Service, request: &Request) -> Result<Vec<PathBuf>, Error> {
    let metrics = chosen(&request.metrics);
    let mut removed = service.tables.remove(request.endgame, &metrics)?;
    removed.extend(solutions::remove(service, request.endgame, &metrics)?);
    Ok(removed)
}
