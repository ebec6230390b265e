//! Whose moves agree with the engine more than the rating explains?

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

/// Whom to screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The games.
    #[serde(flatten)]
    pub evidence: EvidenceChoice,
    /// Whether to give each player's games and turns.
    #[serde(default)]
    pub details: bool,
}

/// What to do next, or why nothing can be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Label {
    /// Nothing.
    #[serde(rename = "normal")]
    Normal,
    /// Look at further games.
    #[serde(rename = "watch")]
    Watch,
    /// Have the games examined by a deeper test.
    #[serde(rename = "full test")]
    FullTest,
    /// Nothing can be said: too few turns.
    #[serde(rename = "too few turns")]
    TooFewTurns,
    /// Nothing can be said: the calibration knows no such players.
    #[serde(rename = "outside the calibration")]
    OutsideCalibration,
}

impl Label {
    /// Whether the player could be tested at all.
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

/// z adjusted for how much they scatter among honest players.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// Of first-move matches.
    pub z_mm: f64,
    /// Of matches of the best value.
    pub z_equal: f64,
    /// Of the average difference, positive if it is small.
    pub z_ad: f64,
}

/// What the sample could have shown: effects that reach the threshold of *watch* in four of five cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SmallestEffect {
    /// The share of turns at which an engine's first move is played instead of the player's own; none if not
    /// even all would be seen.
    pub engine_share: Option<f64>,
    /// Elo above the player's own; none if it is beyond what the calibration can speak of.
    pub elo: Option<f64>,
    /// How often it would be seen.
    pub power: f64,
}

/// What is to be said of a player.
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
    /// z of first-move matches, if turns were independent.
    pub z_mm: f64,
    /// z of matches of the best value, if turns were independent.
    pub z_equal: f64,
    /// z of the average difference, if turns were independent; positive if it is small.
    pub z_ad: f64,
    /// The same, adjusted.
    pub adjusted: Adjusted,
    /// The share of honest players with such a z or a higher one, as far as enough of them are known.
    pub chance: Option<f64>,
    /// What to do next.
    pub label: Label,
    /// What the sample could have shown.
    pub smallest_effect: SmallestEffect,
    /// Each event on its own, if there are several; together they make the result above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventResult>,
    /// What the reader must know.
    pub warnings: Vec<String>,
}

impl Screened {
    /// The greater of the adjusted z of mm and of ad, which the label goes by.
    #[must_use]
    pub fn z(&self) -> f64 {
        self.adjusted.z_mm.max(self.adjusted.z_ad)
    }
}

/// A player in one of several events, compared with the rating that he had there.
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
    /// z with all effects in their variance.
    pub adjusted: Adjusted,
}

/// z from which on players are watched or tested.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// Players screened who can get a label.
    pub players: usize,
    /// From this adjusted z on: watch.
    pub watch: f64,
    /// From this adjusted z on: full test.
    pub full_test: f64,
    /// The chances that among so many honest players somebody is to be watched, and tested in full; none where
    /// too few honest players are known to tell.
    pub chances: [Option<f64>; 2],
    /// The same chances by the tail fitted to the honest players of the calibration, even where nobody of them has
    /// such a z; none if the calibration keeps no honest players.
    #[serde(default)]
    pub by_tail: Option<[f64; 2]>,
}

/// A player with what the whole list depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Listed {
    /// What is to be said of the player.
    #[serde(flatten)]
    pub one: Screened,
    /// How many were screened.
    pub players_screened: usize,
    /// z from which on players are watched or tested in full.
    pub thresholds: [f64; 2],
}

/// Players in the order of how much a further look is warranted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// From the highest adjusted z down, those without a label last.
    pub players: Vec<Listed>,
    /// z from which on players are watched or tested in full.
    pub thresholds: Thresholds,
    /// Players without a rating or without a turn, who could not be screened.
    pub unscreened: Vec<String>,
    /// How much z scatter among players of known rating, where 1 is nominal.
    pub scatter: Scatter,
    /// The calibration.
    pub calibration: AboutCalibration,
    /// The games it rests on.
    pub evidence: Evidence,
    /// What the reader must know.
    pub warnings: Vec<String>,
    /// Each player's games and turns, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<PlayerDetail>,
}

/// The scatter of z that is nobody's doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Scatter {
    /// Of first-move matches.
    pub mm: f64,
    /// Of the average difference.
    pub ad: f64,
    /// Players it is known from.
    pub players: usize,
    /// The greater of the adjusted z of mm and ad of each of them, where the calibration keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub honest: Vec<f64>,
}

/// The players of a screening, its thresholds, and who could not be screened.
struct Screening {
    players: Vec<Screened>,
    thresholds: Thresholds,
    unscreened: Vec<String>,
    scatter: Scatter,
}

/// Evaluates what is missing, and screens.
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
