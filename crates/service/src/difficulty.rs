//! How difficult endgames are to win for a fallible player against the infallible one.
//!
//! Computed twice: if the player never plays a move that loses value, as in the papers, and if such moves are played
//! according to their preference. Without the second, a random mover "wins KPK in 75 %" only because errors are
//! forbidden.

use errare_core::{Colour, Competence, Material, Watch};
use errare_endgame::{
    Chain, Difficulty, Goal, Hunt, Matrix, Oracle, Predictor, Prey, Resistance, Scope, Solved,
    Values,
};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    Error, Service,
    anchor::{self, Anchor},
    model::{Model, ValueRule},
    predict::{
        hunted::{must_be_followed, must_be_huntable, unless_too_long},
        must_have_moves,
    },
};

/// The endgames to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DifficultyRequest))]
pub struct Request {
    /// The endgames.
    pub endgames: Vec<Material>,
    /// The side that wins.
    pub side: Colour,
    /// The number of moves within which the win must be achieved.
    pub moves: u32,
    /// Competences for which the best possible resistance, the exact hunter's, is solved too.
    #[serde(default)]
    pub hunter: Vec<Competence>,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
}

/// The difficulty of the endgames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = DifficultyAnswer))]
pub struct Answer {
    /// The endgames that the side can win.
    pub found: Vec<Endgame>,
    /// The endgames that it cannot win.
    pub without_win: Vec<Material>,
}

/// The difficulty of an endgame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Endgame {
    /// If value is kept.
    #[serde(flatten)]
    pub difficulty: Difficulty,
    /// The assumption of the numbers beside this field: moves that lose value are not played.
    pub value: ValueRule,
    /// How players whose competence gives an even chance compare with rated players, where known.
    pub anchor: Option<Anchor>,
    /// If moves that lose value are played according to their preference.
    pub risk: Risk,
    /// Against the best resistance, by c, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunter: Vec<HunterPoint>,
}

/// The expected results of a player of some competence against the exact hunter and against the infallible player, if value
/// is kept. Both are followed position by position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HunterPoint {
    /// c.
    pub competence: f64,
    /// Against the hunter: for lengths the one for length, for chances the one for the 50-move rule.
    #[serde(flatten)]
    pub hunter: Resisted,
    /// Against the infallible player, who breaks ties by chance.
    pub best: Resisted,
}

/// The expected results against one opponent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Resisted {
    /// The expected length from the deepest wins; none if it is too great to be computed.
    pub expected_moves: Option<f64>,
    /// The probability of winning in time from there.
    pub win_within: f64,
    /// The expected length from a random win, all positions being equally likely.
    pub mean_moves: Option<f64>,
    /// The probability of winning in time from a random win.
    pub mean_win_within: f64,
}

/// The results of R_c if it may lose value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Risk {
    /// The least c with which the deepest wins are won in time at least half of the time; none if no c is enough.
    pub even_chance: Option<f64>,
    /// How players of that competence compare with rated players, where known.
    pub anchor: Option<Anchor>,
    /// By c.
    pub curve: Vec<RiskPoint>,
}

/// The results of a player of some competence who may lose value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RiskPoint {
    /// c.
    pub competence: f64,
    /// The probability of winning in time from the deepest wins.
    pub win_within: f64,
    /// The probability of winning at all from there.
    pub win: f64,
    /// The probability of winning in time from a random win, all positions being equally likely.
    pub mean_win_within: f64,
    /// The probability of winning at all from a random win.
    pub mean_win: f64,
}

/// The competences of the curve.
const CURVE: std::ops::RangeInclusive<u32> = 0..=30;
const STEP: f64 = 2.0;
/// The accuracy of the even chance.
const TOLERANCE: f64 = 1e-3;
/// The number of competences per pass over the table in the search for the even chance.
const AT_ONCE: u32 = 9;

/// Computes the difficulty of each endgame.
///
/// ```
/// use errare_service::difficulty::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({"endgames": ["KQK"], "side": "white", "moves": 50}))?;
/// let answer = difficulty::answer(&service, &request, &())?;
/// assert_eq!(answer.found[0].difficulty.deepest, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let Model { metric, kappa } = request.model;
    must_have_moves(request.moves)?;
    for skill in &request.hunter {
        must_be_huntable(*skill)?;
    }
    if !request.hunter.is_empty() {
        for endgame in &request.endgames {
            must_be_followed(endgame, metric)?;
        }
    }
    let oracle = service
        .tables
        .oracle(&request.endgames, metric, &[], watch)?;
    let mut answer = Answer {
        found: Vec::new(),
        without_win: Vec::new(),
    };
    for &endgame in &request.endgames {
        let side = request.side.into();
        let predictor = Predictor::new(&oracle, endgame, kappa, Values::Kept)?;
        let Some(difficulty) = Difficulty::of(&predictor, metric, side, request.moves, watch)?
        else {
            answer.without_win.push(endgame);
            continue;
        };
        let anchor = difficulty
            .even_chance
            .and_then(|c| anchor::of(c, &request.model, ValueRule::Keep));
        answer.found.push(Endgame {
            difficulty,
            value: ValueRule::Keep,
            anchor,
            risk: Risk::of(&oracle, endgame, request, watch)?,
            hunter: resisted(service, &oracle, endgame, request, watch)?,
        });
    }
    Ok(answer)
}

/// The curves against the exact hunter and the infallible player.
fn resisted(
    service: &Service,
    oracle: &Oracle,
    endgame: Material,
    request: &Request,
    watch: &dyn Watch,
) -> Result<Vec<HunterPoint>, Error> {
    if request.hunter.is_empty() {
        return Ok(Vec::new());
    }
    let (side, memory) = (request.side.into(), service.tables.memory()?);
    let hunt = Hunt::new(oracle, endgame, side, Scope::Wins, memory, watch)?;
    let deepest_and_mean = |solved: &Solved| {
        let depths = hunt.by_depth(solved);
        let count: f64 = depths.iter().map(|(_, count, _)| *count as f64).sum();
        let sum: f64 = depths
            .iter()
            .map(|(_, count, mean)| *count as f64 * mean)
            .sum();
        (depths.last().map_or(0.0, |deepest| deepest.2), sum / count)
    };
    let against = |prey, resistance| -> Result<Resisted, Error> {
        let lengths = hunt.lengths(prey, resistance, watch);
        let lengths = unless_too_long(lengths, prey, watch)?;
        let chances = hunt.chances(prey, Goal::Win, resistance, request.moves, watch)?;
        let (expected_moves, mean_moves) = lengths.as_ref().map(deepest_and_mean).unzip();
        let (win_within, mean_win_within) = deepest_and_mean(&chances);
        Ok(Resisted {
            expected_moves,
            win_within,
            mean_moves,
            mean_win_within,
        })
    };
    let point = |skill: &Competence| {
        let prey = Prey {
            competence: skill.get(),
            kappa: request.model.kappa,
        };
        Ok(HunterPoint {
            competence: prey.competence,
            best: against(prey, Resistance::Best)?,
            hunter: against(prey, Resistance::Hunter)?,
        })
    };
    request.hunter.iter().map(point).collect()
}

impl Risk {
    fn of(
        oracle: &Oracle,
        endgame: Material,
        request: &Request,
        watch: &dyn Watch,
    ) -> Result<Risk, Error> {
        let predictor = Predictor::new(oracle, endgame, request.model.kappa, Values::Risked)?;
        let side: Color = request.side.into();
        let points = |competences: &[f64]| -> Result<Vec<RiskPoint>, Error> {
            let seen = predictor.matrices_and_chains(side, competences, f64::INFINITY, watch)?;
            let each = competences.iter().zip(&seen);
            Ok(each
                .map(|(&c, (matrix, chain))| point(c, matrix, chain, request.moves))
                .collect())
        };
        let competences: Vec<f64> = CURVE.map(|step| f64::from(step) * STEP).collect();
        let curve = points(&competences)?;
        let even = |point: &RiskPoint| point.win_within >= 0.5;
        let mut even_chance = None;
        let above = curve.iter().position(even);
        let mut bracket = match above {
            Some(0) => {
                even_chance = Some(0.0);
                None
            }
            Some(above) => Some([curve[above - 1].competence, curve[above].competence]),
            None => None,
        };
        while let Some([low, high]) = bracket {
            even_chance = Some(f64::midpoint(low, high));
            if high - low <= TOLERANCE {
                break;
            }
            let step = (high - low) / f64::from(AT_ONCE + 1);
            let between: Vec<f64> = (1..=AT_ONCE).map(|n| low + f64::from(n) * step).collect();
            let seen = points(&between)?;
            let above = seen.iter().position(even).unwrap_or(seen.len());
            bracket = Some([
                if above == 0 { low } else { between[above - 1] },
                between.get(above).copied().unwrap_or(high),
            ]);
        }
        Ok(Risk {
            even_chance,
            anchor: even_chance.and_then(|c| anchor::of(c, &request.model, ValueRule::Risk)),
            curve,
        })
    }
}

fn point(competence: f64, matrix: &Matrix, chain: &Chain, moves: u32) -> RiskPoint {
    let number = |depth| chain.states().number(chain.win(depth));
    let in_time = chain.win_within(moves);
    let at_all: Vec<f64> = chain.results().iter().map(|results| results.win).collect();
    let deepest = chain.depths().next_back().map_or(0, number);
    let mean = |values: &[f64]| {
        let count = |depth| matrix.positions(chain.win(depth)) as f64;
        let sum: f64 = chain.depths().map(|d| count(d) * values[number(d)]).sum();
        sum / chain.depths().map(count).sum::<f64>()
    };
    RiskPoint {
        competence,
        win_within: in_time[deepest],
        win: at_all[deepest],
        mean_win_within: mean(&in_time),
        mean_win: mean(&at_all),
    }
}
