//! Builds tables with every subgame they need.

use std::collections::HashSet;

use errare_core::{Material, Metric, Watch};
use errare_tables::{BuildReport, Damaged, Layer, MAX_MEN, Usage};
use serde::{Deserialize, Serialize};

use super::chosen;
use crate::{Error, Service};

/// The tables to build.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BuildRequest))]
pub struct Request {
    /// The endgames.
    #[serde(default)]
    pub endgames: Vec<Material>,
    /// Additionally, all endgames of up to this many men.
    #[serde(default)]
    pub men: Option<u8>,
    /// The metrics; all if empty.
    #[serde(default)]
    pub metrics: Vec<Metric>,
}

/// The tables built, and those that existed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = BuildAnswer))]
pub struct Answer {
    /// The tables that were built, in order.
    pub built: Vec<Built>,
    /// The requested endgames that existed already.
    pub present: Vec<Material>,
}

/// A finished table. Tables that are solved together share their times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Built {
    /// The endgame.
    pub endgame: Material,
    /// The metric, or `dtz50`.
    pub metric: Layer,
    /// The number of stored positions, for both sides to move.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Time of the solution.
    pub solve: Usage,
    /// Time of compression and writing.
    pub write: Usage,
    /// The peak memory of the process so far, in bytes, if the system reports it.
    pub peak_memory: Option<u64>,
    /// The layers that were solved at the same time.
    pub solved_with: Vec<Layer>,
}

/// Builds missing or damaged tables, and calls `built` as they are finished, with those solved together in one
/// call.
pub fn answer(
    service: &Service,
    request: &Request,
    watch: &dyn Watch,
    mut built: impl FnMut(&[Built]),
) -> Result<Answer, Error> {
    let (mut endgames, metrics) = request.tables()?;
    let tables = &service.tables;
    let reports = tables.build(&endgames, &metrics, Damaged::Replaced, watch, |report| {
        built(&built_tables(report));
    })?;
    endgames.retain(|&endgame| reports.iter().all(|report| report.material != endgame));
    Ok(Answer {
        built: reports.iter().flat_map(built_tables).collect(),
        present: endgames,
    })
}

impl Request {
    /// The endgames, each once, and the metrics.
    pub(crate) fn tables(&self) -> Result<(Vec<Material>, Vec<Metric>), Error> {
        let men = self.men.map_or(0, usize::from);
        if men > MAX_MEN {
            return Err(Error::bad_request(format!(
                "there are no tables of {men} men, only of up to {MAX_MEN}"
            )));
        }
        let of_men = (3..=men).flat_map(Material::all);
        let mut endgames: Vec<_> = self.endgames.iter().copied().chain(of_men).collect();
        let mut seen = HashSet::new();
        endgames.retain(|&endgame| seen.insert(endgame));
        let metrics = chosen(&self.metrics);
        Ok((endgames, metrics))
    }
}

fn built_tables(report: &BuildReport) -> Vec<Built> {
    let layers = || report.layers.iter().map(|&(layer, _)| layer);
    let built = |&(metric, bytes): &(Layer, u64)| Built {
        endgame: report.material,
        metric,
        positions: report.positions,
        bytes,
        solve: report.solve,
        write: report.write,
        peak_memory: report.peak_memory,
        solved_with: layers().filter(|&other| other != metric).collect(),
    };
    report.layers.iter().map(built).collect()
}
