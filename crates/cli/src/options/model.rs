//! The options of every verb about reference players: the metric, κ, and the tables.

use errare_choice::Kappa;
use errare_service::model::Model;

use crate::prelude::*;

/// The model of fallible play, and the tables it stands on.
#[derive(Debug, Args)]
pub(crate) struct ModelOptions {
    /// The metric of depths: dtm, dtc, dtz or dtr
    #[arg(long, default_value = "dtc")]
    pub(crate) metric: Metric,

    /// κ of the preference (d + κ)^-c; 0 is the limit of small ones
    #[arg(long, default_value = "1")]
    pub(crate) kappa: Kappa,

    #[command(flatten)]
    pub(crate) tables: TableOptions,
}

impl ModelOptions {
    /// The model.
    pub(crate) fn get(&self) -> Model {
        Model {
            metric: self.metric,
            kappa: self.kappa,
        }
    }
}
