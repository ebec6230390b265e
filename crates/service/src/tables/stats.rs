//! Counts the won, drawn and lost positions of an endgame, and their depths.

use errare_core::{Material, Metric, Watch};
use errare_tables::{Statistics, statistics};
use serde::{Deserialize, Serialize};

use crate::{Error, Service};

/// The table to count.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = StatsRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The metric.
    pub metric: Metric,
}

/// The statistics.
pub type Answer = Statistics;

/// Counts all positions. A missing table is built if permitted.
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let (endgame, metric) = (request.endgame, request.metric);
    service.tables.provide(&[endgame], &[metric], watch)?;
    let store = service.tables.store();
    Ok(statistics(store, endgame, metric, watch)?)
}
