//! Whom a server lets in: tokens, passwords, credentials, certificates.

use std::{fs, path::Path, process::Command};

use data_encoding::BASE64URL_NOPAD;
use errare_jobs::{NatsAccess, NatsQueue, QueueError};
use errare_testing::NatsServer;
use nkeys::KeyPair;
use serde_json::{Value, json};

#[test]
fn a_server_that_does_not_encrypt_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let access = NatsAccess {
        require_tls: true,
        ..NatsAccess::default()
    };
    let error = NatsQueue::connect(&server.address(), &access).unwrap_err();
    let text = errare_core::with_causes(&error);
    assert!(text.ends_with("the server does not encrypt"), "{text}");
}

#[test]
fn a_wrong_token_or_password_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &["--auth", "secret"]);
    let connect = |token: Option<&str>| {
        let access = NatsAccess {
            token: token.map(str::to_owned),
            ..NatsAccess::default()
        };
        NatsQueue::connect(&server.address(), &access)
    };
    for token in [Some("wrong"), None] {
        let error = connect(token).unwrap_err();
        assert!(matches!(error, QueueError::Refused { .. }), "{error:?}");
    }
    assert!(connect(Some("secret")).is_ok());
    drop(server);

    let server = NatsServer::start(directory.path(), &["--user", "fleet", "--pass", "right"]);
    let with = |password: &str| {
        let address = server
            .address()
            .replace("//", &format!("//fleet:{password}@"));
        NatsQueue::connect(&address, &NatsAccess::default())
    };
    let error = with("wrong").unwrap_err();
    assert!(matches!(error, QueueError::Refused { .. }), "{error:?}");
    assert!(!error.to_string().contains("wrong"), "no password is shown");
    with("right").unwrap();
}

/// An encrypted connection works with the right authority and no other.
#[test]
fn connections_can_be_encrypted() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    for name in ["ours", "other"] {
        if !certificate(&at(&format!("{name}.pem")), &at(&format!("{name}.key"))) {
            return errare_testing::skip("there is no openssl to make a certificate with");
        }
    }
    let config = at("nats.conf");
    let tls = format!(
        "tls {{ cert_file: {:?}, key_file: {:?} }}",
        at("ours.pem"),
        at("ours.key")
    );
    fs::write(&config, tls).unwrap();
    let server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let connect = |name: &str| {
        let access = NatsAccess {
            certificate: Some(at(name)),
            require_tls: true,
            ..NatsAccess::default()
        };
        NatsQueue::connect(&server.address().replace("127.0.0.1", "localhost"), &access)
    };
    connect("ours.pem").unwrap();
    let error = errare_core::with_causes(&connect("other.pem").unwrap_err());
    assert_eq!(
        error.matches("invalid peer certificate").count(),
        1,
        "{error}"
    );
}

/// Makes a certificate for localhost; false if there is no program to make it.
fn certificate(certificate: &Path, key: &Path) -> bool {
    let made = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ])
        .arg("-keyout")
        .arg(key)
        .arg("-out")
        .arg(certificate)
        .output();
    made.is_ok_and(|output| output.status.success())
}

/// A server with accounts lets in users with a credentials file signed by the account, and nobody else.
#[test]
fn a_credentials_file_opens_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let operator = KeyPair::new_operator();
    let [system, fleet, stranger] = [(); 3].map(|()| KeyPair::new_account());
    let unlimited = json!({
        "limits": {
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
            "conn": -1, "leaf": -1, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
        },
        "type": "account", "version": 2,
    });
    let own = json!({ "type": "operator", "version": 2, "system_account": system.public_key() });
    let no_storage =
        json!({ "limits": { "subs": -1, "conn": -1 }, "type": "account", "version": 2 });
    let config = format!(
        "operator: {}\nsystem_account: {system}\nresolver: MEMORY\nresolver_preload {{\n{system}: {}\n{fleet}: {}\n}}",
        token(&operator, &operator, &own),
        token(&operator, &system, &no_storage),
        token(&operator, &fleet, &unlimited),
        system = system.public_key(),
        fleet = fleet.public_key(),
    );
    fs::write(at("nats.conf"), config).unwrap();
    let server = NatsServer::start(
        directory.path(),
        &["--config", at("nats.conf").to_str().unwrap()],
    );
    let connect = |account: &KeyPair| {
        fs::write(at("worker.creds"), credentials(account)).unwrap();
        let access = NatsAccess {
            credentials: Some(at("worker.creds")),
            ..NatsAccess::default()
        };
        NatsQueue::connect(&server.address(), &access)
    };
    connect(&fleet).unwrap();
    let error = connect(&stranger).unwrap_err();
    assert!(matches!(error, QueueError::Refused { .. }), "{error:?}");
    let access = NatsAccess {
        credentials: Some(at("missing.creds")),
        ..NatsAccess::default()
    };
    let error = NatsQueue::connect(&server.address(), &access).unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("missing.creds"), "{source}");
}

/// One key's signed statement about another, as a JSON web token.
fn token(signer: &KeyPair, subject: &KeyPair, claims: &Value) -> String {
    let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let head = encode(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let body = encode(&json!({
        "jti": subject.public_key(), "iat": 1, "name": "test",
        "iss": signer.public_key(), "sub": subject.public_key(), "nats": claims,
    }));
    let text = format!("{head}.{body}");
    let signature = BASE64URL_NOPAD.encode(&signer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// The credentials file of a new user of an account.
fn credentials(account: &KeyPair) -> String {
    let user = KeyPair::new_user();
    let claims = json!({ "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 });
    format!(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        token(account, &user, &claims),
        user.seed().unwrap()
    )
}
