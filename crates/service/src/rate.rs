//! Intrinsic ratings of players, from their moves.

mod annotate;
mod groups;
pub mod ready;

use std::collections::BTreeMap;

use errare_core::{Colour, FaultKind, Watch};
use errare_engine::Score;
use errare_rating::{
    Compared, EvaluatedTurn, Exclusion, Pace, PlayerTurns, Rating, continuous::Interval,
};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, fen::Fen, san::SanPlus, uci::UciMove};

pub use annotate::{AnnotatedGame, AnnotatedMove};
pub use groups::Group;

pub use crate::calibration::Unrated;
use crate::{
    Error, RequestError, Service,
    calibration::{AboutCalibration, AnyCalibration, Rates, costs_of},
    evidence::{Evidence, EvidenceChoice, Opened},
};

/// With fewer turns the interval says almost nothing.
const SMALL: usize = 200;

/// The player to rate, and the games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RateRequest))]
pub struct Request {
    /// The games.
    #[serde(flatten)]
    pub evidence: EvidenceChoice,
    /// The player's name or a part of it; all players if missing.
    #[serde(default)]
    pub player: Option<String>,
    /// Treat all matching players as one, whose name is spelled in several ways?
    #[serde(default)]
    pub merge: bool,
    /// The level of the interval.
    #[serde(default = "default_level")]
    pub level: f64,
    /// The number of costliest turns to report.
    #[serde(default = "default_costliest")]
    pub costliest: usize,
    /// Include the games with evaluations and probabilities?
    #[serde(default)]
    pub annotate: bool,
}

impl Request {
    /// A request with defaults for these games.
    #[must_use]
    pub fn new(evidence: EvidenceChoice) -> Request {
        Request {
            evidence,
            player: None,
            merge: false,
            level: default_level(),
            costliest: default_costliest(),
            annotate: false,
        }
    }
}

fn default_level() -> f64 {
    0.95
}

fn default_costliest() -> usize {
    10
}

/// A player's rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RateAnswer))]
pub struct Answer {
    /// The name, or the names if several were merged.
    pub player: String,
    /// The rating in the games' files.
    pub elo: Option<f64>,
    /// The number of games with a used turn.
    pub games: usize,
    /// Turns used.
    pub turns: usize,
    /// Excluded turns, by reason.
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, usize>))]
    pub excluded: BTreeMap<Exclusion, usize>,
    /// The estimate of the player's Elo, with its interval.
    pub rating: Rating,
    /// How well these moves were played, as a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<RatingInterval>,
    /// The player's strength from these moves and the known Elo together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub combined: Option<RatingInterval>,
    /// First-move matches, compared with those of an agent of that rating.
    pub mm: Compared,
    /// Moves of the best value.
    pub equal: Compared,
    /// Average difference.
    pub ad: Compared,
    /// By colour.
    pub by_colour: Vec<Group>,
    /// By phase of the game.
    pub by_phase: Vec<Group>,
    /// By the player's clock after the move, where the games have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_clock: Vec<Group>,
    /// By game.
    pub by_game: Vec<Group>,
    /// By event.
    #[serde(default)]
    pub by_event: Vec<Group>,
    /// By year.
    #[serde(default)]
    pub by_year: Vec<Group>,
    /// By opponent.
    #[serde(default)]
    pub by_opponent: Vec<Group>,
    /// The costliest turns.
    pub costliest: Vec<Costly>,
    /// The calibration.
    pub calibration: AboutCalibration,
    /// The provenance of the games.
    pub evidence: Evidence,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
    /// The games with evaluations and probabilities, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotated: Vec<AnnotatedGame>,
}

/// A rating with an interval at the answer's level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RatingInterval {
    /// The best estimate.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Is the estimate or an end only the limit of the calibration?
    pub open: bool,
    /// Does it extend below `low`, which is only the limit of the calibration?
    pub open_below: bool,
    /// Does it extend above `high`, which is only the limit of the calibration?
    pub open_above: bool,
}

impl From<Interval> for RatingInterval {
    fn from(interval: Interval) -> RatingInterval {
        RatingInterval {
            mean: interval.mean,
            low: interval.low,
            high: interval.high,
            open: interval.open,
            open_below: interval.open_below,
            open_above: interval.open_above,
        }
    }
}

/// The ratings of all players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Everyone {
    /// The rated players, best play first; those with open intervals come last.
    pub players: Vec<Answer>,
    /// The players who could not be rated, with the reason.
    pub unrated: Vec<UnratedPlayer>,
    /// The games.
    pub evidence: Evidence,
}

/// A player who could not be rated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UnratedPlayer {
    /// The name.
    pub player: String,
    /// Turns used.
    pub turns: usize,
    /// The reason.
    pub reason: Unrated,
}

/// A costly turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Costly {
    /// The players.
    pub game: String,
    /// The move number.
    pub move_number: u32,
    /// The side that moved.
    pub colour: Colour,
    /// The position.
    pub fen: String,
    /// The move played.
    pub played: String,
    /// The engine's choice.
    pub best: String,
    /// Scores of the best move and of the one played, for the mover.
    pub scores: [Score; 2],
    /// Its scaled cost.
    pub cost: f64,
    /// The probability of the move at the player's level.
    pub probability: f64,
    /// The expected cost for a player of that level: how difficult the turn is.
    pub difficulty: f64,
}

/// Rates one player.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let opened = open(request, watch)?;
    let Some(name) = &request.player else {
        return Err(Error::bad_request("no player is named"));
    };
    let player = PlayerTurns::find(opened.players()?, name, request.merge)?;
    if player.turns.is_empty() {
        return Err(RequestError::NoTurns(player.name).into());
    }
    match rated(&player, &opened, request)? {
        Ok(answer) => Ok(answer),
        Err(reason) => {
            let turns = player.turns.len();
            let text = format!("{} cannot be rated: {reason} ({turns} turns)", player.name);
            let kind = match reason {
                Unrated::TooFewTurns => FaultKind::BadRequest,
                Unrated::NotConverged => FaultKind::Internal,
            };
            Err(Error::new(kind, text))
        }
    }
}

/// Rates all players.
pub fn everyone(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Everyone, Error> {
    let opened = open(request, watch)?;
    let players = opened.players()?;
    watch.begin("rating players", Some(players.len() as u64));
    let mut everyone = Everyone {
        players: Vec::new(),
        unrated: Vec::new(),
        evidence: opened.evidence.clone(),
    };
    for player in &players {
        watch.check()?;
        match rated(player, &opened, request)? {
            Ok(answer) => everyone.players.push(answer),
            Err(reason) => everyone.unrated.push(UnratedPlayer {
                player: player.name.clone(),
                turns: player.turns.len(),
                reason,
            }),
        }
        watch.advance(1);
    }
    // Players with a closed interval come before those of whom less is known.
    everyone.players.sort_by(|a, b| {
        let level = |it: &Answer| it.quality.map_or(it.rating.mean, |quality| quality.mean);
        let closed = a.rating.open.cmp(&b.rating.open);
        closed.then(level(b).total_cmp(&level(a)))
    });
    Ok(everyone)
}

fn open(request: &Request, watch: &dyn Watch) -> Result<Opened, Error> {
    if !(request.level > 0.0 && request.level < 1.0) {
        return Err(Error::bad_request(format!(
            "the level of an interval is between 0 and 1, not {}",
            request.level
        )));
    }
    request.evidence.open(watch)
}

fn rated(
    player: &PlayerTurns,
    opened: &Opened,
    request: &Request,
) -> Result<Result<Answer, Unrated>, Error> {
    let calibration = &opened.calibration;
    let all: Vec<&EvaluatedTurn> = player.turns.iter().collect();
    let rates = match calibration.rate(&all, player.elo(), request.level) {
        Ok(rates) => rates,
        Err(reason) => return Ok(Err(reason)),
    };
    let Rates { rating, .. } = rates;
    let level = Level {
        calibration,
        elo: rates.quality.map_or(rating.mean, |quality| quality.mean),
    };
    let groups = groups::Groups::of(player, calibration, request.level);
    let mut warnings = opened.warnings.clone();
    warnings.extend(self::warnings(player, calibration, &rating));
    Ok(Ok(Answer {
        player: player.name.clone(),
        elo: player.elo(),
        games: player.games_used(),
        turns: all.len(),
        excluded: player.excluded.clone(),
        quality: rates.quality.map(RatingInterval::from),
        combined: rates.combined.map(RatingInterval::from),
        mm: rates.mm,
        equal: rates.equal,
        ad: rates.ad,
        by_colour: groups.colour,
        by_phase: groups.phase,
        by_clock: groups.clock,
        by_game: groups.game,
        by_event: groups.event,
        by_year: groups.year,
        by_opponent: groups.opponent,
        costliest: costliest(player, level, request.costliest),
        calibration: AboutCalibration::new(calibration),
        evidence: opened.evidence.clone(),
        warnings,
        annotated: match request.annotate {
            true => annotate::games(opened, player, level)?,
            false => Vec::new(),
        },
        rating,
    }))
}

/// People of a rating, according to a calibration.
#[derive(Clone, Copy)]
struct Level<'a> {
    calibration: &'a AnyCalibration,
    elo: f64,
}

fn costliest(player: &PlayerTurns, level: Level<'_>, count: usize) -> Vec<Costly> {
    let mut all: Vec<Costly> = player
        .turns
        .iter()
        .map(|turn| costly(turn, level))
        .collect();
    all.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    all.retain(|turn| turn.cost > 0.0);
    all.truncate(count);
    all
}

fn costly(turn: &EvaluatedTurn, level: Level<'_>) -> Costly {
    let costs = costs_of(turn);
    let p = level.calibration.chances(turn, level.elo);
    let game = &turn.place.game;
    Costly {
        game: format!("{} - {}", game.white.name, game.black.name),
        move_number: turn.place.move_number(),
        colour: turn.place.colour().into(),
        fen: turn.place.fen.clone(),
        played: san(&turn.place.fen, turn.place.played),
        best: san(&turn.place.fen, turn.options[0].uci),
        scores: [turn.options[0].score, turn.options[turn.played].score],
        cost: costs[turn.played],
        probability: p[turn.played],
        difficulty: p.iter().zip(&costs).map(|(p, cost)| p * cost).sum(),
    }
}

/// A move in standard algebraic notation.
pub(crate) fn san(fen: &str, m: UciMove) -> String {
    let name = || {
        let fen: Fen = fen.parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        let m = m.to_move(&position).ok()?;
        Some(SanPlus::from_move(position, m).to_string())
    };
    name().unwrap_or_else(|| m.to_string())
}

fn warnings(player: &PlayerTurns, calibration: &AnyCalibration, rating: &Rating) -> Vec<String> {
    let mut warnings = Vec::new();
    let turns = player.turns.len();
    if turns < SMALL {
        warnings.push(format!(
            "the sample is small: {turns} turns, so the interval is wide"
        ));
    }
    let games = player.games.values();
    let fast = games.filter(|game| Pace::of(game) == Pace::Fast).count();
    if fast > 0 {
        warnings.push(format!(
            "{fast} of {} games were not played at a classical time control, \
             for which the calibration is made",
            player.games.len()
        ));
    }
    if rating.open {
        warnings.push("the interval is open: it ends only where the calibration does".to_owned());
    }
    let [lowest, highest] = calibration.calibrated();
    if rating.mean < lowest || rating.mean > highest {
        warnings.push(format!(
            "the rating is beyond the players of the calibration, who are from {lowest:.0} to {highest:.0}"
        ));
    }
    let of_calibration = calibration.warnings().iter();
    warnings.extend(of_calibration.map(|warning| format!("calibration: {warning}")));
    warnings
}
