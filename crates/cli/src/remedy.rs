//! What a user of this program can do about an error: the libraries say what is wrong, and know no option.

mod rating;

use std::{error::Error, path::Path};

use errare_core::{Fault, FaultKind, Material};
use errare_endgame::ExactError;
use errare_service::minimax::search::TooLong;
use errare_tables::{
    BuildError, FileError, JudgeError, Layer, ProbeError, ScanError, StoreError, VerifyError,
    WriteError,
};

/// The remedy for the first error of a chain that has one.
pub(crate) fn remedy(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(of)
}

fn of(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<errare_service::Error>() {
        return of(error.inner());
    }
    if let Some(error) = error.downcast_ref::<BuildError>() {
        return of_build(error);
    }
    if let Some(error) = error.downcast_ref::<JudgeError>() {
        return match error {
            JudgeError::Probe(error) => of_probe(error),
            JudgeError::Syzygy(_) | JudgeError::Stopped(_) => None,
        };
    }
    if let Some(error) = error.downcast_ref::<VerifyError>() {
        return match error {
            VerifyError::Scan(error) => of_scan(error),
            VerifyError::Probe(error) => of_probe(error),
            VerifyError::Stopped(_) => None,
        };
    }
    if let Some(error) = error.downcast_ref::<ExactError>() {
        return of_exact(error);
    }
    if error.is::<TooLong>() {
        return Some("add --yes to start all the same".to_owned());
    }
    if let Some(remedy) = rating::of(error) {
        return Some(remedy);
    }
    let of_probe = error.downcast_ref().and_then(of_probe);
    let of_scan = || error.downcast_ref().and_then(of_scan);
    let of_store = || error.downcast_ref().and_then(of_store);
    let of_file = || error.downcast_ref().and_then(of_file);
    of_probe.or_else(of_scan).or_else(of_store).or_else(of_file)
}

fn of_build(error: &BuildError) -> Option<String> {
    match error {
        BuildError::Memory { .. } => Some("raise --memory or close other programs".to_owned()),
        BuildError::Store(error) => of_store(error),
        BuildError::Subgame { source, .. } => of_file(source),
        BuildError::File(error) => of_file(error),
        BuildError::Write(WriteError::Write { .. }) => {
            Some("finished tables are kept: build again to continue".to_owned())
        }
        BuildError::Stopped(_) => Some("finished tables are kept".to_owned()),
        BuildError::Endgame(_) | BuildError::Write(_) | BuildError::TooDeep(_) => None,
    }
}

fn of_exact(error: &ExactError) -> Option<String> {
    match error {
        ExactError::Memory { .. } => Some("raise --memory".to_owned()),
        ExactError::NamedTies => Some("use --ties uniform".to_owned()),
        ExactError::TooLong { .. } | ExactError::NotSettled { .. } => {
            Some("ask without --position for the average over the endgame".to_owned())
        }
        ExactError::Probe(error) => of_probe(error),
        ExactError::Scan(error) => of_scan(error),
        _ => None,
    }
}

fn of_probe(error: &ProbeError) -> Option<String> {
    match error {
        ProbeError::TooManyMen(_) => Some("give larger Syzygy tables with --syzygy".to_owned()),
        ProbeError::Missing {
            material,
            directory,
            ..
        } => Some(build(*material, None, directory)),
        ProbeError::File(error) => of_file(error),
        ProbeError::Castling => None,
    }
}

fn of_scan(error: &ScanError) -> Option<String> {
    match error {
        ScanError::Missing {
            material,
            layer,
            directory,
        } => Some(build(*material, Some(*layer), directory)),
        ScanError::File(error) => of_file(error),
        ScanError::Endgame(_) | ScanError::Stopped(_) => None,
    }
}

fn of_store(error: &StoreError) -> Option<String> {
    match error {
        StoreError::Directory { .. } => Some("choose another with --tables".to_owned()),
        StoreError::Lock { .. } | StoreError::Remove { .. } => None,
    }
}

/// What to do about a file that cannot be used.
pub(crate) fn of_file(error: &FileError) -> Option<String> {
    let (material, layer) = error.table()?;
    let directory = error.path().parent()?;
    match error {
        FileError::Foreign { .. } => Some("move it elsewhere".to_owned()),
        FileError::Newer { .. } => Some("update errare".to_owned()),
        error if error.kind() == FaultKind::Damaged => Some(format!(
            "{} replaces it",
            command(material, Some(layer), directory)
        )),
        _ => None,
    }
}

fn build(material: Material, layer: Option<Layer>, directory: &Path) -> String {
    format!("build it with {}", command(material, layer, directory))
}

/// The command that builds a table, or all of an endgame, in the directory where it is missing.
pub(crate) fn command(material: Material, layer: Option<Layer>, directory: &Path) -> String {
    let metric = layer.map_or(String::new(), |layer| {
        format!(" --metric {}", layer.metric())
    });
    format!(
        "`errare tables build {material}{metric} --tables {}`",
        quoted(directory)
    )
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use errare_core::Metric;

    use super::*;

    #[test]
    fn a_command_names_the_directory() {
        let missing = errare_service::Error::from(ProbeError::Missing {
            material: "KQKR".parse().unwrap(),
            layer: Metric::Dtc.into(),
            directory: "/my tables".into(),
        });
        let remedy = remedy(&anyhow::Error::from(missing.context("game 3")));
        let expected = "build it with `errare tables build KQKR --tables '/my tables'`";
        assert_eq!(remedy.as_deref(), Some(expected));
    }
}
