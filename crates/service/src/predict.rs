//! Predicts the results of a fallible player in an endgame: how long a win takes, and how likely it is.
//!
//! By default these are averages over the endgame, from the Markov chain whose states are depths, with each
//! transition averaged over all positions of the full board. A single position can be followed exactly, against
//! the infallible opponent ([`exact`]). Against the exact hunter or the Predator every position is followed.

pub mod exact;
pub(crate) mod hunted;
mod opponent;

use std::{collections::BTreeMap, fmt, str::FromStr};

use errare_core::{Colour, Competence, Material, Metric, Watch, parse_position};
use errare_endgame::{Chain, ChainState, Matrix, Oracle, Predictor, ResultChances, TieBreak};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

pub use self::opponent::{ParsePredictOpponentError, PredictOpponent};
use crate::{
    Error, RequestError, Service,
    anchor::{self, Anchor},
    model::{Model, ValueRule},
};

/// What to predict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PredictRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The player's competence.
    pub skill: Competence,
    /// Further competences for comparison.
    #[serde(default)]
    pub compare: Vec<Competence>,
    /// The opponent.
    #[serde(default = "infallible")]
    pub opponent: PredictOpponent,
    /// The player's side of the endgame; with a position, the side to move.
    #[serde(default = "white")]
    pub side: Colour,
    /// May players lose value?
    #[serde(default)]
    pub value: ValueRule,
    /// The number of moves within which the win must be achieved.
    #[serde(default = "fifty")]
    pub moves: u32,
    /// A position to follow exactly.
    #[serde(default)]
    pub position: Option<exact::Request>,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
}

fn infallible() -> PredictOpponent {
    PredictOpponent::INFALLIBLE
}

fn white() -> Colour {
    Colour::White
}

fn fifty() -> u32 {
    50
}

/// The prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PredictAnswer))]
pub struct Answer {
    /// The endgame.
    pub endgame: Material,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// The player's competence.
    pub skill: Competence,
    /// How players of such a competence compare with rated players, where known.
    pub anchor: Option<Anchor>,
    /// The opponent.
    pub opponent: PredictOpponent,
    /// The player's side of the endgame.
    pub side: Colour,
    /// Are moves that lose value played?
    pub value: ValueRule,
    /// The forecast for the player.
    #[serde(flatten)]
    pub forecast: Forecast,
    /// The forecasts for the other competences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compare: Vec<ComparedForecast>,
    /// The position that was followed exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<exact::Answer>,
}

impl Answer {
    /// The metric.
    pub fn metric(&self) -> Metric {
        self.model.metric
    }

    /// Every competence with its forecast.
    pub fn forecasts(&self) -> impl Iterator<Item = (Competence, &Forecast)> {
        let compared = self.compare.iter();
        [(self.skill, &self.forecast)]
            .into_iter()
            .chain(compared.map(|compared| (compared.skill, &compared.forecast)))
    }
}

/// The forecast for one competence, by depth of the win; null where play may never end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Forecast {
    /// The expected number of the player's moves.
    #[serde(deserialize_with = "by_depth")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, Option<f64>>))]
    pub expected_moves: BTreeMap<u16, Option<f64>>,
    /// Its standard deviation; empty against an opponent that is followed position by position.
    #[serde(deserialize_with = "by_depth")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, Option<f64>>))]
    pub deviation: BTreeMap<u16, Option<f64>>,
    /// The probability of winning in time.
    pub win_within: Within,
    /// The probability of winning in the end, where value is at risk.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "by_depth"
    )]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, f64>))]
    pub win: BTreeMap<u16, f64>,
    /// The probabilities of the final results, by state, where value is at risk; none against an opponent that is followed
    /// position by position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<BTreeMap<String, ResultChances>>))]
    pub results: Option<BTreeMap<PlayerState, ResultChances>>,
    /// The number of positions of the full board with each depth.
    #[serde(deserialize_with = "by_depth")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, u64>))]
    pub positions: BTreeMap<u16, u64>,
}

/// The probability of winning within some moves, by depth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Within {
    /// The moves.
    pub moves: u32,
    /// The probability from each depth.
    #[serde(deserialize_with = "by_depth")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, f64>))]
    pub from: BTreeMap<u16, f64>,
}

/// The forecast for another competence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComparedForecast {
    /// The competence.
    pub skill: Competence,
    /// How players of such a competence compare with rated players, where known.
    pub anchor: Option<Anchor>,
    /// The forecast.
    #[serde(flatten)]
    pub forecast: Forecast,
}

/// JSON keys are strings, which serde does not convert to numbers inside a flattened struct.
fn by_depth<'de, D, V>(deserializer: D) -> Result<BTreeMap<u16, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    let texts = BTreeMap::<String, V>::deserialize(deserializer)?;
    let entries = texts.into_iter().map(|(depth, value)| {
        let depth = depth.parse().map_err(de::Error::custom)?;
        Ok((depth, value))
    });
    entries.collect()
}

/// A state of the chain from the player's view, best first: `win 3`, `draw`, `drawn` (for good), `loss 2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayerState {
    /// A win of some depth.
    Win(u16),
    /// A draw that play may still change.
    Draw,
    /// A draw for good: stalemate or a drawn subgame.
    Drawn,
    /// A loss of some depth.
    Loss(u16),
}

impl PlayerState {
    /// A state from the view of this side of the endgame.
    pub fn seen(state: ChainState, side: Color) -> PlayerState {
        match (state, side) {
            (ChainState::Draw, _) => PlayerState::Draw,
            (ChainState::Drawn, _) => PlayerState::Drawn,
            (ChainState::Win(depth), Color::White) | (ChainState::Loss(depth), Color::Black) => {
                PlayerState::Win(depth)
            }
            (ChainState::Win(depth), Color::Black) | (ChainState::Loss(depth), Color::White) => {
                PlayerState::Loss(depth)
            }
        }
    }

    fn rank(self) -> (u8, i32) {
        match self {
            PlayerState::Win(depth) => (0, depth.into()),
            PlayerState::Draw => (1, 0),
            PlayerState::Drawn => (2, 0),
            PlayerState::Loss(depth) => (3, -i32::from(depth)),
        }
    }
}

impl Ord for PlayerState {
    fn cmp(&self, other: &PlayerState) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for PlayerState {
    fn partial_cmp(&self, other: &PlayerState) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for PlayerState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerState::Win(depth) => write!(f, "win {depth}"),
            PlayerState::Draw => f.write_str("draw"),
            PlayerState::Drawn => f.write_str("drawn"),
            PlayerState::Loss(depth) => write!(f, "loss {depth}"),
        }
    }
}

impl FromStr for PlayerState {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerState, String> {
        let depth = |depth: &str| depth.parse().ok();
        let state = match text.split_once(' ') {
            None if text == "draw" => Some(PlayerState::Draw),
            None if text == "drawn" => Some(PlayerState::Drawn),
            Some(("win", moves)) => depth(moves).map(PlayerState::Win),
            Some(("loss", moves)) => depth(moves).map(PlayerState::Loss),
            _ => None,
        };
        state.ok_or_else(|| {
            format!("{text:?} is not a state; states are like win 3, draw and loss 2")
        })
    }
}

impl Serialize for PlayerState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PlayerState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerState, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// Predicts how the player does.
///
/// ```
/// use errare_service::predict::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({"endgame": "KQK", "skill": 20}))?;
/// let answer = predict::answer(&service, &request, &())?;
/// let (_, forecast) = answer.forecasts().next().ok_or("one competence was asked for")?;
/// assert!(forecast.expected_moves[&10] > Some(10.0), "ten moves are the least");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    must_have_moves(request.moves)?;
    if let PredictOpponent::Resistance(_) = request.opponent {
        hunted::must_be_followed(&request.endgame, request.model.metric)?;
        for skill in [request.skill].iter().chain(&request.compare) {
            hunted::must_be_huntable(*skill)?;
        }
    }
    let position = match &request.position {
        None => None,
        Some(position) => Some((position, parse_position(&position.fen)?)),
    };
    let side: Color = match &position {
        None => request.side.into(),
        Some((_, position)) => exact::player(request, position)?,
    };
    let by_dtm = position
        .as_ref()
        .is_some_and(|(position, _)| position.ties == TieBreak::LongestDtm);
    let also: &[Metric] = if by_dtm { &[Metric::Dtm] } else { &[] };
    let Model { metric, kappa } = request.model;
    let oracle = service
        .tables
        .oracle(&[request.endgame], metric, also, watch)?;
    if let Some((_, position)) = &position {
        must_be_won(request, &oracle, position)?;
    }
    let mut skills = vec![request.skill];
    skills.extend(&request.compare);
    let (forecasts, exact) = match request.opponent {
        PredictOpponent::Resistance(resistance) => {
            let position = position
                .as_ref()
                .map(|(wanted, position)| (*wanted, position));
            hunted::answer(service, request, resistance, &oracle, side, position, watch)?
        }
        PredictOpponent::Competence(opponent) => {
            let predictor = Predictor::new(&oracle, request.endgame, kappa, request.value.into())?;
            let competences: Vec<f64> = skills.iter().map(|skill| skill.get()).collect();
            let seen = predictor.matrices_and_chains(side, &competences, opponent.get(), watch)?;
            if seen[0].1.depths().next().is_none() && request.value == ValueRule::Keep {
                return Err(RequestError::NoWin.into());
            }
            let exact = position
                .map(|(wanted, position)| {
                    exact::answer(service, request, wanted, &oracle, &position, watch)
                })
                .transpose()?;
            let forecasts = seen
                .iter()
                .map(|(matrix, chain)| Forecast::new(request, side, matrix, chain));
            (forecasts.collect(), exact)
        }
    };
    let mut forecasts = forecasts.into_iter();
    let forecast = forecasts.next().expect("there is a skill");
    let compare = skills[1..].iter().zip(forecasts);
    Ok(Answer {
        endgame: request.endgame,
        model: request.model,
        skill: request.skill,
        anchor: anchor::of(request.skill.get(), &request.model, request.value),
        opponent: request.opponent,
        side: side.into(),
        value: request.value,
        forecast,
        compare: compare
            .map(|(&skill, forecast)| ComparedForecast {
                skill,
                anchor: anchor::of(skill.get(), &request.model, request.value),
                forecast,
            })
            .collect(),
        position: exact,
    })
}

/// Refuses to predict wins within no move at all.
pub(crate) fn must_have_moves(moves: u32) -> Result<(), Error> {
    match moves {
        0 => Err(Error::bad_request(
            "a win takes at least one move: give a number of moves of 1 or more",
        )),
        _ => Ok(()),
    }
}

/// Refuses a position that its side to move does not win.
fn must_be_won(request: &Request, oracle: &Oracle, position: &Chess) -> Result<(), Error> {
    let sign = oracle.outcome(position)?.sign();
    if sign > 0 {
        return Ok(());
    }
    Err(RequestError::NotWon {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        side: position.turn().into(),
        lost: sign < 0,
        skill: request.skill,
    }
    .into())
}

impl Forecast {
    fn new(request: &Request, side: Color, matrix: &Matrix, chain: &Chain) -> Forecast {
        let number = |depth| chain.states().number(chain.win(depth));
        let by_depth = |values: &[f64]| -> BTreeMap<u16, Option<f64>> {
            let finite = |value: f64| value.is_finite().then_some(value);
            let value = |depth| (depth, finite(values[number(depth)]));
            chain.depths().map(value).collect()
        };
        let within = chain.win_within(request.moves);
        let results = (request.value == ValueRule::Risk).then(|| results(chain, side));
        let win = |depth| Some((depth, results.as_ref()?.get(&PlayerState::Win(depth))?.win));
        let count = |depth| (depth, matrix.positions(chain.win(depth)));
        Forecast {
            expected_moves: by_depth(&chain.expected_moves()),
            deviation: by_depth(&chain.deviation()),
            win_within: Within {
                moves: request.moves,
                from: chain.depths().map(|d| (d, within[number(d)])).collect(),
            },
            win: chain.depths().filter_map(win).collect(),
            results,
            positions: chain.depths().map(count).collect(),
        }
    }
}

/// The probabilities of the final results, by state from the player's view.
fn results(chain: &Chain, side: Color) -> BTreeMap<PlayerState, ResultChances> {
    let states = chain.states().all().zip(chain.results());
    states
        .filter(|(state, _)| chain.occurs(*state))
        .map(|(state, results)| (PlayerState::seen(state, side), results))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::PlayerState;

    #[test]
    fn states_are_ordered_as_they_are_preferred_and_read_as_they_are_written() {
        let states = [
            PlayerState::Win(0),
            PlayerState::Win(31),
            PlayerState::Draw,
            PlayerState::Drawn,
            PlayerState::Loss(2),
            PlayerState::Loss(0),
        ];
        assert!(states.is_sorted());
        for state in states {
            assert_eq!(state.to_string().parse(), Ok(state));
        }
        assert!("won 3".parse::<PlayerState>().is_err());
    }
}
