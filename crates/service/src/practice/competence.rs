//! The person's apparent competence.
//!
//! The model is R_c that may lose value: every legal move counts, a draw weighs like a win of depth n₁ and a
//! loss more (Haworth and Andrist 2004, section 2), so that throwing a win away counts as the greatest error
//! of all. Only the first try at each turn counts, and only if no hint was given.

use errare_choice::{Estimate, Kappa, Likelihood, Posterior, PriorShape};
use errare_endgame::{Oracle, Weighting};
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::session::Attempt;
use crate::{Error, anchor};

/// The competences considered.
const GRID: &str = "0(0.05)50";
/// The significance level at which a competence is rejected.
const DOUBT: f64 = 0.05;
/// A smaller lower bound of c says nothing, and would be printed as 0.0.
const LEAST_SHOWN: f64 = 0.05;

/// The competence c inferred from the moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ApparentCompetence {
    /// The number of moves that count: first tries without a hint.
    pub moves: usize,
    /// The number of them with a meaningful choice: not all moves are equally good.
    pub choices: usize,
    /// The estimate, if there is one; `words` gives the reason if not.
    pub estimate: Option<Estimate>,
    /// If no errors were seen: a player below this competence would have played so well less than one time in
    /// twenty.
    pub at_least: Option<f64>,
    /// The result in a sentence.
    pub words: String,
}

/// The competence from the attempts that count.
pub(super) fn apparent(
    oracle: &Oracle,
    kappa: Kappa,
    attempts: &[Attempt],
) -> Result<ApparentCompetence, Error> {
    let grid = GRID.parse().expect("this is a grid");
    let mut posterior = Posterior::new(grid, &PriorShape::Uniform);
    let mut likelihood = Likelihood::default();
    let (mut moves, mut choices, mut faultless) = (0, 0, true);
    for attempt in attempts.iter().filter(|attempt| attempt.counts) {
        let position = attempt.position()?;
        let turn = oracle.turn(&position)?;
        let chosen = attempt
            .uci
            .parse()
            .ok()
            .and_then(|uci: UciMove| uci.to_move(&position).ok())
            .and_then(|m| turn.find(m))
            .ok_or_else(|| {
                Error::bad_request(format!("{} is not legal in {}", attempt.uci, attempt.fen))
            })?;
        let chosen = &turn.choices()[chosen];
        let profile = Weighting::risking_value().profile(&turn, kappa);
        let aversion = turn.preference(kappa).aversion(chosen.state);
        moves += 1;
        choices += usize::from(profile.is_informative());
        faultless &= turn.is_optimal(chosen);
        posterior.observe(&profile, aversion);
        likelihood.observe(&profile, aversion);
    }
    let estimate = match faultless {
        true => None,
        false => posterior.summary(),
    };
    let at_least =
        (faultless && choices > 0).then(|| least_credible(&likelihood, grid.points().last()));
    let words = words(moves, choices, estimate, at_least, attempts.is_empty());
    Ok(ApparentCompetence {
        moves,
        choices,
        estimate,
        at_least,
        words,
    })
}

/// The c at which the likelihood of faultless play, which rises with c, reaches 1/20.
fn least_credible(likelihood: &Likelihood, most: Option<f64>) -> f64 {
    let (mut low, mut high) = (0.0, most.unwrap_or(0.0));
    if likelihood.log_likelihood(low) >= DOUBT.ln() {
        return low;
    }
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        match likelihood.log_likelihood(middle) < DOUBT.ln() {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

fn words(
    moves: usize,
    choices: usize,
    estimate: Option<Estimate>,
    at_least: Option<f64>,
    nothing_tried: bool,
) -> String {
    let counted = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    match (estimate, at_least) {
        (Some(estimate), _) => format!(
            "Your apparent competence is c = {:.1} ({:.1}-{:.1}), from {}{}.",
            estimate.mean,
            estimate.low,
            estimate.high,
            counted(choices, "choice"),
            match anchor::is_rough(&estimate) {
                true => ": too few to say much",
                false => "",
            },
        ),
        (None, Some(least)) if least < LEAST_SHOWN => format!(
            "No error seen in {}, which even a random mover might manage: too few for a competence.",
            counted(choices, "choice"),
        ),
        (None, Some(least)) => format!(
            "No error seen in {}, so c has no upper bound; below c = {least:.1} such play would be rare.",
            counted(choices, "choice"),
        ),
        (None, None) if nothing_tried => {
            "No move of yours yet, so no competence is given.".to_owned()
        }
        (None, None) if moves == 0 => {
            "No competence is given: moves after a hint and second tries do not count.".to_owned()
        }
        (None, None) if choices == 0 => format!(
            "No competence is given: in {} of yours there was nothing to choose.",
            counted(moves, "move"),
        ),
        (None, None) => "No competence up to 50 explains these moves.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_says_nothing_is_not_given() {
        let said = |least| words(3, 2, None, Some(least), false);
        assert!(
            said(0.0).contains("too few for a competence"),
            "{}",
            said(0.0)
        );
        assert!(said(4.0).contains("below c = 4.0"), "{}", said(4.0));
    }
}
