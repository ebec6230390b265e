//! Finds the engine's program.

use std::{
    env,
    path::{Path, PathBuf},
};

use errare_core::{Fault, FaultKind};

/// The engine used if none is named.
const DEFAULT: &str = "stockfish";

/// Where packages put engines outside the search path.
const USUAL: [&str; 6] = [
    "/usr/games",
    "/usr/local/bin",
    "/usr/local/games",
    "/usr/bin",
    "/opt/homebrew/bin",
    "/snap/bin",
];

/// No engine was found.
#[derive(Debug, thiserror::Error)]
#[error(
    "there is no engine {}{}; install one with \"apt-get install stockfish\" (Debian, Ubuntu) or \
     \"brew install stockfish\" (macOS), or give the path of another",
    name.display(), searched(name)
)]
pub struct NotFound {
    name: PathBuf,
}

impl Fault for NotFound {
    fn kind(&self) -> FaultKind {
        FaultKind::Missing
    }
}

/// Where a name was looked up; a path is only looked for where it is.
fn searched(name: &Path) -> String {
    match is_path(name) {
        true => String::new(),
        false => format!(" on the path or in {}", USUAL.join(", ")),
    }
}

fn is_path(name: &Path) -> bool {
    name.components().count() > 1
}

/// Finds an engine: a path is taken as it is, a bare name is looked up on the search path and in
/// the usual directories.
pub fn find(name: Option<&Path>) -> Result<PathBuf, NotFound> {
    let name = name.unwrap_or(Path::new(DEFAULT));
    let not_found = || NotFound {
        name: name.to_owned(),
    };
    if is_path(name) {
        return name
            .is_file()
            .then(|| name.to_owned())
            .ok_or_else(not_found);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let mut file = name.as_os_str().to_owned();
    file.push(env::consts::EXE_SUFFIX);
    env::split_paths(&path)
        .chain(USUAL.map(PathBuf::from))
        .map(|directory| directory.join(&file))
        .find(|program| program.is_file())
        .ok_or_else(not_found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_helps() {
        for name in ["no-such-engine", "/no/such/engine", "./no-such-engine"] {
            let error = find(Some(Path::new(name))).expect_err(name).to_string();
            assert!(error.contains(name), "{error}");
            assert!(error.contains("apt-get install stockfish"), "{error}");
        }
    }
}
