//! Every position of a table, for scripts.

use errare_core::{Material, Metric, Outcome, Watch};
use errare_tables::Scan;
use serde::{Deserialize, Serialize};
use shakmaty::{EnPassantMode, fen::Fen};

use crate::{Error, Service};

/// The number of positions written between checks of the watch.
const OFTEN: usize = 1 << 12;

/// The table to dump.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DumpRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The metric.
    pub metric: Metric,
}

/// Passes every position, one per class of symmetric ones, with its outcome to `each`, until that or the watch ends
/// it.
pub fn each<E: From<Error>>(
    service: &Service,
    request: &Request,
    watch: &dyn Watch,
    mut each: impl FnMut(&Fen, Outcome) -> Result<(), E>,
) -> Result<(), E> {
    let (endgame, metric) = (request.endgame, request.metric);
    service.tables.provide(&[endgame], &[metric], watch)?;
    let store = service.tables.store();
    let scan = Scan::new(store, endgame, metric.into()).map_err(Error::from)?;
    for (number, found) in scan.positions().enumerate() {
        if number % OFTEN == 0 {
            watch.check().map_err(Error::from)?;
        }
        let (position, outcome) = found.map_err(Error::from)?;
        each(
            &Fen::from_position(&position, EnPassantMode::Legal),
            outcome,
        )?;
    }
    Ok(())
}
