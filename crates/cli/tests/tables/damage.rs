//! Files that are damaged or wrong.

use std::fs;

use errare_core::Metric;
use errare_tables::{Layout, Store, Value};
use shakmaty::Color;
use tempfile::TempDir;

use super::{TABLES, code, errare, files, stderr, stdout};

/// A copy of some tables, to be damaged.
fn copy(names: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(TABLES.join(name), directory.path().join(name)).unwrap();
    }
    directory
}

#[test]
fn a_damaged_file_is_listed_refused_and_removed() {
    let directory = copy(&["KQK.dtm.errare", "KQK.dtz.errare"]);
    let file = directory.path().join("KQK.dtm.errare");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 10]).unwrap();

    let list = errare(directory.path(), &["list"]);
    assert_eq!(code(&list), 1);
    assert!(stdout(&list).contains("damaged"), "{}", stdout(&list));
    assert!(
        stderr(&list).contains("KQK.dtm.errare is truncated"),
        "{}",
        stderr(&list)
    );

    // The remedy names the directory: another one may have a good table of the same name.
    let remedy = format!(
        "`errare tables build KQK --metric dtm --tables {}` replaces it",
        directory.path().display()
    );
    assert!(stderr(&list).contains(&remedy), "{}", stderr(&list));
    let refused = errare(directory.path(), &["stats", "KQK"]);
    assert_eq!(code(&refused), 2);
    let told = stderr(&refused);
    assert!(
        told.contains("truncated") && told.contains(&remedy),
        "{told}"
    );

    let removed = errare(directory.path(), &["remove", "KQK", "--metric", "dtm"]);
    assert_eq!(code(&removed), 0);
    assert_eq!(stdout(&removed).trim_end(), file.to_str().unwrap());
    // The hunter's solutions are listed, and removed too.
    let solution = |endgame| format!("{endgame}.dtc.white.wins.length.kappa1.c20.hunt");
    for endgame in ["KQK", "KRK"] {
        fs::write(directory.path().join(solution(endgame)), [0; 2048]).unwrap();
    }
    let listed = stdout(&errare(directory.path(), &["list"]));
    assert!(
        listed.contains("2 solutions of the exact hunter: 4"),
        "{listed}"
    );
    let removed = errare(directory.path(), &["remove", "KQK"]);
    assert_eq!(code(&removed), 0);
    assert_eq!(stdout(&removed).lines().count(), 2);
    assert!(stdout(&removed).contains(&solution("KQK")));
    fs::remove_file(directory.path().join(solution("KRK"))).unwrap();
    assert_eq!(files(directory.path()), Default::default());
    let again = errare(directory.path(), &["remove", "KQK"]);
    assert_eq!(code(&again), 1);
    let nothing = format!(
        "there are no tables of KQK in {}\n",
        directory.path().display()
    );
    assert_eq!(stderr(&again), nothing);
}

/// A build finds damage anywhere in a file and replaces the file; other tables are untouched.
#[test]
fn a_build_replaces_damaged_files() {
    let truncate = |bytes: &mut Vec<u8>| bytes.truncate(bytes.len() - 10);
    let flip = |bytes: &mut Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0xff;
    };
    for harm in [&truncate as &dyn Fn(&mut Vec<u8>), &flip] {
        let directory = copy(&["KQK.dtm.errare", "KQK.dtz.errare"]);
        let [harmed, other] =
            ["KQK.dtm.errare", "KQK.dtz.errare"].map(|name| directory.path().join(name));
        let good = fs::read(&harmed).unwrap();
        let mut bytes = good.clone();
        harm(&mut bytes);
        fs::write(&harmed, bytes).unwrap();
        let before = fs::metadata(&other).unwrap().modified().unwrap();
        let built = errare(directory.path(), &["build", "KQK", "--metric", "dtm,dtz"]);
        assert_eq!(code(&built), 0, "{}", stderr(&built));
        assert!(
            stderr(&built).contains("it is replaced"),
            "{}",
            stderr(&built)
        );
        assert_eq!(stdout(&built).lines().count(), 1, "{}", stdout(&built));
        assert_eq!(fs::read(&harmed).unwrap(), good);
        assert_eq!(fs::metadata(&other).unwrap().modified().unwrap(), before);
    }
}

/// Other programs' files are not replaced.
#[test]
fn a_build_leaves_a_foreign_file_alone() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("KQK.dtm.errare");
    fs::write(&file, "dear diary").unwrap();
    let refused = errare(directory.path(), &["build", "KQK", "--metric", "dtm"]);
    assert_eq!(code(&refused), 2);
    let told = stderr(&refused);
    assert!(
        told.ends_with("is not an Errare table; move it elsewhere\n"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "dear diary");
}

/// A truncated table does not stop others from being built and verified.
#[test]
fn verification_goes_on_after_a_truncated_table() {
    let directory = copy(&["KQK.dtm.errare"]);
    let file = directory.path().join("KQK.dtm.errare");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 10]).unwrap();
    let verified = errare(directory.path(), &["verify", "KQK", "--metric", "dtm,dtz"]);
    assert_eq!(code(&verified), 2);
    assert!(stderr(&verified).contains("KQK.dtm.errare is truncated"));
    let found = stdout(&verified);
    assert!(found.starts_with("KQK dtz: right, "), "{found}");
}

/// Each table is verified, even if another is damaged.
#[test]
fn verification_goes_on_after_a_damaged_block() {
    let directory = copy(&["KQK.dtm.errare", "KQK.dtz.errare"]);
    let file = directory.path().join("KQK.dtm.errare");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&file, bytes).unwrap();
    let verified = errare(
        directory.path(),
        &["verify", "KQK", "--metric", "dtm,dtz", "--json"],
    );
    assert_eq!(code(&verified), 2);
    assert!(stderr(&verified).contains("KQK.dtm.errare is damaged"));
    let answer: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    let tables = answer["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 1);
    assert_eq!(tables[0]["metric"], "dtz");
    assert!(tables[0]["mismatch"].is_null());
}

/// A table that calls everything a draw is wrong at the first mate.
#[test]
fn a_wrong_table_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), 1 << 20);
    let endgame = "KQK".parse().unwrap();
    let positions = Layout::new(endgame).unwrap().len();
    let mut writer = store
        .writer(endgame, Metric::Dtm.into(), positions)
        .unwrap();
    for turn in Color::ALL {
        let draws = vec![Value::DRAW; positions as usize];
        writer.append(turn, &draws).unwrap();
    }
    writer.finish(false).unwrap();

    let wrong = errare(directory.path(), &["verify", "KQK", "--metric", "dtm"]);
    assert_eq!(code(&wrong), 1, "{}", stderr(&wrong));
    let message = stdout(&wrong).replace('\n', " ");
    assert!(message.starts_with("KQK dtm: WRONG at "), "{message}");
    assert!(
        message.contains(" b - - 0 1, or after a move: "),
        "{message}"
    );
    let verdict = "the table says draw, the moves say loss in 0 plies ";
    assert!(message.ends_with(verdict), "{message}");

    let json = errare(
        directory.path(),
        &["verify", "KQK", "--metric", "dtm", "--json"],
    );
    assert_eq!(code(&json), 1);
    let answer: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let mismatch = &answer["tables"][0]["mismatch"];
    assert!(message.contains(mismatch["fen"].as_str().unwrap()));
    assert_eq!(mismatch["expected"]["outcome"], "loss");
}
