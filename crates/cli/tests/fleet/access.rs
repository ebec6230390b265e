//! Whom a server lets in, and the message to others.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use errare_testing::NatsServer;

use super::{Site, as_text, json, text};

#[test]
fn a_wrong_password_and_a_missing_queue_are_told() {
    let site = Site::new();
    let server = NatsServer::start(
        site.directory.path(),
        &["--user", "fleet", "--pass", "secret"],
    );
    let address = server.address().replace("//", "//fleet:wrong@");
    let refused = site.errare(&["jobs", "status", "--queue", &address]);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(
        said.contains("refused the credentials") && !said.contains("wrong"),
        "{said}"
    );
    let address = server.address().replace("//", "//fleet:secret@");
    let status = json(&site.errare(&["jobs", "status", "--queue", &address, "--json"]));
    assert_eq!(status["batches"], serde_json::json!([]));
    let missing = site.errare(&["worker", "--queue", "nowhere.db"]);
    assert!(text(&missing.stderr).contains("there is no queue nowhere.db yet"));
}

/// A token and an encrypted connection, for the submitter, the worker and the status.
#[test]
fn a_token_and_an_encrypted_connection() {
    let site = Site::new();
    let (certificate, key) = (site.path("server.pem"), site.path("server.key"));
    if !make_certificate(&certificate, &key) {
        return errare_testing::skip("there is no openssl to make a certificate with");
    }
    let config = format!(
        "authorization {{ token: \"a long random word\" }}\ntls {{ cert_file: {certificate:?}, key_file: {key:?} }}"
    );
    fs::write(site.path("nats.conf"), config).expect("a file");
    let config = site.path("nats.conf");
    let server = NatsServer::start(site.directory.path(), &["--config", as_text(&config)]);
    let address = server
        .address()
        .replace("nats://127.0.0.1", "tls://localhost");
    let run = |token: Option<&str>, arguments: &[&str]| -> Output {
        let queue = ["--queue", &address, "--queue-certificate", "server.pem"];
        let mut command = site.command(&[arguments, &queue].concat());
        if let Some(token) = token {
            command.env("ERRARE_QUEUE_TOKEN", token);
        }
        command.output().expect("errare")
    };
    let right = Some("a long random word");
    for wrong in [None, Some("a short one")] {
        let refused = run(wrong, &["jobs", "status"]);
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(said.contains("refused the credentials"), "{said}");
    }
    let start = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    let play = [
        "match",
        "rep:c=3",
        "random",
        "--from",
        start,
        "--seed",
        "7",
        "--to-mate",
    ];
    let play = [&play[..], &["--games", "20"]].concat();
    let submitted = run(right, &[&["jobs", "submit"][..], &play].concat());
    assert_eq!(
        submitted.status.code(),
        Some(0),
        "{}",
        text(&submitted.stderr)
    );
    let worked = run(right, &["worker", "--cores", "1", "--idle", "2", "--json"]);
    assert_eq!(json(&worked)["completed"], 1);
    let played = run(right, &[&play[..], &["--json"]].concat());
    assert_eq!(
        json(&played),
        json(&site.errare(&[&play[..], &["--json"]].concat()))
    );

    let unknown = site.errare(&["jobs", "status", "--queue", &address]);
    assert_eq!(
        unknown.status.code(),
        Some(2),
        "nobody vouches for the server"
    );
    let said = text(&unknown.stderr);
    assert!(said.to_lowercase().contains("certificate"), "{said}");
}

/// Makes a certificate for localhost; false if there is no program to make it.
fn make_certificate(certificate: &Path, key: &Path) -> bool {
    let made = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(
            [as_text(key), as_text(certificate)]
                .iter()
                .zip(["-keyout", "-out"])
                .flat_map(|(file, option)| [option, *file]),
        )
        .output();
    made.is_ok_and(|output| output.status.success())
}
