//! Verifies stored tables by recomputing them independently.

use errare_core::{FaultKind, Material, Metric, Outcome, Plies, Watch};
use errare_tables::{
    Check, Expected, Layer, Method, Mismatch, Prober, Store, Verification, VerificationSample,
};
use serde::{Deserialize, Serialize};

use super::chosen;
use crate::{Error, Service};

/// The tables to verify.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = VerifyRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The metrics; all if empty.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Check this many random positions of each table instead of all.
    #[serde(default)]
    pub sample: Option<u64>,
    /// The seed of the sample.
    #[serde(default)]
    pub seed: u64,
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = VerifyAnswer))]
pub struct Answer {
    /// The endgame.
    pub endgame: Material,
    /// The number of positions of each table to check; null for all.
    pub sample: Option<u64>,
    /// The seed of the sample.
    pub seed: Option<u64>,
    /// The tables that could be read.
    pub tables: Vec<Verified>,
}

/// The result for one table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verified {
    /// The metric, or `dtz50`.
    pub metric: Layer,
    /// How positions were checked.
    pub method: Method,
    /// The number of positions checked.
    pub positions: u64,
    /// The first wrong position.
    pub mismatch: Option<Wrong>,
}

/// A position whose stored outcome is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Wrong {
    /// The position.
    pub fen: String,
    /// The table's value.
    pub stored: OutcomeBounds,
    /// The value it should have.
    pub expected: OutcomeBounds,
}

/// An outcome with its depth, or with bounds of the depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OutcomeBounds {
    /// `win`, `draw` or `loss`, for the side to move.
    pub outcome: String,
    /// The least depth.
    pub least_plies: Option<Plies>,
    /// The greatest depth.
    pub greatest_plies: Option<Plies>,
}

/// Verifies the tables one after the other and calls `found` with the result for each, or with the error if it
/// cannot be read, which does not stop the others.
pub fn answer(
    service: &Service,
    request: &Request,
    watch: &dyn Watch,
    mut found: impl FnMut(Result<&Verified, Error>),
) -> Result<Answer, Error> {
    let (endgame, metrics) = (request.endgame, chosen(&request.metrics));
    provide(service, endgame, &metrics, watch)?;
    let prober = Prober::new(service.tables.store().clone());
    let sample = request.sample.map(|positions| VerificationSample {
        positions,
        seed: request.seed,
    });
    let mut tables = Vec::new();
    for layer in layers(prober.store(), endgame, &metrics) {
        match verify(&prober, endgame, layer, sample, watch) {
            Ok(table) => {
                found(Ok(&table));
                tables.push(table);
            }
            Err(error) if error.kind() == FaultKind::Stopped => return Err(error),
            Err(error) => found(Err(error)),
        }
    }
    Ok(Answer {
        endgame,
        sample: request.sample,
        seed: sample.map(|sample| sample.seed),
        tables,
    })
}

/// Builds missing tables, even beside damaged ones.
fn provide(
    service: &Service,
    endgame: Material,
    metrics: &[Metric],
    watch: &dyn Watch,
) -> Result<(), Error> {
    let provide = |metrics| service.tables.provide(&[endgame], metrics, watch);
    let is_damage = |error: &Error| error.kind() == FaultKind::Damaged;
    match provide(metrics) {
        Err(error) if is_damage(&error) => {}
        done => return done,
    }
    for metric in metrics {
        match provide(std::slice::from_ref(metric)) {
            Err(error) if !is_damage(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The tables of these metrics. DTR includes DTZ under the 50-move rule, where it has a table.
fn layers(store: &Store, endgame: Material, metrics: &[Metric]) -> Vec<Layer> {
    let mut layers: Vec<Layer> = metrics.iter().copied().map(Layer::from).collect();
    // An unreadable one is found, and reported, when it is verified.
    let dtr = store.table(endgame, Metric::Dtr.into()).ok().flatten();
    let separate = dtr.is_some_and(|dtr| dtr.description().separate_dtz50);
    if metrics.contains(&Metric::Dtr) && separate {
        layers.push(Layer::Dtz50);
    }
    layers
}

fn verify(
    prober: &Prober,
    endgame: Material,
    layer: Layer,
    sample: Option<VerificationSample>,
    watch: &dyn Watch,
) -> Result<Verified, Error> {
    let check = Check::new(prober, endgame, layer, sample)?;
    let Verification {
        method,
        positions,
        mismatch,
    } = check.run(watch)?;
    Ok(Verified {
        metric: layer,
        method,
        positions,
        mismatch: mismatch.map(Wrong::from),
    })
}

impl From<Mismatch> for Wrong {
    fn from(mismatch: Mismatch) -> Wrong {
        Wrong {
            fen: mismatch.fen,
            stored: Expected::from(mismatch.stored).into(),
            expected: mismatch.expected.into(),
        }
    }
}

impl From<Expected> for OutcomeBounds {
    fn from(expected: Expected) -> OutcomeBounds {
        let outcome = match expected.least {
            Outcome::Win(_) => "win",
            Outcome::Draw => "draw",
            Outcome::Loss(_) => "loss",
        };
        OutcomeBounds {
            outcome: outcome.to_owned(),
            least_plies: expected.least.plies(),
            greatest_plies: expected.greatest.plies(),
        }
    }
}
