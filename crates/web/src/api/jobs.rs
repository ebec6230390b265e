//! Jobs: long work, followed through server-sent events.

use std::{convert::Infallible, num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, State, rejection::JsonRejection},
    http::{StatusCode, header::CONTENT_TYPE},
    response::{
        IntoResponse,
        sse::{Event, KeepAlive, Sse},
    },
    routing::get,
};
use errare_core::{Colour, Competence, FaultKind, Material, Metric, Watch};
use errare_players::PlayerName;
use errare_report::{analysis::coach, pgn::annotate};
use errare_service::{
    Error, Service, advise, analyse, difficulty, markov, matches,
    minimax::{prob, search},
    model::{self, Model},
    practice::history::now,
    predict, reproduce,
};
use futures::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_stream::wrappers::WatchStream;
use utoipa::ToSchema;

use crate::{
    error::Failure,
    evaluation::{EvaluationChoice, SentGames},
    jobs::{JobState, JobStatus},
    state::App,
};

/// The minimum interval between events; a build takes many steps a second.
const PACE: Duration = Duration::from_millis(200);

/// The number of moves within which wins must be achieved.
const FIFTY: u32 = 50;
/// Deeper trees take hours.
const DEEPEST_TREE: u32 = 6;
/// The maximum number of games in a match.
const MOST_GAMES: u64 = 10_000;
/// The limit in moves by White, after which a game is unfinished.
const LONGEST_GAME: u64 = 500;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/jobs", get(list).post(start))
        .route("/jobs/{id}", get(status).delete(cancel))
        .route("/jobs/{id}/events", get(events))
        .route("/jobs/{id}/answer", get(answer))
}

/// The work of a job.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "verb", rename_all = "lowercase")]
pub(crate) enum Order {
    /// Build the tables of endgames and all their subgames.
    Build {
        /// The endgames.
        endgames: Vec<Material>,
        /// The metrics; all four if empty.
        #[serde(default)]
        metrics: Vec<Metric>,
    },
    /// Analyse how the endgames of games were played.
    Analyse {
        /// The games, in PGN.
        pgn: String,
        /// The name of their file.
        #[serde(default)]
        name: Option<String>,
        /// Analyse this player's games alone: the name or a part of it.
        #[serde(default)]
        player: Option<String>,
        /// Build missing tables even if that takes minutes? Otherwise `missing` names their endgames.
        #[serde(default)]
        long: bool,
    },
    /// Rate the players of games by their moves, with the server's engine.
    Rate(SentGames),
    /// Find players whose moves agree with the engine more than their ratings explain.
    Screen(SentGames),
    /// Advise in a position; with `hunter` also by the exact hunter, whose solution is computed
    /// first.
    Advise(advise::Request),
    /// Predict a player's results in an endgame, optionally against the exact hunter.
    Predict(predict::Request),
    /// Compute how difficult an endgame is to win for fallible players.
    Difficulty {
        /// The endgame; White wins.
        endgame: Material,
        /// Competences for which the best possible resistance, the exact hunter's, is solved too.
        #[serde(default)]
        hunter: Vec<Competence>,
    },
    /// Compute the matrix of R_c's moves between depths.
    Markov {
        /// The endgame; White moves.
        endgame: Material,
        /// c.
        skill: Competence,
    },
    /// Compute the move probabilities of random minimaxing.
    Minimax {
        /// The position.
        fen: String,
        /// The search depth in plies, 1 to 6.
        depth: u32,
    },
    /// Play a match between two players.
    Match(Meeting),
    /// Play one game between two players, to watch.
    Game(Meeting),
    /// Compute the papers again.
    Reproduce {
        /// Only computations that take seconds?
        #[serde(default)]
        short: bool,
    },
}

/// The players of a match. Requests do not name engines: players that need one use the server's.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Meeting {
    /// The names of White and Black.
    #[schema(value_type = Vec<String>)]
    players: [PlayerName; 2],
    /// The starting position.
    from: String,
    /// The number of games, up to 10,000. Default: one.
    #[serde(default = "one")]
    games: u64,
    /// The seed. Default: random.
    #[serde(default)]
    seed: Option<u64>,
}

/// Analysed games for the page.
#[derive(Serialize)]
struct Analysed {
    #[serde(flatten)]
    answer: analyse::Answer,
    /// The games with our annotations, as PGN.
    annotated: String,
    /// A printable page per player.
    page: String,
}

fn one() -> u64 {
    1
}

/// Clients must not name programs for the server to run.
pub(super) fn must_leave_engine_open(player: &PlayerName) -> Result<(), Error> {
    match player.engine() {
        Some(engine) if !engine.name.is_empty() => Err(Error::bad_request(
            "the server chooses the engine; leave its name out",
        )),
        _ => Ok(()),
    }
}

impl Meeting {
    fn request(self) -> Result<matches::Request, Error> {
        for player in &self.players {
            must_leave_engine_open(player)?;
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(Error::bad_request(format!(
                "a match has 1 to {MOST_GAMES} games"
            )));
        }
        Ok(matches::Request {
            players: self.players,
            from: vec![self.from],
            games: self.games,
            game: matches::GameName::Chess,
            swap: false,
            seed: self.seed,
            to_mate: false,
            fifty: false,
            most_moves: LONGEST_GAME,
            metric: Metric::Dtc,
            kappa: 1.0,
            prior: "0(1)60".to_owned(),
            threads: None,
            engine: None,
            calibration: None,
        })
    }
}

impl Order {
    fn verb(&self) -> &'static str {
        match self {
            Order::Build { .. } => "build",
            Order::Analyse { .. } => "analyse",
            Order::Rate(_) => "rate",
            Order::Screen(_) => "screen",
            Order::Advise(_) => "advise",
            Order::Predict(_) => "predict",
            Order::Difficulty { .. } => "difficulty",
            Order::Markov { .. } => "markov",
            Order::Minimax { .. } => "minimax",
            Order::Match(_) => "match",
            Order::Game(_) => "game",
            Order::Reproduce { .. } => "reproduce",
        }
    }

    /// The games that it is about, and the name of their file.
    fn games(&self) -> Option<(&str, Option<&str>)> {
        match self {
            Order::Analyse { pgn, name, .. } => Some((pgn, name.as_deref())),
            Order::Rate(games) | Order::Screen(games) => Some((&games.pgn, games.name.as_deref())),
            _ => None,
        }
    }

    fn carry_out(
        self,
        service: &Service,
        evaluation: Option<&EvaluationChoice>,
        watch: &dyn Watch,
    ) -> Result<Value, Error> {
        let evaluation = || {
            let none = || Error::new(FaultKind::Missing, "this server evaluates no games");
            evaluation.ok_or_else(none)
        };
        match self {
            Order::Build { endgames, metrics } => {
                let metrics = match metrics.is_empty() {
                    true => &Metric::ALL[..],
                    false => &metrics,
                };
                service.tables.provide(&endgames, metrics, watch)?;
                Ok(json!({ "endgames": endgames }))
            }
            Order::Analyse {
                pgn, player, long, ..
            } => {
                let request = analyse::Request {
                    pgn,
                    player,
                    settings: analyse::AnalyseSettings::default(),
                };
                let permits = |build: &analyse::Build| long || !build.is_long();
                let answer = analyse::answer_permitting(service, &request, &permits, watch)?;
                told(&Analysed {
                    annotated: annotate::annotated(&request.pgn, &answer)
                        .map_err(|error| Error::bad_request(error.to_string()))?,
                    page: coach::page(&answer.totals, answer.model.metric),
                    answer,
                })
            }
            Order::Rate(games) => told(&evaluation()?.rate(service, games, watch)?),
            Order::Screen(games) => told(&evaluation()?.screen(service, games, watch)?),
            Order::Advise(request) => told(&advise::answer(service, &request, watch)?),
            Order::Predict(request) => told(&predict::answer(service, &request, watch)?),
            Order::Difficulty { endgame, hunter } => {
                let request = difficulty::Request {
                    endgames: vec![endgame],
                    side: Colour::White,
                    moves: FIFTY,
                    hunter,
                    model: Model::default(),
                };
                told(&difficulty::answer(service, &request, watch)?)
            }
            Order::Markov { endgame, skill } => {
                let request = markov::Request {
                    endgame,
                    skill,
                    side: Colour::White,
                    value: model::ValueRule::Risk,
                    model: Model::default(),
                };
                told(&markov::answer(service, &request, watch)?)
            }
            Order::Minimax { fen, depth } => {
                let depth = NonZeroU32::new(depth).filter(|depth| depth.get() <= DEEPEST_TREE);
                let depth = depth.ok_or_else(|| Error::bad_request("the depth is 1 to 6"))?;
                let options = search::SearchOptions::default();
                told(&prob::answer(
                    &search::Request {
                        fen,
                        depth,
                        options,
                    },
                    watch,
                )?)
            }
            Order::Match(meeting) => told(&matches::answer(service, &meeting.request()?, watch)?),
            Order::Game(meeting) => told(&matches::watched(service, &meeting.request()?, watch)?),
            Order::Reproduce { short } => {
                let request = reproduce::Request {
                    short,
                    ..reproduce::Request::default()
                };
                told(&reproduce::answer(service, &request, watch, &mut |_| ())?)
            }
        }
    }
}

/// Serialises an answer as JSON.
fn told(answer: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(answer).map_err(|error| Error::new(FaultKind::Internal, error.to_string()))
}

/// The known jobs, newest first
#[utoipa::path(get, path = "/api/v1/jobs", tag = "jobs", responses((status = 200, body = Vec<JobStatus>)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Vec<JobStatus>> {
    Json(app.jobs().all())
}

/// Starts a job
#[utoipa::path(
    post, path = "/api/v1/jobs", tag = "jobs", request_body = Order,
    responses(
        (status = 202, description = "the job waits or runs", body = JobStatus),
        (status = 400, description = "not JSON", body = Failure),
        (status = 422, description = "no such order", body = Failure),
    )
)]
pub(crate) async fn start(
    State(app): State<Arc<App>>,
    order: Result<Json<Order>, JsonRejection>,
) -> Result<(StatusCode, Json<JobStatus>), Failure> {
    let Json(order) = order?;
    let (order, collection) = kept(&app, order).await?;
    let evaluation = app.evaluation().ok().cloned();
    let status = app.jobs().start(
        order.verb(),
        collection,
        app.service(),
        move |service, watch| order.carry_out(service, evaluation.as_deref(), watch),
    )?;
    Ok((StatusCode::ACCEPTED, Json(status)))
}

/// Keeps the games that an order is about, so that the address of what comes of it can be opened again.
async fn kept(app: &App, order: Order) -> Result<(Order, Option<String>), Failure> {
    if order.games().is_none() {
        return Ok((order, None));
    }
    let history = app.games().collections();
    app.run(move |_, _| {
        let id = match order.games() {
            Some((pgn, name)) => history.keep_collection(pgn, name, now())?,
            None => None,
        };
        Ok((order, id))
    })
    .await
}

/// The status of a job
#[utoipa::path(
    get, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path, description = "the job")),
    responses((status = 200, body = JobStatus), (status = 404, description = "no such job", body = Failure))
)]
pub(crate) async fn status(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<JobStatus>, Failure> {
    Ok(Json(app.jobs().get(&id)?.status()))
}

/// Stops a job
#[utoipa::path(
    delete, path = "/api/v1/jobs/{id}", tag = "jobs", params(("id" = String, Path, description = "the job")),
    responses((status = 202, body = JobStatus), (status = 404, description = "no such job", body = Failure))
)]
pub(crate) async fn cancel(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<JobStatus>), Failure> {
    let job = app.jobs().get(&id)?;
    job.cancel();
    Ok((StatusCode::ACCEPTED, Json(job.status())))
}

/// The answer of a job
#[utoipa::path(
    get, path = "/api/v1/jobs/{id}/answer", tag = "jobs", params(("id" = String, Path, description = "the job")),
    responses(
        (status = 200, description = "the answer", body = serde_json::Value),
        (status = 404, description = "no such job, or no answer yet", body = Failure),
    )
)]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Failure> {
    let job = app.jobs().get(&id)?;
    let missing = || match job.status().state {
        JobState::Failed | JobState::Cancelled => "the job has no answer",
        _ => "the job is not done",
    };
    let answer = job.answer();
    let answer = answer.ok_or_else(|| Failure::not_found(missing()))?;
    Ok(([(CONTENT_TYPE, "application/json")], answer))
}

/// Follows a job: its status, whenever it changes, as server-sent events
#[utoipa::path(
    get, path = "/api/v1/jobs/{id}/events", tag = "jobs", params(("id" = String, Path, description = "the job")),
    responses(
        (status = 200, description = "events `status` with a JobStatus; the last has a final state", content_type = "text/event-stream", body = String),
        (status = 404, description = "no such job", body = Failure),
    )
)]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    let job = app.jobs().get(&id)?;
    let statuses = WatchStream::new(job.follow()).then(|status| async move {
        if !status.state.is_final() {
            tokio::time::sleep(PACE).await;
        }
        status
    });
    // After the final status the stream ends.
    let events = statuses
        .flat_map(|status| {
            let last = status.state.is_final();
            stream::iter([Some(status)].into_iter().chain(last.then_some(None)))
        })
        .take_while(|status| futures::future::ready(status.is_some()))
        .map(|status| {
            let text = serde_json::to_string(&status).unwrap_or_default();
            Ok(Event::default().event("status").data(text))
        });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
