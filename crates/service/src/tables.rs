//! Builds, lists, counts, verifies and removes tables.

pub mod build;
pub mod dump;
pub mod list;
pub mod remove;
pub mod solutions;
pub mod stats;
pub mod verify;

use errare_core::Metric;

/// The named metrics, each once; all if none is named.
fn chosen(named: &[Metric]) -> Vec<Metric> {
    let mut metrics = Metric::ALL.to_vec();
    metrics.retain(|metric| named.is_empty() || named.contains(metric));
    metrics
}
