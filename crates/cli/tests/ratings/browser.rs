//! Reports in a real browser.

use std::process::Command;

use serde_json::Value;

use crate::{DESK, output, written};

/// The script that measures a page in the browser: appended to it, with its result read from the
/// title.
const MEASURE: &str = r#"<script>
addEventListener("load", () => {
    const all = (what) => [...document.querySelectorAll(what)];
    const seen = (element) => element.getBoundingClientRect().width > 0 && element.getBoundingClientRect().height > 0;
    document.title = JSON.stringify({
        tables: all("table").filter(seen).length,
        rows: all("td:first-child").filter(seen).length,
        drawings: all("svg").filter(seen).length,
        overflow: document.documentElement.scrollWidth > innerWidth,
        fetched: performance.getEntriesByType("resource").length,
    });
});
</script>"#;

fn measured(name: &str, width: u32) -> Value {
    let path = DESK.join(format!("measured-{width}-{name}"));
    std::fs::write(&path, written(name) + MEASURE).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .args(["--disable-sync", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("chromium is needed; cargo xtask test installs it, or apt-get install chromium");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {talk}", output.status);
    let page = String::from_utf8(output.stdout).unwrap();
    let title = page.split("<title>").nth(1);
    let title = title.unwrap_or_else(|| panic!("{name} has no title: {talk}"));
    let title = title.split("</title>").next().unwrap();
    serde_json::from_str(title).unwrap_or_else(|_| panic!("{name} has the title {title}: {talk}"))
}

/// Everything is visible, nothing overflows on a screen of normal width or on a phone, and nothing is
/// fetched from elsewhere.
#[test]
fn reports_are_fit_to_be_seen() {
    let from = ["--calibration", "calibration.json", "--html"];
    let rate = ["rate", "study.db", "--player", "White 2200"];
    output(&[&rate[..], &from, &["seen-rate.html"]].concat());
    output(&[&["screen", "study.db"], &from[..], &["seen-screen.html"]].concat());
    for (page, tables, rows) in [("seen-rate.html", 6, 15), ("seen-screen.html", 1, 6)] {
        for width in [1000, 400] {
            let seen = measured(page, width);
            assert!(seen["tables"].as_u64().unwrap() >= tables, "{page}: {seen}");
            assert!(seen["rows"].as_u64().unwrap() >= rows, "{page}: {seen}");
            assert!(seen["drawings"].as_u64().unwrap() >= 1, "{page}: {seen}");
            assert_eq!(seen["overflow"], false, "{page} at {width}: {seen}");
            assert_eq!(seen["fetched"], 0, "{page}: {seen}");
        }
    }
}
