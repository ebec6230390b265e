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
    Service, Supply,
    practice::{
        Act, Answer, Request, Start, act, begin,
        history::{History, now},
    },
};
use errare_tables::Store;
use errare_web::{Access, App, Guard, serve};
use tokio::net::TcpListener;

/// The tests.
const FILES: [&str; 3] = ["practice", "pages", "look"];
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

/// A copy of the tests with all packages beside them, or what is missing.
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
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("tables"), 1 << 26);
    let tables = Supply::new(store).with_memory(1 << 30);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stop = Cancel::default();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let guard = Guard::new(Access::ThisMachine, address, Vec::new());
    let service = Service { tables };
    let history = History::open(directory.path().join("practice.sqlite")).unwrap();
    let past = slip_of_two_days_ago(&service);
    history.save(&past, now() - 2 * DAY).unwrap();
    let app = Arc::new(App::new(service, guard).with_history(history));
    let stopping = stop.clone();
    let server = runtime.spawn(async move { serve(app, listener, &stopping as &dyn Watch).await });
    let node = Command::new("node")
        .args(["--test", "--test-concurrency=2"])
        .args(FILES.map(|file| format!("test/{file}.test.mjs")))
        .current_dir(&copy)
        .env("ERRARE_URL", format!("http://{address}"))
        .output()
        .unwrap();
    stop.cancel();
    runtime.block_on(server).unwrap().unwrap();
    assert!(
        node.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&node.stdout),
        String::from_utf8_lossy(&node.stderr)
    );
}
