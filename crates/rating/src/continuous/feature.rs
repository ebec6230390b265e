//! Features: properties of a move that influence whether people choose it.
//!
//! A feature gives each option of a turn a number; a model weights several of them. To add one, write a file
//! here, a line in [`parse`], and an entry in a list such as [`standard`].

mod ahead;
mod cost;
mod early;
mod first;
mod ranks;

use std::fmt;

use errare_core::{Fault, FaultKind};
use errare_engine::Evaluation;

pub use ahead::CostAhead;
pub use cost::Cost;
pub use early::CostEarly;
pub use first::First;
pub use ranks::Ranks;

use crate::{EvaluatedTurn, costs};

/// The options of a turn as an engine sees them, in the engine's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Scores in pawns at the greatest depth.
    pub pawns: Vec<f64>,
    /// The scaled cost of each option.
    pub costs: Vec<f64>,
    /// Scores in pawns, one row per depth from 1 on; NaN where the engine gave none.
    pub by_depth: Vec<Vec<f64>>,
    /// The number of the move to be played, if known.
    pub move_number: Option<u32>,
}

impl Seen {
    /// From scores in pawns by depth; the last row, of the greatest depth, determines the order of the
    /// options.
    ///
    /// # Panics
    ///
    /// Panics if there is no depth or no option.
    #[must_use]
    pub fn new(by_depth: Vec<Vec<f64>>) -> Seen {
        let pawns = by_depth.last().expect("there is a depth").clone();
        Seen {
            costs: costs(&pawns),
            pawns,
            by_depth,
            move_number: None,
        }
    }

    /// The options of an evaluated turn.
    #[must_use]
    pub fn of(turn: &EvaluatedTurn) -> Seen {
        let depths = turn.options[0].by_depth.len();
        let score = |depth: usize| {
            let options = turn.options.iter();
            let scores = options.map(move |option| option.by_depth.get(depth).copied().flatten());
            let pawns = scores.map(|score| score.map_or(f64::NAN, |score| score.pawns()));
            pawns.collect()
        };
        let by_depth = (0..depths).map(score).collect();
        Seen::at_move(by_depth, turn.place.move_number())
    }

    /// The moves of an engine's evaluation, in its order at the greatest depth, played at this move number.
    #[must_use]
    pub fn of_evaluation(evaluation: &Evaluation, move_number: u32) -> Seen {
        let moves = evaluation.moves().len();
        let deepest = evaluation.deepest();
        let mut by_depth = vec![vec![f64::NAN; moves]; deepest.depth.max(1).into()];
        for iteration in evaluation.iterations() {
            let row = usize::from(iteration.depth).checked_sub(1);
            if let Some(row) = row.and_then(|row| by_depth.get_mut(row)) {
                for line in &iteration.ranking {
                    row[usize::from(line.index)] = line.score.pawns();
                }
            }
        }
        let order = deepest.ranking.iter().map(|line| usize::from(line.index));
        let order: Vec<usize> = order.collect();
        for row in &mut by_depth {
            *row = order.iter().map(|&place| row[place]).collect();
        }
        Seen::at_move(by_depth, move_number)
    }

    /// From scores by depth at a move number. A search that ends early with a mate leaves the greater depths without
    /// scores: they are dropped, so that the last scores hold for them.
    fn at_move(mut by_depth: Vec<Vec<f64>>, move_number: u32) -> Seen {
        let scored = |row: &Vec<f64>| row.iter().any(|score| !score.is_nan());
        by_depth.truncate(by_depth.iter().rposition(scored).map_or(1, |last| last + 1));
        Seen {
            move_number: Some(move_number),
            ..Seen::new(by_depth)
        }
    }

    /// How many options share the best value; they come first.
    #[must_use]
    pub fn tops(&self) -> usize {
        let best = |value: &&f64| **value == self.pawns[0];
        self.pawns.iter().take_while(best).count()
    }
}

/// A property of the options of a turn that influences people's choices.
pub trait Feature: fmt::Debug + Send + Sync {
    /// Its name, as parsed by [`parse`].
    fn name(&self) -> String;

    /// Does its weight depend on the rating? If so it is a line, otherwise a constant.
    fn varies(&self) -> bool {
        true
    }

    /// The greatest depth it uses.
    fn depth(&self) -> u8 {
        1
    }

    /// Its value for each option.
    fn fill(&self, seen: &Seen, values: &mut [f64]);
}

/// Why names do not make a list of features.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// A name is not a feature.
    #[error(
        "'{0}' is not a feature; the features are cost, cost-ahead, cost-early, first, and ranks:A-B for depths A to B"
    )]
    Unknown(String),
    /// A feature is listed twice.
    #[error("the feature {0} is listed twice")]
    Twice(String),
    /// A feature needs deeper evaluations.
    #[error(
        "the feature {name} needs evaluations to depth {needed}, and these end at depth {depth}"
    )]
    TooDeep {
        /// Its name.
        name: String,
        /// The depth it needs.
        needed: u8,
        /// The depth of the evaluations.
        depth: u8,
    },
}

impl Fault for FeatureError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

/// The feature with this name.
///
/// ```
/// use errare_rating::continuous::parse;
///
/// assert_eq!(parse("ranks:2-4")?.name(), "ranks:2-4");
/// assert!(parse("beauty").is_err());
/// # Ok::<(), errare_rating::continuous::FeatureError>(())
/// ```
pub fn parse(name: &str) -> Result<Box<dyn Feature>, FeatureError> {
    let wrong = || FeatureError::Unknown(name.to_owned());
    Ok(match name {
        "cost" => Box::new(Cost),
        "cost-ahead" => Box::new(CostAhead),
        "cost-early" => Box::new(CostEarly),
        "first" => Box::new(First),
        _ => {
            let depths = name.strip_prefix("ranks:").ok_or_else(wrong)?;
            Box::new(depths.parse::<Ranks>().map_err(|()| wrong())?)
        }
    })
}

/// The features with these names, for evaluations of this depth.
///
/// ```
/// use errare_rating::continuous::{FeatureError, list};
///
/// assert_eq!(list(&["cost", "ranks:1-4"], 4)?.len(), 2);
/// assert!(matches!(list(&["cost", "cost"], 4), Err(FeatureError::Twice(_))));
/// assert!(matches!(list(&["ranks:1-5"], 4), Err(FeatureError::TooDeep { .. })));
/// # Ok::<(), FeatureError>(())
/// ```
pub fn list(names: &[impl AsRef<str>], depth: u8) -> Result<Vec<Box<dyn Feature>>, FeatureError> {
    let mut features: Vec<Box<dyn Feature>> = Vec::new();
    for name in names {
        let feature = parse(name.as_ref())?;
        let (name, needed) = (feature.name(), feature.depth());
        if features.iter().any(|other| other.name() == name) {
            return Err(FeatureError::Twice(name));
        }
        if needed > depth {
            return Err(FeatureError::TooDeep {
                name,
                needed,
                depth,
            });
        }
        features.push(feature);
    }
    Ok(features)
}

/// The features that predict best at this depth: cost, first move, ranks in four groups of depths, cost when
/// ahead or behind, and cost in early moves.
///
/// ```
/// use errare_rating::continuous::standard;
///
/// let names: Vec<String> = standard(8).iter().map(|it| it.name()).collect();
/// assert_eq!(
///     names.join(" "),
///     "cost first ranks:1-1 ranks:2-3 ranks:4-6 ranks:7-8 cost-ahead cost-early"
/// );
/// ```
#[must_use]
pub fn standard(depth: u8) -> Vec<Box<dyn Feature>> {
    let mut features: Vec<Box<dyn Feature>> = vec![Box::new(Cost), Box::new(First)];
    for group in Ranks::groups(depth) {
        features.push(Box::new(group));
    }
    features.push(Box::new(CostAhead));
    features.push(Box::new(CostEarly));
    features
}
