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
///
/// ```
/// use errare_core::Metric;
/// use errare_service::tables::stats::{self, Request};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request = Request { endgame: "KQK".parse()?, metric: Metric::Dtm };
/// let statistics = stats::answer(&service, &request, &())?;
/// assert_eq!(statistics.white.deepest_win.ok_or("White wins")?.moves.0, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let (endgame, metric) = (request.endgame, request.metric);
    service.tables.provide(&[endgame], &[metric], watch)?;
    let store = service.tables.store();
    Ok(statistics(store, endgame, metric, watch)?)
}
