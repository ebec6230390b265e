//! `docs/api.md` shows every route with a curl line and its answer: the lines are run, the answers compared.
//!
//! `ERRARE_DOCS=write` writes the current answers. Lists and tables are cut: `"..."` stands for the rest.

use std::{collections::HashMap, env, fmt::Write, fs, path::Path};

use serde_json::{Map, Value};

use crate::client::{Client, Reply, request};

/// Parts that differ from run to run: ids and times.
const VOLATILE: [&str; 8] = [
    "id", "session", "begun", "ended", "due", "last", "queue", "kept",
];
/// Tables of more entries than this are cut.
const ENTRIES: usize = 4;
/// Answers of more characters are cut.
const LONGEST: usize = 3000;

/// A curl line: method, path, body.
fn parse(line: &str) -> (String, String, String) {
    let (mut method, mut path, mut body) = (None, String::new(), String::new());
    let mut last = "";
    // Quoted words are kept whole; between them are options.
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            match last {
                "-d" => body = part.to_owned(),
                "-H" => {}
                _ => path = part.to_owned(),
            }
            continue;
        }
        let options: Vec<&str> = part.split_whitespace().collect();
        if let Some(at) = options.iter().position(|option| *option == "-X") {
            method = options.get(at + 1).map(|method| (*method).to_owned());
        }
        last = options.last().copied().unwrap_or_default();
    }
    let path = path.replace("http://127.0.0.1:8651", "");
    let usual = if body.is_empty() { "GET" } else { "POST" };
    (method.unwrap_or(usual.to_owned()), path, body)
}

/// The answer as the page shows it: JSON with lists cut, anything else unchanged, at most a few lines.
fn shown(reply: &Reply) -> String {
    let mut text = whole(reply);
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text += " ...";
    }
    text
}

fn whole(reply: &Reply) -> String {
    match serde_json::from_str(&reply.text) {
        Ok(value) => spaced(&cut(value)),
        Err(_) if reply.text.is_empty() => reply.status.to_string(),
        Err(_) => reply.text.trim_end().to_owned(),
    }
}

fn cut(value: Value) -> Value {
    let rest = || Value::from("...");
    match value {
        Value::Array(list) if list.len() > 1 => {
            let first = list.into_iter().next().map(cut);
            Value::Array(first.into_iter().chain([rest()]).collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(cut).collect()),
        Value::Object(entries) => {
            let is_table = entries.keys().all(|key| key.parse::<u32>().is_ok());
            let most = if is_table { ENTRIES } else { usize::MAX };
            let is_cut = entries.len() > most;
            let kept = entries.into_iter().take(most).map(|(k, v)| (k, cut(v)));
            let rest = is_cut.then(|| ("...".to_owned(), rest()));
            Value::Object(kept.chain(rest).collect::<Map<_, _>>())
        }
        other => other,
    }
}

/// JSON in one line, with spaces.
fn spaced(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().map(spaced).collect();
            let _ = write!(text, "[{}]", parts.join(", "));
        }
        Value::Object(entries) => {
            let part = |(key, value)| format!("{}: {}", Value::String(key), spaced(&value));
            let parts: Vec<String> = entries.clone().into_iter().map(part).collect();
            let _ = write!(text, "{{{}}}", parts.join(", "));
        }
        other => text = other.to_string(),
    }
    text
}

/// Learns which ids of games and jobs correspond.
fn learn(shown: &Value, today: &Value, names: &mut HashMap<String, String>) {
    if let (Some(old), Some(new)) = (shown["id"].as_str(), today["id"].as_str()) {
        names.insert(old.to_owned(), new.to_owned());
    }
    for (key, value) in shown.as_object().into_iter().flatten() {
        learn(value, &today[key], names);
    }
}

/// Are two answers the same, except for what differs from run to run?
fn same(shown: &Value, today: &Value) -> bool {
    match (shown, today) {
        (Value::Object(shown), Value::Object(today)) => {
            let is_same = |(key, value): (&String, &Value)| {
                VOLATILE.contains(&key.as_str()) && !value.is_object() || same(value, &today[key])
            };
            shown.keys().eq(today.keys()) && shown.iter().all(is_same)
        }
        (Value::Array(shown), Value::Array(today)) => {
            let mut pairs = shown.iter().zip(today);
            shown.len() == today.len() && pairs.all(|(shown, today)| same(shown, today))
        }
        // The same computation may differ in the last digits on another machine.
        (Value::Number(shown), Value::Number(today)) => {
            let numbers = shown.as_f64().zip(today.as_f64());
            numbers.is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0))
        }
        _ => shown == today,
    }
}

#[tokio::test]
async fn the_page_about_the_api_tells_the_truth() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md");
    let text = fs::read_to_string(&page).unwrap();
    let client = Client::with_queue();
    let mut names: HashMap<String, String> = HashMap::new();
    let mut asked = Vec::new();
    let mut written = String::new();
    let mut blocks = text.split("```").enumerate().peekable();
    while let Some((number, block)) = blocks.next() {
        let example = (number % 2 == 1)
            .then(|| block.trim().strip_prefix("$ curl "))
            .flatten();
        match example {
            None => written += block,
            Some(example) => {
                let (line, answer) = example.split_once('\n').unwrap_or((example, ""));
                let (method, mut path, body) = parse(line);
                let mut line = line.to_owned();
                for (old, new) in &names {
                    path = path.replace(old.as_str(), new);
                    line = line.replace(old.as_str(), new);
                }
                let builder = request(&method, &path).header("content-type", "application/json");
                let reply = client.send(builder, body).await;
                assert!(reply.status.is_success(), "{line}: {}", reply.text);
                // The directory of this run does not matter.
                let place = format!("{}/", client.directory().display());
                let today = shown(&reply).replace(&place, "");
                let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
                let is_same = match (parsed(answer), parsed(&today)) {
                    (Some(shown), Some(today)) => {
                        learn(&shown, &today, &mut names);
                        same(&shown, &today)
                    }
                    _ if path.ends_with("/events") || path.ends_with("pgn") => true,
                    _ => answer.trim() == today,
                };
                if env::var("ERRARE_DOCS").is_err() {
                    assert!(
                        is_same,
                        "docs/api.md has another answer to {line} than\n{today}"
                    );
                }
                let _ = write!(written, "\n$ curl {line}\n{today}\n");
                asked.push((method.to_lowercase(), path));
                // The next request may ask for its answer.
                if let Some(id) = parsed(&today).and_then(|it| it["id"].as_str().map(str::to_owned))
                    && path_of_jobs(&asked)
                {
                    client.get(&format!("/api/v1/jobs/{id}/events")).await;
                }
            }
        }
        if blocks.peek().is_some() {
            written += "```";
        }
    }
    if env::var("ERRARE_DOCS").is_ok_and(|wish| wish == "write") {
        fs::write(&page, written).unwrap();
    }
    let document = client.get("/api/v1/openapi.json").await.json();
    for (route, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let shown = asked
                .iter()
                .any(|(m, path)| m == method && matches(route, path));
            assert!(shown, "docs/api.md does not show {method} {route}");
        }
    }
}

/// Did the last request start a job?
fn path_of_jobs(asked: &[(String, String)]) -> bool {
    let last = asked.last();
    last.is_some_and(|(method, path)| method == "post" && path == "/api/v1/jobs")
}

/// Does a path belong to a route?
fn matches(route: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or(path);
    let (route, path): (Vec<&str>, Vec<&str>) =
        (route.split('/').collect(), path.split('/').collect());
    route.len() == path.len()
        && route
            .iter()
            .zip(path)
            .all(|(part, given)| part.starts_with('{') || *part == given)
}
