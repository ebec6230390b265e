//! The pages in a real browser: `ui/test`, run by Node.js with the packages of the lock file.
//!
//! Without Node.js, npm's registry or Chromium it says what is missing and passes; `ERRARE_BROWSER=required` makes
//! that a failure.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use errare_core::{Cancel, Watch};
use errare_service::{
    EngineChoice, Service, Supply,
    practice::{
        Act, Answer, Request, Start, act, begin,
        history::{History, now},
    },
};
use errare_tables::Store;
use errare_web::{Access, App, EvaluationChoice, Guard, serve};
use tokio::net::TcpListener;

/// The tests.
const FILES: [&str; 5] = ["practice", "pages", "look", "engine", "phone"];
/// The token of the server that phones reach.
const TOKEN: &str = "correcthorse";
/// A day, in seconds.
const DAY: i64 = 86_400;

/// A game with a slip, which comes back the day after.
fn slip_of_two_days_ago(service: &Service) -> Answer {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1".to_owned();
    let request = Request::new(Start::Position { fen });
    let begun = begin(service, &request, &()).unwrap();
    let text = "Ra2".to_owned();
    act(service, &begun.session, &Act::Move { text }, &()).unwrap()
}

/// A copy of the tests with all packages installed, or what is missing.
fn prepared() -> Result<PathBuf, String> {
    let chromium = env::var("ERRARE_CHROMIUM").unwrap_or("/usr/bin/chromium".to_owned());
    if !Path::new(&chromium).exists() {
        return Err(format!(
            "there is no {chromium}: install Chromium or name it in ERRARE_CHROMIUM"
        ));
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    let told = |error: std::io::Error| error.to_string();
    fs::create_dir_all(copy.join("test")).map_err(told)?;
    for entry in fs::read_dir(source.join("test")).map_err(told)? {
        let entry = entry.map_err(told)?;
        fs::copy(entry.path(), copy.join("test").join(entry.file_name())).map_err(told)?;
    }
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/games.pgn");
    fs::copy(games, copy.join("test/games.pgn")).map_err(told)?;
    let lock = fs::read(source.join("package-lock.json")).map_err(told)?;
    let installed = copy.join("node_modules/.installed");
    if fs::read(&installed).ok().as_ref() != Some(&lock) {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(source.join(file), copy.join(file)).map_err(told)?;
        }
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        let npm = Command::new("npm")
            .args(arguments)
            .current_dir(&copy)
            .output();
        let npm = npm.map_err(|error| format!("npm does not start ({error}): install Node.js"))?;
        if !npm.status.success() {
            return Err(format!(
                "npm ci failed: {}",
                String::from_utf8_lossy(&npm.stderr)
            ));
        }
        fs::write(&installed, &lock).map_err(told)?;
    }
    Ok(copy)
}

#[test]
fn the_pages_work_in_a_browser() {
    let copy = match prepared() {
        Ok(copy) => copy,
        Err(missing) if env::var("ERRARE_BROWSER").is_ok_and(|wish| wish == "required") => {
            panic!("{missing}")
        }
        Err(missing) => {
            errare_testing::skip(&format!("not tested in a browser: {missing}"));
            return;
        }
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stop = Cancel::default();
    let directory = tempfile::tempdir().unwrap();
    // A server for this machine, and one that phones in the same network can reach.
    let start = |name: &str, access: Access| {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let guard = Guard::new(access, address, Vec::new());
        let app = Arc::new(application(&directory.path().join(name), guard));
        let stop = stop.clone();
        let server = runtime.spawn(async move { serve(app, listener, &stop as &dyn Watch).await });
        (server, format!("http://{address}"))
    };
    let (server, url) = start("own", Access::ThisMachine);
    let (shared, shared_url) = start("shared", Access::Token(TOKEN.to_owned()));
    let node = Command::new("node")
        .args(["--test", "--test-concurrency=2"])
        .args(FILES.map(|file| format!("test/{file}.test.mjs")))
        .current_dir(&copy)
        .env("ERRARE_URL", url)
        .env("ERRARE_SHARED_URL", shared_url)
        .env("ERRARE_TOKEN", TOKEN)
        .output()
        .unwrap();
    stop.cancel();
    for server in [server, shared] {
        runtime.block_on(server).unwrap().unwrap();
    }
    assert!(
        node.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&node.stdout),
        String::from_utf8_lossy(&node.stderr)
    );
}

/// An application with its own tables and a due slip.
fn application(directory: &Path, guard: Guard) -> App {
    fs::create_dir_all(directory).unwrap();
    let store = Store::open(directory.join("tables"), 1 << 26);
    let tables = Supply::new(store).with_memory(1 << 30);
    let service = Service { tables };
    let history = History::open(directory.join("practice.sqlite")).unwrap();
    let past = slip_of_two_days_ago(&service);
    history.save(&past, now() - 2 * DAY).unwrap();
    App::new(service, guard)
        .with_history(history)
        .with_evaluation(EvaluationChoice {
            engine: EngineChoice::default(),
            study: directory.join("evaluations.db"),
        })
}
