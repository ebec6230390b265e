//! Screening: finds players whose moves agree with the engine more than their ratings explain.

mod detail;
mod events;
mod families;

use errare_core::Watch;
use errare_rating::{Compared, Pace};
use serde::{Deserialize, Serialize};

pub use detail::{GameDetail, PlayerDetail, TurnDetail};

use crate::{
    Error, RequestError, Service,
    calibration::AboutCalibration,
    evidence::{Evidence, EvidenceChoice},
};

/// The games to screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The games.
    #[serde(flatten)]
    pub evidence: EvidenceChoice,
    /// Include each player's games and turns?
    #[serde(default)]
    pub details: bool,
}

/// What to do next, or why there is no statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Label {
    /// Nothing.
    #[serde(rename = "normal")]
    Normal,
    /// Look at more games.
    #[serde(rename = "watch")]
    Watch,
    /// Have the games examined by a deeper test.
    #[serde(rename = "full test")]
    FullTest,
    /// No statement: too few turns.
    #[serde(rename = "too few turns")]
    TooFewTurns,
    /// No statement: the calibration does not cover this rating.
    #[serde(rename = "outside the calibration")]
    OutsideCalibration,
}

impl Label {
    /// Could the player be tested at all?
    #[must_use]
    pub fn is_tested(self) -> bool {
        !matches!(self, Label::TooFewTurns | Label::OutsideCalibration)
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Label::Normal => "normal",
            Label::Watch => "watch",
            Label::FullTest => "full test",
            Label::TooFewTurns => "too few turns",
            Label::OutsideCalibration => "outside the calibration",
        })
    }
}

/// z adjusted for their scatter among honest players.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// For first-move matches.
    pub z_mm: f64,
    /// For matches of the best value.
    pub z_equal: f64,
    /// For the average difference, positive if it is small.
    pub z_ad: f64,
}

/// The smallest effects that the sample would reveal: those that reach the *watch* threshold four times out of
/// five.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SmallestEffect {
    /// The share of turns on which the engine's first move replaces the player's own; none if not even all of them
    /// would be detected.
    pub engine_share: Option<f64>,
    /// Elo above the player's own; none if it is outside the range of the calibration.
    pub elo: Option<f64>,
    /// How often it would be detected.
    pub power: f64,
}

/// The result of screening a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Screened {
    /// The name.
    pub player: String,
    /// The rating compared with.
    pub elo: f64,
    /// Games.
    pub games: usize,
    /// Turns used.
    pub turns: usize,
    /// First-move matches.
    pub mm: Compared,
    /// Matches of the best value.
    pub equal: Compared,
    /// Average difference.
    pub ad: Compared,
    /// z of first-move matches, assuming independent turns.
    pub z_mm: f64,
    /// z of matches of the best value, assuming independent turns.
    pub z_equal: f64,
    /// z of the average difference, assuming independent turns; positive if it is small.
    pub z_ad: f64,
    /// The same, adjusted.
    pub adjusted: Adjusted,
    /// The share of honest players with at least this z, if enough of them are known.
    pub chance: Option<f64>,
    /// What to do next.
    pub label: Label,
    /// What the sample could have shown.
    pub smallest_effect: SmallestEffect,
    /// Each event separately, if there are several; together they make the result above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventResult>,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl Screened {
    /// The larger of the adjusted z for mm and ad, which determines the label.
    #[must_use]
    pub fn z(&self) -> f64 {
        self.adjusted.z_mm.max(self.adjusted.z_ad)
    }
}

/// A player's result in one of several events, compared with the rating there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EventResult {
    /// The event.
    pub event: String,
    /// The rating compared with.
    pub elo: f64,
    /// Games.
    pub games: usize,
    /// Turns used.
    pub turns: usize,
    /// First-move matches.
    pub mm: Compared,
    /// Average difference.
    pub ad: Compared,
    /// z whose variance includes all effects.
    pub adjusted: Adjusted,
}

/// The z from which players are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// The number of screened players who can get a label.
    pub players: usize,
    /// The *watch* threshold for adjusted z.
    pub watch: f64,
    /// The *full test* threshold for adjusted z.
    pub full_test: f64,
    /// The probabilities that somebody among this many honest players is labelled *watch*, and *full test*; none
    /// where too few honest players are known.
    pub chances: [Option<f64>; 2],
    /// The same probabilities from the tail fitted to the honest players of the calibration, even where none of
    /// them has such a z; none if the calibration keeps no honest players.
    #[serde(default)]
    pub by_tail: Option<[f64; 2]>,
}

/// A player with the properties of the whole list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Listed {
    /// The player's result.
    #[serde(flatten)]
    pub one: Screened,
    /// The number of players screened.
    pub players_screened: usize,
    /// The thresholds of z for *watch* and *full test*.
    pub thresholds: [f64; 2],
}

/// Players, those who most warrant a further look first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Highest adjusted z first; those without a label last.
    pub players: Vec<Listed>,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Players without a rating or turns, who could not be screened.
    pub unscreened: Vec<String>,
    /// The scatter of z among players of known rating, nominally 1.
    pub scatter: Scatter,
    /// The calibration.
    pub calibration: AboutCalibration,
    /// The provenance of the games.
    pub evidence: Evidence,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
    /// Each player's games and turns, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<PlayerDetail>,
}

/// The scatter of z among honest players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Scatter {
    /// For first-move matches.
    pub mm: f64,
    /// For the average difference.
    pub ad: f64,
    /// The number of players it is estimated from.
    pub players: usize,
    /// The larger of each player's adjusted z for mm and ad, where the calibration keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub honest: Vec<f64>,
}

/// The players of a screening, its thresholds, and the players who could not be screened.
struct Screening {
    players: Vec<Screened>,
    thresholds: Thresholds,
    unscreened: Vec<String>,
    scatter: Scatter,
}

/// Evaluates missing positions, and screens.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let opened = request.evidence.open(watch)?;
    watch.begin("screening players", None);
    let players = opened.players()?;
    watch.check()?;
    let calibration = &opened.calibration;
    let screening = families::screen(calibration, &players);
    if screening.players.is_empty() {
        return Err(RequestError::Nobody.into());
    }
    let mut warnings = opened.warnings.clone();
    let mut games = players.iter().flat_map(|player| player.games.values());
    if games.any(|game| Pace::of(game) == Pace::Fast) {
        warnings
            .push("some games are fast ones; the calibration is for classical games".to_owned());
    }
    let thresholds = screening.thresholds;
    Ok(Answer {
        details: match request.details {
            true => detail::of(&players, &screening.players, calibration),
            false => Vec::new(),
        },
        players: screening
            .players
            .into_iter()
            .map(|one| Listed {
                one,
                players_screened: thresholds.players,
                thresholds: [thresholds.watch, thresholds.full_test],
            })
            .collect(),
        thresholds,
        unscreened: screening.unscreened,
        scatter: screening.scatter,
        calibration: AboutCalibration::new(calibration),
        evidence: opened.evidence,
        warnings,
    })
}
