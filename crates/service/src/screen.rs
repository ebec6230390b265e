//! Screening: finds players whose moves agree with the engine more than their ratings explain.

mod detail;
mod events;
mod families;

use errare_core::Watch;
pub use errare_rating::{Adjusted, Label, Screened, SmallestEffect, Thresholds};
use errare_rating::{Compared, Pace};
use serde::{Deserialize, Serialize};

pub use detail::{GameDetail, PlayerDetail, TurnDetail};

use crate::{
    Error, RequestError, Service,
    calibration::{AboutCalibration, AnyCalibration},
    evidence::{Evidence, EvidenceChoice},
};

/// The games to screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ScreenRequest))]
pub struct Request {
    /// The games.
    #[serde(flatten)]
    pub evidence: EvidenceChoice,
    /// Include each player's games and turns?
    #[serde(default)]
    pub details: bool,
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
    /// z whose variance includes all effects; none if this event alone cannot be tested.
    pub adjusted: Option<Adjusted>,
}

/// A player with the properties of the whole list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ListedPlayer {
    /// The player's result.
    #[serde(flatten)]
    pub one: Screened,
    /// Each event separately, if there are several; together they make the result above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventResult>,
    /// The number of players who can be tested.
    pub players_screened: usize,
    /// The thresholds of z for *watch* and *full test*.
    pub thresholds: [f64; 2],
    /// The probabilities that somebody among this many honest players reaches them, from the tail fitted to the
    /// honest players of the calibration; none if it knows too few.
    #[serde(default)]
    pub threshold_chances: Option<[f64; 2]>,
}

/// Players, those who most warrant a further look first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ScreenAnswer))]
pub struct Answer {
    /// Highest adjusted z first; those without a label last.
    pub players: Vec<ListedPlayer>,
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

impl Scatter {
    fn of(calibration: &AnyCalibration) -> Scatter {
        match calibration {
            AnyCalibration::Continuous(calibration) => {
                let honest = &calibration.honest;
                Scatter {
                    mm: honest.scatter[0],
                    ad: honest.scatter[2],
                    players: honest.players(),
                    honest: honest.z.clone(),
                }
            }
            AnyCalibration::Agents(calibration) => {
                let inflation = calibration.inflation;
                Scatter {
                    mm: inflation.mm,
                    ad: inflation.ad,
                    players: inflation.players,
                    honest: Vec::new(),
                }
            }
        }
    }
}

/// Evaluates missing positions, and screens.
pub fn answer(_: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let opened = request.evidence.open(watch)?;
    watch.begin("screening players", None);
    let players = opened.players()?;
    watch.check()?;
    let calibration = &opened.calibration;
    let (screening, mut events) = families::screen(calibration, &players);
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
            true => detail::of(&players, &screening.players, &events, calibration),
            false => Vec::new(),
        },
        players: screening
            .players
            .into_iter()
            .map(|one| ListedPlayer {
                events: events.remove(&one.player).unwrap_or_default(),
                one,
                players_screened: thresholds.players,
                thresholds: [thresholds.watch, thresholds.full_test],
                threshold_chances: thresholds.by_tail,
            })
            .collect(),
        thresholds,
        unscreened: screening.unscreened,
        scatter: Scatter::of(calibration),
        calibration: AboutCalibration::new(calibration),
        evidence: opened.evidence,
        warnings,
    })
}
