//! The policy of the hunter's side: the best reply, or that of some other player.
//!
//! The Predator with a known opponent is a finite computation: its search of 2k plies is k steps of
//! backward induction from the depths (in draws, the values) that the prey's moves lead to. So its
//! choices in all positions of an endgame are computed at once.
//!
//! Where such a player breaks ties by the names of moves, all tied moves are taken as equally likely
//! here.

use std::{fmt, str::FromStr};

use errare_core::{Fault, FaultKind};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use shakmaty::Color;

use super::{
    Aim, Hunt, Scope,
    model::PreyModel,
    nodes::{End, Nodes, fill},
};
use crate::predator::{PredatorDepth, TIE};

/// The player that resists the prey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resistance {
    /// The hunter itself.
    Hunter,
    /// The infallible player, which breaks ties at random.
    Best,
    /// The Predator with this many plies, which knows the prey's competence.
    Predator(PredatorDepth),
}

impl fmt::Display for Resistance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resistance::Hunter => f.pad("hunter"),
            Resistance::Best => f.pad("best"),
            Resistance::Predator(PredatorDepth::TWO) => f.pad("predator"),
            Resistance::Predator(plies) => write!(f, "predator:plies={}", plies.get()),
        }
    }
}

/// Returned when a name is not a resistance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not one of hunter, best, predator and predator:plies=4")]
pub struct ParseResistanceError(String);

impl Fault for ParseResistanceError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for Resistance {
    type Err = ParseResistanceError;

    fn from_str(text: &str) -> Result<Resistance, ParseResistanceError> {
        let plies = || text.strip_prefix("predator:plies=")?.parse().ok();
        match text {
            "hunter" => Some(Resistance::Hunter),
            "best" => Some(Resistance::Best),
            "predator" => Some(Resistance::Predator(PredatorDepth::TWO)),
            _ => plies()
                .and_then(PredatorDepth::new)
                .map(Resistance::Predator),
        }
        .ok_or_else(|| ParseResistanceError(text.to_owned()))
    }
}

impl Serialize for Resistance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Resistance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Resistance, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Resistance {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        String::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Resistance {}

/// The moves that the hunter's side chooses.
pub(super) enum Replies {
    /// The move to the greatest value.
    Greatest,
    /// The move to the least value.
    Least,
    /// For each move of all nodes: is it one of those chosen, all equally likely?
    Fixed(Vec<bool>),
}

impl Replies {
    /// The value after the reply, and its destination (one of several, if tied).
    #[inline]
    pub(super) fn value(&self, nodes: &Nodes, node: usize, values: &[f64]) -> (f64, u32) {
        let (targets, _) = nodes.moves(node);
        match self {
            Replies::Greatest => extreme(targets, values, |value, best| value > best),
            Replies::Least => extreme(targets, values, |value, best| value < best),
            Replies::Fixed(chosen) => {
                let mut chosen = fixed(chosen, nodes, node);
                let first = chosen.next().expect("a player chooses some move");
                let (mut sum, mut count) = (values[first as usize], 1.0);
                for target in chosen {
                    sum += values[target as usize];
                    count += 1.0;
                }
                (sum / count, first)
            }
        }
    }

    /// The destinations of the replies, which are equally likely.
    pub(super) fn chosen(&self, nodes: &Nodes, node: usize, values: &[f64]) -> Vec<u32> {
        match self {
            Replies::Fixed(chosen) => fixed(chosen, nodes, node).collect(),
            _ => vec![self.value(nodes, node, values).1],
        }
    }
}

/// The destinations of the moves chosen.
#[inline]
fn fixed(chosen: &[bool], nodes: &Nodes, node: usize) -> impl Iterator<Item = u32> {
    let moves = nodes.moves(node).0.iter().zip(&chosen[nodes.range(node)]);
    moves
        .filter(|(_, chosen)| **chosen)
        .map(|(&target, _)| target)
}

/// The first of the targets with the best value, and this value.
#[inline]
fn extreme(targets: &[u32], values: &[f64], better: impl Fn(f64, f64) -> bool) -> (f64, u32) {
    let valued = targets
        .iter()
        .map(|&target| (values[target as usize], target));
    valued
        .reduce(|best, other| if better(other.0, best.0) { other } else { best })
        .expect("every node has a move")
}

impl Hunt<'_> {
    /// The replies of a player; those of the hunter serve its aim.
    pub(super) fn replies(&self, model: &PreyModel, aim: Aim, resistance: Resistance) -> Replies {
        match resistance {
            Resistance::Hunter if aim.is_maximised(self.quarry.scope) => Replies::Greatest,
            Resistance::Hunter => Replies::Least,
            Resistance::Best => self.choose(&vec![0; self.graph.prey.len() + End::COUNT]),
            Resistance::Predator(plies) => self.choose(&self.predator_scores(model, plies)),
        }
    }

    /// For each node the moves whose destinations have the greatest score; among those the best in the
    /// metric.
    fn choose(&self, scores: &[i64]) -> Replies {
        let nodes = &self.graph.hunter;
        // A side's favourite state has the smallest number for White, the greatest for Black.
        let likes_last = self.quarry.prey == Color::White;
        let key = |target: u32, state: u8| {
            let liking = i16::from(state) * if likes_last { 1 } else { -1 };
            (scores[target as usize], liking)
        };
        let mut chosen = Vec::with_capacity(nodes.targets.len());
        for node in 0..nodes.len() {
            let (targets, states) = nodes.moves(node);
            let keys = || {
                targets
                    .iter()
                    .zip(states)
                    .map(|(&target, &state)| key(target, state))
            };
            let best = keys().max();
            chosen.extend(keys().map(|key| Some(key) == best));
        }
        Replies::Fixed(chosen)
    }

    /// The Predator's expectation for each position that it may move into, in units of a tie.
    fn predator_scores(&self, model: &PreyModel, plies: PredatorDepth) -> Vec<i64> {
        let (prey, hunter) = (&self.graph.prey, &self.graph.hunter);
        let numbered = self.quarry.states;
        let decided = !matches!(self.quarry.scope, Scope::Draws | Scope::DrawsAndWins);
        let seen = |number: usize| numbered.state(number).seen_by(self.quarry.prey);
        // The Predator's value of a state that the prey moves into: in a decided position its depth,
        // with the prey assumed to keep the value.
        let hunter_wins = self.quarry.scope == Scope::Losses;
        let worth: Vec<Option<f64>> = (0..numbered.len())
            .map(seen)
            .map(|state| match decided {
                false => Some(f64::from(-state.value())),
                true if !self.quarry.scope.follows(state.value()) => None,
                true => state
                    .depth()
                    .map(|depth| f64::from(depth) * if hunter_wins { -1.0 } else { 1.0 }),
            })
            .collect();
        let mut ends = [0.0; End::COUNT];
        if !decided {
            ends[End::PreyWins as usize] = -1.0;
            ends[End::HunterWins as usize] = 1.0;
        }
        // By node of the hunter: its expectation when to move; initially from the prey's move alone.
        let mut onward = None::<Vec<f64>>;
        let mut scores = prey.values();
        for _ in 0..plies.get() / 2 {
            fill(&mut scores, 0..prey.len(), |node| {
                let (targets, states) = prey.moves(node);
                let weights = model.weights(states);
                let (mut sum, mut total) = (0.0, 0.0);
                for (&target, &state) in targets.iter().zip(states) {
                    let Some(worth) = worth[usize::from(state)] else {
                        continue;
                    };
                    let weight = weights[usize::from(state)];
                    let values = onward.as_ref();
                    total += weight;
                    sum += weight * values.map_or(worth, |values| values[target as usize]);
                }
                sum / total
            });
            scores[prey.len()..].copy_from_slice(&ends);
            let mut best = hunter.values();
            best[hunter.len()..].copy_from_slice(&ends);
            fill(&mut best, 0..hunter.len(), |node| {
                Replies::Greatest.value(hunter, node, &scores).0
            });
            onward = Some(best);
        }
        let rounded = |score: &f64| (score / TIE).round() as i64;
        scores.iter().map(rounded).collect()
    }
}
