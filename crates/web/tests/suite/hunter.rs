//! The exact hunter as an opponent: its reply does not wait for the solution.

use std::sync::{
    Mutex,
    mpsc::{Receiver, Sender, channel},
};

use axum::http::StatusCode;
use errare_choice::Kappa;
use errare_core::{Material, Metric, Watch};
use errare_endgame::{Aim, HuntTask, Library, Prey, Scope};
use errare_service::Supply;
use errare_tables::Store;
use serde_json::{Value, json};
use shakmaty::Color;

use crate::client::Client;

/// Says that the work has begun, and holds it until somebody lets go.
struct Held {
    begun: Sender<()>,
    let_go: Mutex<Receiver<()>>,
}

impl Watch for Held {
    fn begin(&self, _stage: &str, _steps: Option<u64>) {
        let _ = self.begun.send(());
        let _ = self.let_go.lock().unwrap().recv();
    }
}

async fn move_to(client: &Client, acts: &str) -> Value {
    let order = json!({ "act": "move", "text": "Rh4" });
    let reply = client.post(acts, &order).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    reply.json()["session"]["moves"][1]["uci"].clone()
}

/// While the hunt is being solved, for as long as that takes, the reply is the Predator's; afterwards it is the Hunter's.
#[tokio::test]
async fn the_reply_does_not_wait_for_the_solution() {
    let client = Client::new();
    let endgame: Material = "KRK".parse().unwrap();
    let task = HuntTask {
        material: endgame,
        metric: Metric::Dtc,
        side: Color::White,
        scope: Scope::Wins,
        aim: Aim::Length,
        prey: Prey {
            competence: 10.0,
            kappa: Kappa::ONE,
        },
    };
    let tables = Supply::new(Store::open(client.directory().join("tables"), 1 << 24));
    let oracle = tables.oracle(&[endgame], Metric::Dtc, &[], &()).unwrap();
    let (hold, let_go) = channel();
    let (begun, has_begun) = channel();
    let solver = std::thread::spawn(move || {
        let let_go = Mutex::new(let_go);
        let held = Held { begun, let_go };
        Library::default().solution(&oracle, &task, &held).unwrap();
    });
    has_begun.recv().unwrap();
    let fen = "8/8/8/4k3/8/8/8/3K3R w - - 0 1";
    let start = json!({ "start": { "kind": "position", "fen": fen }, "opponent": "hunter:c=10" });
    let begun = client.post("/api/v1/practice/games", &start).await.json();
    let id = begun["session"]["id"].as_str().unwrap();
    let acts = format!("/api/v1/practice/games/{id}/acts");
    let meanwhile = move_to(&client, &acts).await;
    drop(hold);
    solver.join().unwrap();
    client.post(&acts, &json!({ "act": "take-back" })).await;
    let solved = move_to(&client, &acts).await;
    let advice = "/api/v1/advise?fen=8/8/8/4k3/7R/8/8/3K4_b_-_-_1_1&skill=10";
    let advice = client.get(advice).await.json();
    assert_eq!(meanwhile, advice["best"], "the Predator's move");
    assert_ne!(solved, meanwhile, "the Hunter's move");
}
