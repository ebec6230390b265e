//! The hunters' solutions, which are kept beside the tables.

use std::{fs, io, path::PathBuf};

use errare_core::{FaultKind, Material, Metric};

use crate::{Error, Service};

/// A file with a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// The endgame.
    pub endgame: Material,
    /// The metric.
    pub metric: Metric,
    /// Its path.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// All files with solutions, by name.
pub fn answer(service: &Service) -> Result<Vec<SolutionFile>, Error> {
    let directory = service.tables.store().directory();
    let failed = |error: io::Error| {
        let text = format!("cannot list {}: {error}", directory.display());
        Error::new(FaultKind::Internal, text)
    };
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        // As `KQKR.dtc.white.wins.length.kappa1.c20.hunt`.
        let parts: Vec<&str> = name.to_str().unwrap_or_default().split('.').collect();
        if let [endgame, metric, .., "hunt"] = parts[..]
            && let (Ok(endgame), Ok(metric)) = (endgame.parse(), metric.parse())
        {
            found.push(SolutionFile {
                endgame,
                metric,
                path: entry.path(),
                bytes: entry.metadata().map_err(failed)?.len(),
            });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Removes the solutions of an endgame in some metrics, and returns their files.
pub(super) fn remove(
    service: &Service,
    endgame: Material,
    metrics: &[Metric],
) -> Result<Vec<PathBuf>, Error> {
    let mut removed = Vec::new();
    for file in answer(service)? {
        if file.endgame == endgame && metrics.contains(&file.metric) {
            fs::remove_file(&file.path).map_err(|error| {
                let text = format!("cannot remove {}: {error}", file.path.display());
                Error::new(FaultKind::Internal, text)
            })?;
            removed.push(file.path);
        }
    }
    Ok(removed)
}
