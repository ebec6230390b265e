//! The Markov matrix of a player's moves in an endgame.

use errare_core::{Colour, Competence, Material, Watch};
use errare_endgame::{ChainState, Predictor};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    Error, Service,
    model::{Model, ValueRule},
    predict::PlayerState,
};

/// The matrix to compute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MarkovRequest))]
pub struct Request {
    /// The endgame.
    pub endgame: Material,
    /// The player's competence.
    pub skill: Competence,
    /// The player's side of the endgame.
    pub side: Colour,
    /// May the player lose value?
    #[serde(default)]
    pub value: ValueRule,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
}

/// A matrix: m_ij is the probability that R_c, to move in a position of state i, moves to state j, averaged over
/// all positions of state i on the full board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MarkovAnswer))]
pub struct Answer {
    /// The endgame.
    pub endgame: Material,
    /// The metric and κ.
    #[serde(flatten)]
    pub model: Model,
    /// The player's competence.
    pub skill: Competence,
    /// The player's side of the endgame.
    pub side: Colour,
    /// Are moves that lose value played?
    pub value: ValueRule,
    /// The states from the player's view, best first.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub states: Vec<PlayerState>,
    /// By state: the number of positions on the full board.
    pub positions: Vec<u64>,
    /// By state, row by row.
    pub matrix: Vec<Vec<f64>>,
}

/// Computes the matrix.
///
/// ```
/// use errare_service::markov::{self, Request};
/// use serde_json::{from_value, json};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request: Request = from_value(json!({"endgame": "KQK", "skill": 20, "side": "white"}))?;
/// let answer = markov::answer(&service, &request, &())?;
/// assert_eq!(answer.states.len(), answer.matrix.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let Model { metric, kappa } = request.model;
    let oracle = service
        .tables
        .oracle(&[request.endgame], metric, &[], watch)?;
    let predictor = Predictor::new(&oracle, request.endgame, kappa, request.value.into())?;
    let side: Color = request.side.into();
    let matrix = &predictor.matrices(side, &[request.skill.get()], watch)?[0];
    let mut states: Vec<ChainState> = matrix.states().all().collect();
    if side.is_black() {
        states.reverse();
    }
    let row = |&from: &ChainState| states.iter().map(|&to| matrix.get(from, to)).collect();
    Ok(Answer {
        endgame: request.endgame,
        model: request.model,
        skill: request.skill,
        side: request.side,
        value: request.value,
        states: states
            .iter()
            .map(|&state| PlayerState::seen(state, side))
            .collect(),
        positions: states.iter().map(|&s| matrix.positions(s)).collect(),
        matrix: states.iter().map(row).collect(),
    })
}
