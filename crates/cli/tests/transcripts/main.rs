//! The transcripts in README.md and docs/*.md match the program.
//!
//! A fenced block of `console` is a session: lines that begin with `$ ` are run by a shell, and the lines below are
//! their standard output, with `...` on its own line for any number of lines and `[..]` for any characters within one.
//! A command with no output below it is run, and its output ignored. Blocks of other kinds are not run, and must not
//! look like a session.

mod markdown;
#[path = "../program/mod.rs"]
mod program;

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
    thread,
};

use snapbox::{Assert, IntoData};

use self::markdown::{Step, sessions};

/// Tables for the pages only, some of which list them.
static TABLES: LazyLock<PathBuf> = LazyLock::new(errare_testing::scratch_directory);

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages with transcripts.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let mut pages: Vec<_> = docs.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn sessions_are_marked_as_such() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for block in markdown::blocks(&text) {
            let looks_like_one = block.text.lines().any(|line| line.starts_with("$ errare"));
            assert!(
                block.kind == "console" || !looks_like_one,
                "{}:{}: a block with `$ errare` is of the kind console; write a command that is not to be run without the $",
                page.display(),
                block.line
            );
        }
    }
}

#[test]
fn pages_tell_what_the_program_does() {
    let wrong: Vec<String> = thread::scope(|scope| {
        let pages = pages().into_iter();
        let pages: Vec<_> = pages
            .map(|page| scope.spawn(move || mistakes(&page)))
            .collect();
        pages
            .into_iter()
            .flat_map(|page| page.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The places where a page and the program disagree.
fn mistakes(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    // Commands read the files of the workspace; their output stays in the scratch directory.
    let desk = tempfile::tempdir().unwrap();
    for name in ["crates", "docs"] {
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join(name), desk.path().join(name)).unwrap();
    }
    let steps = sessions(&text).into_iter();
    let wrong = steps.filter_map(|step| {
        let error = check(&step, desk.path()).err()?;
        Some(format!("{}:{}\n{error}", page.display(), step.line))
    });
    wrong.collect()
}

/// The five walks of ARCHITECTURE.md are calls of functions that exist.
#[test]
fn walks_name_functions_of_the_source() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, walks) = page.split_once("## The five walks").unwrap();
    let (walks, _) = walks.split_once("\n## ").unwrap();
    let names: Vec<&str> = walks.split('`').skip(1).step_by(2).collect();
    let calls: Vec<&str> = names
        .into_iter()
        .filter(|name| name.contains("::"))
        .collect();
    assert!(calls.len() > 15, "{calls:?}");
    let source = source(&root().join("crates"));
    for call in calls {
        let name = call.rsplit("::").next().unwrap();
        let function = format!("fn {name}");
        let defined = source
            .split(&function)
            .skip(1)
            .any(|rest| rest.starts_with(['(', '<']));
        assert!(defined, "{call}: there is no function {name}");
    }
}

/// No two public types of any crates share a name; only `Request` and `Answer` are in each module of the service.
#[test]
fn one_name_is_one_type() {
    let source = source(&root().join("crates"));
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type "];
    let names = source.lines().filter_map(|line| {
        let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        name.split(|c: char| !c.is_alphanumeric()).next()
    });
    let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        if !seen.insert(name) {
            twice.insert(name);
        }
    }
    assert!(seen.len() > 500, "{}", seen.len());
    assert_eq!(twice.into_iter().collect::<Vec<_>>(), ["Answer", "Request"]);
}

/// A test that cannot run calls `errare_testing::skip`, which says so and counts it; nothing is left to a flag that nobody sets.
#[test]
fn no_test_is_ignored() {
    let mark = concat!("#[", "ignore");
    assert!(!source(&root().join("crates")).contains(mark));
}

/// All source below a directory.
fn source(directory: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("node_modules") {
            text += &source(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

fn check(step: &Step, desk: &Path) -> Result<(), String> {
    let program = program::errare();
    let bin = Path::new(program.get_program()).parent().unwrap();
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = env::split_paths(&paths);
    let path = env::join_paths([bin.to_owned()].into_iter().chain(paths)).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &step.command]).current_dir(desk);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("PATH", path).env("COLUMNS", "120");
    shell.env("ERRARE_TABLES", &*TABLES);
    let output = shell.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("$ {}\n{talk}", step.command));
    }
    if step.output.is_empty() {
        return Ok(());
    }
    let written = trimmed(&String::from_utf8_lossy(&output.stdout));
    let expected = trimmed(&step.output);
    Assert::new()
        .try_eq(
            Some(&step.command),
            written.into_data(),
            expected.into_data(),
        )
        .map_err(|error| error.to_string())
}

/// A text without trailing spaces, which pages do not keep.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}
