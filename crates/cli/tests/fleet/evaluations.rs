//! Evaluations by a fleet.

use std::{fmt::Write, fs, path::Path};

use rusqlite::{Connection, OpenFlags};
use shakmaty::{Chess, Position, san::SanPlus};

use super::{Site, as_text, json, text, wait_for};

/// Games of random moves.
pub(super) fn write_games(site: &Site, games: usize, plies: usize) {
    let mut random = 12_345_u64;
    let mut pgn = String::new();
    for number in 0..games {
        let mut board = Chess::default();
        let _ = write!(pgn, "[White \"A{number}\"]\n[Black \"B\"]\n");
        pgn += "[WhiteElo \"2200\"]\n[BlackElo \"2200\"]\n\n";
        for _ in 0..plies {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let played = legal[(random >> 33) as usize % legal.len()];
            let _ = write!(
                pgn,
                "{} ",
                SanPlus::from_move_and_play_unchecked(&mut board, played)
            );
        }
        pgn += "*\n\n";
    }
    fs::write(site.path("games.pgn"), pgn).expect("a file");
}

/// The contents of a study.
pub(super) fn dump(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).expect("a database");
    let queries = [
        "SELECT id || fen || legal FROM positions ORDER BY id",
        "SELECT id || name || version || net || depth || multi_pv FROM engines ORDER BY id",
        "SELECT position || ' ' || engine || ' ' || hex(ranking) FROM evaluations
         ORDER BY position, engine",
        "SELECT 'claim ' || position || owner FROM claims",
    ];
    let mut lines = Vec::new();
    for query in queries {
        let mut statement = connection.prepare(query).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        lines.extend(rows.map(|row| row.expect("a row")));
    }
    lines
}

pub(super) fn evaluations(path: &Path) -> i64 {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let count = Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.query_row("SELECT count(*) FROM evaluations", [], |row| row.get(0))
    });
    count.unwrap_or(0)
}

pub(super) fn evaluate<'a>(store: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common = ["evaluate", "games.pgn", "--depth", "2", "--json", "--store"];
    [&common[..], &[store], more].concat()
}

/// Two of four workers are killed, and the server is killed and restarted: the study is the same as from a single
/// process.
#[test]
fn what_is_killed_midway_changes_nothing() {
    let site = Site::new();
    write_games(&site, 30, 90);
    let alone = json(&site.errare(&evaluate("alone.db", &[])));
    let total = alone["positions"]["evaluated"].as_i64().expect("a number");
    assert!(total >= 2_000, "{total}");

    let mut server = site.server();
    let address = server.address();
    let arguments = evaluate("fleet.db", &["--queue", &address, "--audit", "1"]);
    let submitter = site.command(&arguments).spawn().expect("errare");
    let mut workers: Vec<_> = (0..4).map(|_| site.worker(&address)).collect();
    let store = site.path("fleet.db");
    wait_for(|| evaluations(&store) >= 100);
    workers.truncate(2);
    server.restart();
    assert!(
        evaluations(&store) < total,
        "it was too fast to be disturbed"
    );
    let output = submitter.wait_with_output().expect("errare");
    let report = json(&output);
    assert_eq!(report["positions"]["evaluated"], total);
    let said = text(&output.stderr);
    assert!(
        said.contains("audit: ") && said.contains("0 differ"),
        "{said}"
    );
    assert_eq!(dump(&store), dump(&site.path("alone.db")));
    let status = json(&site.errare(&["jobs", "status", "--queue", &address, "--json"]));
    assert_eq!(
        (&status["left"], &status["batches"]),
        (&0.into(), &serde_json::json!([]))
    );
    assert!(!status["workers"].as_array().expect("a list").is_empty());
}

/// The queue in the study's own file; a submitter that leaves and comes back; a position at which every engine dies.
#[test]
fn the_study_is_a_queue_itself() {
    let site = Site::new();
    write_games(&site, 2, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    let queue = ["--queue", "study.db"];
    let submitted = [&["jobs", "submit"][..], &evaluate("study.db", &queue)].concat();
    let report = json(&site.errare(&submitted));
    let left = report["positions"]["left"].as_u64().expect("a number");
    let fens: Vec<String> = {
        let connection = Connection::open(site.path("study.db")).expect("a study");
        let mut statement = connection
            .prepare("SELECT fen FROM positions ORDER BY id")
            .expect("SQL");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.map(|row| row.expect("a FEN")).collect()
    };
    let worker = [
        "worker", "--queue", "study.db", "--cores", "2", "--idle", "2", "--lease", "3",
    ];
    let poisoned = |poison: &str| {
        let mut command = site.command(&worker);
        command.env("PEER_POISON", poison).spawn().expect("errare")
    };
    // A position at which the engine dies every time.
    let poison = fens.last().expect("a position");
    let mut first = poisoned(poison);
    let mut command = site.command(&evaluate("study.db", &queue));
    let mut submitter = command.spawn().expect("errare");
    let report = site.errare(&["jobs", "status", "--queue", "study.db", "--json"]);
    assert!(json(&report)["left"].as_u64() <= Some(left));
    first.wait().expect("gone");
    // The worker ended after two idle seconds; the submitter asks for the rest one by one.
    let mut second = poisoned(poison);
    let output = loop {
        if submitter.try_wait().expect("a state").is_some() {
            break submitter.wait_with_output().expect("errare");
        }
        if second.try_wait().expect("a state").is_some() {
            second = poisoned(poison);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let _ = second.wait();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["positions"]["failed"], 1);
    let status = json(&site.errare(&["jobs", "status", "--queue", "study.db", "--json"]));
    let dead = &status["batches"][0]["dead"];
    assert!(dead.to_string().contains(poison.as_str()), "{dead}");
    // With a working engine the same command completes the study.
    let mut good = site.command(&worker).spawn().expect("errare");
    let report = json(&site.errare(&evaluate("study.db", &queue)));
    assert_eq!(report["positions"]["left"], 0);
    good.wait().expect("gone");
    assert_eq!(dump(&site.path("study.db")), dump(&site.path("alone.db")));
}

/// Without a server: each share into a file, and all files into the study.
#[test]
fn shares_are_put_together() {
    let site = Site::new();
    write_games(&site, 3, 40);
    let whole = json(&site.errare(&evaluate("alone.db", &[])));
    for share in ["1/2", "2/2"] {
        json(&site.errare(&evaluate("study.db", &["--shard", share])));
    }
    let files = ["shard-1-of-2.jobs", "shard-2-of-2.jobs"].map(|name| site.path(name));
    let [one, two] = files.each_ref().map(|path| as_text(path));
    let collected = ["jobs", "collect", one, two, "--store", "study.db", "--json"];
    let collected = json(&site.errare(&collected));
    assert_eq!(collected["new"], whole["positions"]["evaluated"]);
    assert_eq!(collected["left"], 0);
    assert_eq!(dump(&site.path("study.db")), dump(&site.path("alone.db")));
}
