//! The trickiest positions of an endgame: those in which the reference player R_20 most often throws away the
//! result, or loses most depth on average. They are found by a census of the whole table.

use std::str::FromStr;

use errare_choice::{Kappa, Preference, State};
use errare_core::{Colour, Material, Metric, Watch};
use errare_endgame::{Oracle, destination};
use errare_tables::{Census, CensusEntry, CensusStep, Destination};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{level::LEVEL_COMPETENCE, session::fen, setup::Task};
use crate::{Error, Service};

/// What is thrown away in a tricky position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Trick {
    /// The result.
    #[default]
    Result,
    /// Depth, while the result is kept.
    Depth,
}

impl FromStr for Trick {
    type Err = String;

    fn from_str(text: &str) -> Result<Trick, String> {
        match text {
            "result" => Ok(Trick::Result),
            "depth" => Ok(Trick::Depth),
            _ => Err("tricky is result or depth".to_owned()),
        }
    }
}

/// A request for the trickiest positions of an endgame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TrickyRequest {
    /// The endgame.
    pub endgame: Material,
    /// The side to move.
    pub side: Colour,
    /// Its task.
    pub task: Task,
    /// What is thrown away.
    pub by: Trick,
    /// The metric.
    pub metric: Metric,
    /// The number of positions.
    pub count: usize,
}

/// A tricky position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TrickyPosition {
    /// The position.
    pub fen: String,
    /// The probability that R_20 throws the result away, or its mean loss of depth in moves.
    pub score: f64,
}

/// The trickiest positions, one per class of symmetric ones, trickiest first.
pub fn trickiest(
    service: &Service,
    request: &TrickyRequest,
    watch: &dyn Watch,
) -> Result<Vec<TrickyPosition>, Error> {
    let oracle = service
        .tables
        .oracle(&[request.endgame], request.metric, &[], watch)?;
    find(&oracle, request, Kappa::ONE, watch)
}

/// Positions whose best moves lead to this depth or less are too short to be tricky.
const LEAST_DEPTH: u16 = 3;

/// Like [`trickiest`], with an oracle.
pub(super) fn find(
    oracle: &Oracle,
    request: &TrickyRequest,
    kappa: Kappa,
    watch: &dyn Watch,
) -> Result<Vec<TrickyPosition>, Error> {
    let (endgame, metric, side) = (request.endgame, request.metric, Color::from(request.side));
    let [white, black] = oracle.deepest_wins(endgame)?;
    let (win, loss) = side.fold_wb((white, black), (black, white));
    let scale = Scale::new(Preference::for_depths(kappa, win, loss));
    let value = match request.task {
        Task::Win => 1,
        Task::Hold => 0,
        Task::Resist => -1,
    };
    let census = Census::new(oracle.prober().store(), endgame, metric, side, |to| {
        number(to, metric)
    })?;
    let found = census.only(|outcome| outcome.sign() == value);
    let add = |top: &mut Top, entry: &CensusEntry<'_>| {
        let depth = entry
            .outcome
            .moves_in(metric)
            .map_or(LEAST_DEPTH, |moves| moves.0);
        if depth >= LEAST_DEPTH {
            top.see(scale.score(entry.kinds, request.by), entry.index);
        }
    };
    let empty = || Top {
        kept: Vec::new(),
        most: request.count,
    };
    watch.begin("looking at all moves", Some(found.stored()));
    let mut top = found.fold(watch, empty, add, |all, part| all.merge(part))?;
    top.cut();
    let position = |(score, index): &(f64, u32)| TrickyPosition {
        fen: fen(&found.position(*index)),
        score: *score,
    };
    Ok(top
        .kept
        .iter()
        .filter(|(score, _)| *score > 0.0)
        .map(position)
        .collect())
}

/// States as small numbers: wins by depth, the draw, losses by depth.
const DRAW: u16 = 512;

fn number(to: Destination, metric: Metric) -> u16 {
    let exits = match metric {
        Metric::Dtc => to.step == CensusStep::Conversion,
        Metric::Dtz => to.step != CensusStep::Quiet,
        Metric::Dtm | Metric::Dtr => false,
    };
    match destination(to.after, metric, exits) {
        State::Win(depth) => depth,
        State::Draw => DRAW,
        State::Loss(depth) => DRAW + 1 + depth,
    }
}

fn state(number: u16) -> State {
    match number {
        ..DRAW => State::Win(number),
        DRAW => State::Draw,
        _ => State::Loss(number - DRAW - 1),
    }
}

/// The preferences of R_20 by number of the state.
struct Scale(Vec<f64>);

impl Scale {
    fn new(preference: Preference) -> Scale {
        let weight = |number| (-LEVEL_COMPETENCE * preference.aversion(state(number))).exp();
        Scale((0..=2 * DRAW).map(weight).collect())
    }

    /// The score of a position whose moves lead to these states.
    fn score(&self, kinds: &[u16], by: Trick) -> f64 {
        let Some(best) = kinds.iter().copied().min_by_key(|&kind| state(kind).rank()) else {
            return 0.0;
        };
        let best = state(best);
        let (mut kept, mut lost, mut depth_lost) = (0.0, 0.0, 0.0);
        for &kind in kinds {
            let (to, weight) = (state(kind), self.0[usize::from(kind)]);
            if to.value() == best.value() {
                let depth = |state: State| f64::from(state.depth().unwrap_or(0));
                kept += weight;
                depth_lost += weight * (depth(to) - depth(best)).abs();
            } else {
                lost += weight;
            }
        }
        match by {
            Trick::Result => lost / (kept + lost),
            Trick::Depth => depth_lost / kept,
        }
    }
}

/// The greatest scores so far, with their positions.
struct Top {
    kept: Vec<(f64, u32)>,
    most: usize,
}

impl Top {
    fn see(&mut self, score: f64, index: u32) {
        self.kept.push((score, index));
        if self.kept.len() > 4 * self.most + 1024 {
            self.cut();
        }
    }

    fn merge(&mut self, mut other: Top) {
        self.kept.append(&mut other.kept);
        self.cut();
    }

    fn cut(&mut self) {
        self.kept
            .sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.kept.truncate(self.most);
    }
}
