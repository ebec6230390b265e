//! Practice, on real tables of a few men.

#![allow(clippy::needless_pass_by_value)]

mod defence;
mod drills;
mod history;
mod opponents;
mod rushes;
mod sessions;
mod sittings;
mod starts;

use std::sync::LazyLock;

use errare_core::Metric;
use errare_service::{
    Service, Supply,
    practice::{Act, Answer, Event, Request, Start, act, begin},
};
use errare_tables::Store;

/// Tables that all tests share, built on demand.
static SERVICE: LazyLock<Service> = LazyLock::new(|| Service {
    tables: Supply::new(Store::open(errare_testing::shared_tables(), 64 << 20))
        .with_memory(3 << 30),
});

fn service() -> &'static Service {
    &SERVICE
}

/// A session from a position, against an opponent.
fn from(fen: &str, opponent: &str) -> Answer {
    let request = Request {
        opponent: Some(opponent.to_owned()),
        metric: Some(Metric::Dtc),
        seed: Some(1),
        ..Request::new(Start::Position {
            fen: fen.to_owned(),
        })
    };
    begin(service(), &request, &()).unwrap()
}

fn doing(answer: &Answer, what: Act) -> Answer {
    act(service(), &answer.session, &what, &()).unwrap()
}

fn playing(answer: &Answer, moves: &[&str]) -> Answer {
    let mut answer = answer.clone();
    for text in moves {
        let text = (*text).to_owned();
        answer = doing(&answer, Act::Move { text });
    }
    answer
}

fn refused(answer: &Answer, what: Act) -> String {
    let error = act(service(), &answer.session, &what, &()).unwrap_err();
    error.to_string()
}

/// The sentence about the person's last move.
fn verdict(answer: &Answer) -> String {
    let own = answer.events.iter().find_map(|event| match event {
        Event::Moved(played) if played.yours => Some(played.judgement.sentence()),
        _ => None,
    });
    own.expect("the person has moved")
}
