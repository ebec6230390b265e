//! What players of every competence do in a position: how likely each move is, and what that costs.
//!
//! The players are R_c that may lose value: what tells a tricky position from a simple one is how often they do.

use errare_choice::Kappa;
use errare_core::{Material, Metric, Watch, parse_position};
use errare_endgame::{Oracle, ReferencePlayer, Weighting};
use serde::{Deserialize, Serialize};
use shakmaty::{Position, san::SanPlus, uci::UciMove};

use crate::{Error, Service};

/// The greatest number of competences in a request.
const MOST_COMPETENCES: usize = 501;

/// A position, and whom to ask.
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

/// What they do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChoicesAnswer))]
pub struct Answer {
    /// The endgame.
    pub endgame: String,
    /// The metric in which depth counts.
    pub metric: Metric,
    /// The competences c, as asked.
    pub competences: Vec<f64>,
    /// The chance that the move keeps the value (win or draw), by competence.
    pub keeps: Vec<f64>,
    /// The winner's moves that a move which keeps the value cedes on average, by competence; none in a draw.
    pub ceded: Vec<Option<f64>>,
    /// Every legal move, in the order of their names.
    pub moves: Vec<MoveChances>,
}

/// How likely a move is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveChances {
    /// The move as UCI writes it.
    pub uci: String,
    /// The move as people write it.
    pub san: String,
    /// Whether it keeps the value.
    pub keeps_value: bool,
    /// The winner's moves that it cedes; none if it changes the value.
    pub ceded: Option<u16>,
    /// Its probability, by competence.
    pub probabilities: Vec<f64>,
}

/// Asks them.
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
