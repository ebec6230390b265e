//! The view of a session.

use errare_core::{Colour, Metric, Outcome, Plies};
use errare_endgame::Oracle;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use super::{
    competence::{self, ApparentCompetence},
    judgement::moves,
    play::standing_of,
    rules::{Claim, FIFTY_MOVES},
    session::{Board, Session, mover},
    standing::{GameValue, Standing},
};
use crate::Error;

/// The view of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SessionView {
    /// The position on the board.
    pub fen: String,
    /// Is it the person's turn?
    pub your_turn: bool,
    /// The person's standing.
    pub standing: Standing,
    /// The standing in words: "you win in 22 moves (dtc)".
    pub standing_words: String,
    /// The 50-move clock.
    pub clock: Clock,
    /// The grounds on which the person may claim a draw now.
    pub claim: Option<Claim>,
    /// The depth curve: the start, and then after each half-move.
    pub curve: Vec<Standing>,
    /// The person's competence inferred from the moves.
    pub competence: ApparentCompetence,
    /// The number of the winner's moves that the person's slips have ceded, including those taken back.
    pub ceded: u32,
    /// How often the person has changed the value, counted likewise.
    pub value_losses: usize,
}

/// The 50-move clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Clock {
    /// Plies since the last capture or pawn move.
    pub plies: u32,
    /// Full moves until a draw can be claimed.
    pub moves_left: u32,
    /// Can the win come before that? None if there is no win or the metric does not say.
    pub in_time: Option<bool>,
    /// A remark on the clock, if there is one.
    pub words: Option<String>,
}

pub(super) fn view_of(
    oracle: &Oracle,
    session: &Session,
    board: &Board,
) -> Result<SessionView, Error> {
    let (setup, position) = (&session.setup, board.position());
    let standing = standing_of(oracle, position, setup.side)?;
    let start = standing_of(oracle, &board.positions[0], setup.side)?;
    let later = session.moves.iter().map(|played| played.standing);
    Ok(SessionView {
        fen: session.fen().to_owned(),
        your_turn: session.end.is_none() && mover(position) == setup.side,
        standing,
        standing_words: standing_words(standing, setup.metric),
        clock: clock(oracle.outcome(position)?, position, setup.metric),
        claim: session.claim(board),
        curve: std::iter::once(start).chain(later).collect(),
        competence: competence::apparent(oracle, setup.kappa()?, &session.attempts)?,
        ceded: session.ceded(),
        value_losses: session
            .slips()
            .filter(|slip| slip.judgement.loses_value())
            .count(),
    })
}

/// "You win in 22 moves (to mate, a capture or a promotion)", "You lose in 8 moves (to mate)".
pub(super) fn standing_words(standing: Standing, metric: Metric) -> String {
    let depth = standing.moves.unwrap_or(0);
    let within = moves(depth);
    let counted = match metric {
        Metric::Dtm => format!("in {within} (to mate)"),
        Metric::Dtc => format!("in {within} (to mate, a capture or a promotion)"),
        Metric::Dtz => format!("in {within} (to mate, a capture or a pawn move)"),
        Metric::Dtr => format!("under a {depth}-move rule"),
    };
    match standing.value {
        GameValue::Win => format!("You win {counted}"),
        GameValue::Draw => "The position is a draw".to_owned(),
        GameValue::Loss => format!("You lose {counted}"),
    }
}

fn clock(outcome: Outcome, position: &Chess, metric: Metric) -> Clock {
    let plies = position.halfmoves();
    let left = FIFTY_MOVES.saturating_sub(plies);
    let in_time = in_time(outcome, position, metric, left);
    let moves_left = left.div_ceil(2);
    let words = match in_time {
        _ if plies >= FIFTY_MOVES => Some(
            "50 moves have passed without a capture or a pawn move: a draw can be claimed"
                .to_owned(),
        ),
        Some(false) if plies == 0 => Some(
            "Best defence lasts longer than the 50-move rule allows, and gets a draw".to_owned(),
        ),
        Some(false) => Some(format!(
            "The 50-move rule leaves only {}: best defence gets a draw",
            moves(moves_left as u16)
        )),
        _ if plies >= FIFTY_MOVES / 2 => Some(format!(
            "50-move rule: {} left without a capture or a pawn move",
            moves(moves_left as u16)
        )),
        _ => None,
    };
    Clock {
        plies,
        moves_left,
        in_time,
        words,
    }
}

/// Does a win come before the 50-move rule? Without pawns DTC and DTZ are the same; with them the depth in
/// DTC or DTM is only a bound on what the clock counts.
fn in_time(outcome: Outcome, position: &Chess, metric: Metric, left: u32) -> Option<bool> {
    let Plies(needed) = outcome.plies()?;
    let fits = u32::from(needed) <= left;
    let exact = match metric {
        Metric::Dtz => true,
        Metric::Dtc => position.board().pawns().is_empty(),
        Metric::Dtm => false,
        Metric::Dtr => left == FIFTY_MOVES,
    };
    (fits && metric != Metric::Dtr || exact).then_some(fits)
}

/// The name of a side.
pub(super) fn side_name(side: Colour) -> &'static str {
    match side {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}
