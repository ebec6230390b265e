//! The programs that some tests drive.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

/// A program, the Debian package that has it, and its purpose.
struct Program {
    name: &'static str,
    package: &'static str,
    purpose: &'static str,
}

const PROGRAMS: [Program; 6] = [
    Program {
        name: "stockfish",
        package: "stockfish",
        purpose: "evaluations by a real engine",
    },
    Program {
        name: "chromium",
        package: "chromium",
        purpose: "pages in a real browser",
    },
    Program {
        name: "nats-server",
        package: "nats-server",
        purpose: "the queue of a fleet",
    },
    Program {
        name: "node",
        package: "nodejs",
        purpose: "building the web pages",
    },
    Program {
        name: "npm",
        package: "npm",
        purpose: "building the web pages",
    },
    Program {
        name: "python3",
        package: "python3",
        purpose: "other people's clients",
    },
];

/// Directories of games and servers on Debian, which may not be on the search path.
const USUAL_PLACES: [&str; 3] = ["/usr/games", "/usr/sbin", "/usr/local/bin"];

/// Makes sure that all programs are installed; returns the Python that has the packages.
pub(crate) fn provide(target: &Path) -> Result<PathBuf> {
    for program in PROGRAMS {
        if find(program.name).is_none() {
            install(program.package, program.purpose)?;
        }
    }
    python(target)
}

pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&paths).chain(USUAL_PLACES.map(PathBuf::from));
    places
        .map(|place| place.join(name))
        .find(|path| path.is_file())
}

/// Installs a Debian package.
pub(crate) fn install(package: &str, purpose: &str) -> Result<()> {
    eprintln!("installing {package}, for {purpose}");
    let apt = |arguments: &[&str]| {
        let status = Command::new("apt-get").args(arguments).status();
        status.is_ok_and(|status| status.success())
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    // On a fresh machine the package lists may be missing.
    let installed = apt(&install) || (apt(&["update"]) && apt(&install));
    if !installed {
        bail!("apt-get cannot install {package} (for {purpose}); install it and try again");
    }
    Ok(())
}

/// A virtual environment with the Python packages that tests use, in the target directory.
fn python(target: &Path) -> Result<PathBuf> {
    let home = target.join("python");
    let python = home.join("bin/python3");
    let run = |program: &Path, arguments: &[&str]| {
        let status = Command::new(program).args(arguments).status();
        status.is_ok_and(|status| status.success())
    };
    if run(&python, &["-c", "import chess, chess.engine, schemathesis"]) {
        return absolute(&python);
    }
    let system = find("python3").context("there is no python3; install it and try again")?;
    let at = home.display().to_string();
    let made = run(&system, &["-m", "venv", &at])
        || (install("python3-venv", "other people's clients").is_ok()
            && run(&system, &["-m", "venv", "--clear", &at]));
    if !made
        || !run(
            &python,
            &["-m", "pip", "install", "--quiet", "chess", "schemathesis"],
        )
    {
        bail!(
            "cannot install the Python packages chess and schemathesis into {at}; \
             make a virtual environment there that has them and try again"
        );
    }
    absolute(&python)
}

/// The absolute path without following links, since a virtual environment is identified by its
/// link.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}
