//! The choices of players of every competence in a position: how likely each move is, and what it costs.
//!
//! The players are R_c that may lose value: how often they do distinguishes a tricky position from a simple one.

use errare_choice::Kappa;
use errare_core::{Material, Metric, Watch, parse_position};
use errare_endgame::{Oracle, ReferencePlayer, Weighting};
use serde::{Deserialize, Serialize};
use shakmaty::{Position, san::SanPlus, uci::UciMove};

use crate::{Error, Service};

/// The maximum number of competences in a request.
const MOST_COMPETENCES: usize = 501;

/// A position, and the players' competences.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChoicesRequest))]
pub struct Request {
    /// The position.
    pub fen: String,
    /// The metric in which depth counts.
    pub metric: Metric,
    /// The competences c of the players.
    pub competences: Vec<f64>,
}

/// The players' choices.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChoicesAnswer))]
pub struct Answer {
    /// The endgame.
    pub endgame: String,
    /// The metric in which depth counts.
    pub metric: Metric,
    /// The competences c, as requested.
    pub competences: Vec<f64>,
    /// The probability that the move keeps the value (win or draw), by competence.
    pub keeps: Vec<f64>,
    /// The mean number of the winner's moves ceded by moves that keep the value, by competence; none in a draw.
    pub ceded: Vec<Option<f64>>,
    /// Every legal move, sorted by name.
    pub moves: Vec<MoveChances>,
}

/// The probabilities of a move.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveChances {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Does it keep the value?
    pub keeps_value: bool,
    /// The number of the winner's moves that it cedes; none if it changes the value.
    pub ceded: Option<u16>,
    /// Its probability, by competence.
    pub probabilities: Vec<f64>,
}

/// Computes the probabilities.
///
/// ```
/// use errare_core::Metric;
/// use errare_service::choices::{self, Request};
///
/// # use errare_service::{Service, Supply};
/// # use errare_tables::Store;
/// # let service = Service { tables: Supply::new(Store::open(errare_testing::shared_tables(), 16 << 20)) };
/// let request = Request {
///     fen: "8/8/8/4k3/8/8/Q7/K7 w - - 0 1".to_owned(),
///     metric: Metric::Dtc,
///     competences: vec![0.0, 20.0],
/// };
/// let answer = choices::answer(&service, &request, &())?;
/// assert!(answer.ceded[0] > answer.ceded[1], "who plays at random cedes more");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn answer(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let competences = &request.competences;
    if competences.len() > MOST_COMPETENCES || !competences.iter().all(|c| c.is_finite()) {
        return Err(Error::bad_request(format!(
            "competences are at most {MOST_COMPETENCES} finite numbers"
        )));
    }
    let position = parse_position(&request.fen)?;
    if !Oracle::covers(&position) {
        return Err(Error::bad_request(
            "there are tables for three to five men without castling rights",
        ));
    }
    let (endgame, _) = Material::of(position.board());
    let oracle = service
        .tables
        .oracle(&[endgame], request.metric, &[], watch)?;
    let turn = oracle.turn(&position)?;
    let mut moves: Vec<MoveChances> = turn
        .choices()
        .iter()
        .map(|choice| MoveChances {
            uci: UciMove::from_standard(choice.r#move).to_string(),
            san: SanPlus::from_move(position.clone(), choice.r#move).to_string(),
            keeps_value: turn.preserves_value(choice),
            ceded: turn.ceded(choice),
            probabilities: Vec::new(),
        })
        .collect();
    let drawn = turn.best().is_none_or(|best| best.value() == 0);
    let (mut keeps, mut ceded) = (Vec::new(), Vec::new());
    for &competence in competences {
        watch.check()?;
        let player = ReferencePlayer {
            competence,
            kappa: Kappa::ONE,
            weighting: Weighting::risking_value(),
        };
        let (mut kept, mut lost) = (0.0, 0.0);
        for (m, probability) in moves.iter_mut().zip(player.probabilities(&turn)) {
            m.probabilities.push(probability);
            if m.keeps_value {
                kept += probability;
                lost += probability * f64::from(m.ceded.unwrap_or(0));
            }
        }
        keeps.push(kept);
        ceded.push((!drawn && kept > 0.0).then(|| lost / kept));
    }
    Ok(Answer {
        endgame: endgame.to_string(),
        metric: request.metric,
        competences: competences.clone(),
        keeps,
        ceded,
        moves,
    })
}
