//! A rush: positions against the clock, one move in each, scored by the depth kept.

use errare_core::{Colour, Material, Metric, Watch};
use serde::{Deserialize, Serialize};

use super::{
    begin::{Request, begin},
    history::judge,
    judgement::Judgement,
    level::Level,
    setup::Task,
    standing::{GameValue, Standing},
    start::{DepthRange, Start},
};
use crate::{Error, Service};

/// A rush to begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RushRequest {
    /// The endgames, taken in turn.
    pub endgames: Vec<Material>,
    /// The task.
    pub task: Task,
    /// The range of depths.
    #[serde(default)]
    pub depth: Option<DepthRange>,
    /// The difficulty.
    #[serde(default)]
    pub level: Option<Level>,
    /// The number of positions. Default: ten.
    #[serde(default)]
    pub positions: Option<usize>,
    /// The total time in seconds. Default: 180.
    #[serde(default)]
    pub seconds: Option<u32>,
    /// The seed. Default: random.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// The default number of positions.
const POSITIONS: usize = 10;
/// The maximum number of positions.
const MOST_POSITIONS: usize = 100;
/// The default time in seconds.
const SECONDS: u32 = 180;

/// A rush: plain data, like a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rush {
    /// The seed of its positions.
    pub seed: u64,
    /// The total time in seconds.
    pub seconds: u32,
    /// The metric.
    pub metric: Metric,
    /// The positions.
    pub positions: Vec<RushPosition>,
    /// The answers so far, in order.
    pub answers: Vec<RushAnswer>,
    /// Did the time run out before all positions were answered?
    pub out_of_time: bool,
}

/// A position of a rush.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RushPosition {
    /// The position.
    pub fen: String,
    /// The endgame.
    pub endgame: Material,
    /// The person's side, which is to move.
    pub side: Colour,
    /// The task.
    pub task: Task,
    /// Its standing.
    pub standing: Standing,
}

/// An answer to a position of a rush.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RushAnswer {
    /// The input.
    pub text: String,
    /// The judgement of the move.
    pub judgement: Judgement,
    /// The share of the depth that it kept, from 0 to 1.
    pub score: f64,
    /// Seconds since the rush began.
    pub at: f64,
}

/// The result of a rush.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RushResult {
    /// The sum of the scores.
    pub score: f64,
    /// The maximum score.
    pub positions: usize,
    /// The time it took, in seconds.
    pub seconds: f64,
    /// A line to share.
    pub words: String,
}

/// Draws the positions of a rush.
pub fn begin_rush(
    service: &Service,
    request: &RushRequest,
    watch: &dyn Watch,
) -> Result<Rush, Error> {
    if request.endgames.is_empty() {
        return Err(Error::bad_request("a rush needs an endgame"));
    }
    let count = request.positions.unwrap_or(POSITIONS);
    if !(1..=MOST_POSITIONS).contains(&count) {
        return Err(Error::bad_request(format!(
            "a rush has 1 to {MOST_POSITIONS} positions"
        )));
    }
    let seed = request.seed.unwrap_or_else(rand::random);
    let metric = Metric::Dtc;
    let mut positions = Vec::new();
    for (number, endgame) in request.endgames.iter().cycle().take(count).enumerate() {
        watch.check()?;
        let start = Request {
            metric: Some(metric),
            // Nobody replies in a rush.
            opponent: Some("best".to_owned()),
            seed: Some(seed.wrapping_add(number as u64)),
            ..Request::new(Start::Random {
                endgame: *endgame,
                task: request.task,
                depth: request.depth,
                level: request.level,
            })
        };
        let answer = begin(service, &start, watch)?;
        positions.push(RushPosition {
            fen: answer.view.fen,
            endgame: *endgame,
            side: answer.session.setup.side,
            task: answer.session.setup.task,
            standing: answer.view.standing,
        });
    }
    Ok(Rush {
        seed,
        seconds: request.seconds.unwrap_or(SECONDS),
        metric,
        positions,
        answers: Vec::new(),
        out_of_time: false,
    })
}

/// Answers the next position of a rush, this many seconds after it began. An illegal move is an error and leaves
/// the position unanswered; an answer that comes too late ends the rush.
pub fn answer_rush(
    service: &Service,
    rush: &Rush,
    text: &str,
    at: f64,
    watch: &dyn Watch,
) -> Result<Rush, Error> {
    let mut rush = rush.clone();
    let Some(position) = rush.next().cloned() else {
        return Err(Error::bad_request("the rush is over"));
    };
    if at > f64::from(rush.seconds) {
        rush.out_of_time = true;
        return Ok(rush);
    }
    let judgement = judge(
        service,
        &position.fen,
        position.endgame,
        rush.metric,
        text,
        watch,
    )?;
    rush.answers.push(RushAnswer {
        text: text.trim().to_owned(),
        score: score(&judgement),
        judgement,
        at,
    });
    Ok(rush)
}

/// The share of the depth that a move keeps: 0 if it changes the value; for a win the best depth over the depth
/// after it, for a loss the inverse.
fn score(judgement: &Judgement) -> f64 {
    let depth = |standing: Standing| f64::from(standing.moves.unwrap_or(1).max(1));
    let (before, after) = (depth(judgement.before), depth(judgement.after));
    match judgement.after.value {
        _ if judgement.loses_value() => 0.0,
        GameValue::Win => before / after,
        GameValue::Draw => 1.0,
        GameValue::Loss => after / before,
    }
}

impl Rush {
    /// The next position to answer; `None` if the rush is over.
    pub fn next(&self) -> Option<&RushPosition> {
        let position = self.positions.get(self.answers.len());
        position.filter(|_| !self.out_of_time)
    }

    /// Its result.
    pub fn result(&self) -> RushResult {
        let scores = self.answers.iter().map(|answer| answer.score);
        // The sum of no scores would be -0.
        let score = scores.fold(0.0, |sum, score| sum + score);
        let seconds = match self.out_of_time {
            true => f64::from(self.seconds),
            false => self.answers.last().map_or(0.0, |last| last.at),
        };
        let sign = |answer: &RushAnswer| match answer.judgement.ceded {
            Some(0) => '●',
            Some(_) => '◐',
            None => '×',
        };
        let mut signs: String = self.answers.iter().map(sign).collect();
        signs.extend(std::iter::repeat_n(
            '·',
            self.positions.len() - self.answers.len(),
        ));
        let mut endgames: Vec<String> = self
            .positions
            .iter()
            .map(|p| p.endgame.to_string())
            .collect();
        endgames.dedup();
        endgames.truncate(3);
        RushResult {
            score,
            positions: self.positions.len(),
            seconds,
            words: format!(
                "Errare rush {}: {score:.1} of {} in {seconds:.0} s {signs} (seed {})",
                endgames.join(" "),
                self.positions.len(),
                self.seed,
            ),
        }
    }
}
