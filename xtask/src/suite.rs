//! All test programs of the workspace, two at a time: many of them wait for engines, servers and browsers, or end with
//! one long test, and would leave cores idle.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Test programs at the same time.
const AT_ONCE: usize = 2;

/// The arguments with which the workspace is tested.
pub(crate) const WHOLE: [&str; 3] = ["--workspace", "--features", "errare/parquet"];

/// The slowest programs start first, so that none is left running alone at the end.
const LONGEST: [&str; 7] = [
    "fitting",
    "predictor",
    "browser",
    "practice",
    "suite",
    "transcripts",
    "endgame",
];

/// Something to run.
struct Program {
    /// What its output is called.
    name: String,
    command: Command,
}

/// Compiles and runs all tests, those in documentation too; says which programs failed.
pub(crate) fn run(target: &Path, prepare: impl Fn(&mut Command)) -> Result<Vec<String>> {
    let mut programs = compile(&prepare)?;
    programs.insert(0, documentation());
    programs.iter_mut().for_each(|it| prepare(&mut it.command));
    let logs = target.join("tmp/test-logs");
    fs::create_dir_all(&logs).with_context(|| format!("cannot make {}", logs.display()))?;
    let programs: Vec<Mutex<Program>> = programs.into_iter().map(Mutex::new).collect();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut program = program.lock().unwrap_or_else(PoisonError::into_inner);
            let log = logs.join(program.name.replace([' ', '/'], "-"));
            let succeeded = program.run(&log)?;
            // Outputs are printed one at a time.
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            let mut out = io::stdout().lock();
            writeln!(out, "\n     Running {}", program.name)?;
            io::copy(&mut File::open(&log)?, &mut out)?;
            if !succeeded {
                failed.push(program.name.clone());
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers = [(); AT_ONCE].map(|()| scope.spawn(work));
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    Ok(failed.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Program {
    /// Did it succeed? Its output goes to a file.
    fn run(&mut self, log: &Path) -> Result<bool> {
        let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        let status = self
            .command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .status();
        let status = status.with_context(|| format!("cannot start {}", self.name))?;
        Ok(status.success())
    }
}

/// Compiles the test programs.
fn compile(prepare: impl Fn(&mut Command)) -> Result<Vec<Program>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--no-run"]).args(WHOLE);
    cargo.arg("--message-format=json-render-diagnostics");
    prepare(&mut cargo);
    let mut child = cargo.stdout(Stdio::piped()).spawn()?;
    let messages = child.stdout.take().context("cargo says nothing")?;
    let mut programs = Vec::new();
    for line in BufReader::new(messages).lines() {
        programs.extend(serde_json::from_str(&line?).ok().as_ref().and_then(program));
    }
    if !child.wait()?.success() {
        bail!("the tests do not compile");
    }
    let place = |name: &str| LONGEST.iter().position(|long| name.ends_with(long));
    programs.sort_by_key(|(name, _)| (place(name).unwrap_or(LONGEST.len()), name.clone()));
    let named = |(name, command)| Program { name, command };
    Ok(programs.into_iter().map(named).collect())
}

/// The test program in a message of cargo, run as cargo would run it.
fn program(message: &Value) -> Option<(String, Command)> {
    let executable = message["executable"].as_str()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let manifest = PathBuf::from(message["manifest_path"].as_str()?);
    let directory = manifest.parent()?;
    let package = directory.file_name()?.to_str()?;
    let target = message["target"]["name"].as_str()?;
    let mut command = Command::new(executable);
    command
        .current_dir(directory)
        .env("CARGO_MANIFEST_DIR", directory)
        .env("CARGO", env!("CARGO"));
    Some((format!("{package} {target}"), command))
}

/// The examples in documentation, which cargo compiles and runs itself.
fn documentation() -> Program {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--doc", "--no-fail-fast"])
        .args(WHOLE);
    Program {
        name: "documentation".to_owned(),
        command,
    }
}
