//! Domination, and the thresholds of increased lookahead.

use std::{cmp::Ordering, num::NonZeroU32};

use errare_minimax::{Alpha, LevelRegular, Lookahead, Product, Threshold, compare_at, domination};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Two level-regular moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxDominateRequest))]
pub struct Request {
    /// The good move, by its child counts at levels 1, 2, ...: `[2 3]`.
    pub good: String,
    /// The bad move, of the same depth: `[3 2]`.
    pub bad: String,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The smaller depth to compare with; by default two plies less than that of the moves, but at
    /// least 1.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Option<u32>))]
    pub shallow: Option<NonZeroU32>,
}

/// The comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxDominateAnswer))]
pub struct Answer {
    /// Which move dominates the other; null if neither does.
    pub domination: Option<Better>,
    /// Level by level.
    pub levels: Vec<LevelAnswer>,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// At the smaller depth.
    pub shallow: DepthAnswer,
    /// At the greater depth.
    pub deep: DepthAnswer,
    /// Does the deeper search favour the good move?
    pub beneficial: bool,
    /// The counts of the good move that suffice for that.
    #[serde(rename = "M")]
    pub m: Vec<Threshold>,
    /// The counts of the bad move that suffice for that.
    #[serde(rename = "Q")]
    pub q: Vec<Threshold>,
}

/// Which of the two is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The good move.
    Good,
    /// They are equivalent.
    Equal,
    /// The bad move.
    Bad,
}

impl Better {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Better::Good => "good",
            Better::Equal => "equal",
            Better::Bad => "bad",
        }
    }
}

impl From<Ordering> for Better {
    fn from(order: Ordering) -> Better {
        match order {
            Ordering::Greater => Better::Good,
            Ordering::Equal => Better::Equal,
            Ordering::Less => Better::Bad,
        }
    }
}

/// The counts of a level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LevelAnswer {
    /// The level.
    pub level: usize,
    /// The good move's count.
    pub good: u32,
    /// The bad move's count.
    pub bad: u32,
    /// Which is better.
    pub better: Better,
}

/// How the moves compare at a depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DepthAnswer {
    /// The depth.
    pub depth: usize,
    /// prob(good) / prob(bad).
    pub ratio: f64,
}

/// Compares the moves.
pub fn answer(request: &Request) -> Result<Answer, Error> {
    let [good, bad] = [one_move(&request.good)?, one_move(&request.bad)?];
    if good.depth() != bad.depth() {
        return Err(Error::bad_request(format!(
            "{good} and {bad} have different depths; give both lists the same length"
        )));
    }
    let deep = good.depth();
    let shallow = match request.shallow {
        None => deep.saturating_sub(2).max(1),
        Some(shallow) if (shallow.get() as usize) < deep => shallow.get() as usize,
        Some(shallow) => {
            return Err(Error::bad_request(format!(
                "the shallow depth of {shallow} is not below the depth of the moves, which is {deep}"
            )));
        }
    };
    let order = domination(&good, &bad);
    let levels = good.0.iter().zip(&bad.0).zip(1..);
    let levels = levels
        .map(|((&good, &bad), level)| LevelAnswer {
            level,
            good,
            bad,
            better: compare_at(level, good, bad).into(),
        })
        .collect();
    let pair = Lookahead {
        good,
        bad,
        shallow,
        alpha: request.alpha,
    };
    let at = |depth| DepthAnswer {
        depth,
        ratio: pair.ratio(depth),
    };
    Ok(Answer {
        domination: order.map(Better::from),
        levels,
        alpha: request.alpha,
        shallow: at(shallow),
        deep: at(deep),
        beneficial: pair.is_beneficial(),
        m: pair.thresholds(Product::M),
        q: pair.thresholds(Product::Q),
    })
}

fn one_move(text: &str) -> Result<LevelRegular, Error> {
    match &LevelRegular::parse_moves(text)?[..] {
        [only] => Ok(only.clone()),
        moves => Err(Error::bad_request(format!(
            "'{text}' has {} moves where one was expected, as in \"[2 3]\"",
            moves.len()
        ))),
    }
}
