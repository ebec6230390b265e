//! A seat's messages to people: its choice, or why it could not choose.

use errare_core::with_causes;
use errare_engine::Score;
use errare_players::{Basis, Ceded, Chosen, MoveValues, PlayError};
use shakmaty::{Chess, san::San};

use super::RULES_ALONE;

/// Why the player itself did not choose.
pub(super) fn excuse(error: &PlayError) -> String {
    match error {
        PlayError::Stopped(_) => format!("out of time; {RULES_ALONE}"),
        PlayError::GameOver => "nobody can mate any more; any move will do".to_owned(),
        PlayError::BeyondTables { .. } => {
            format!(
                "no tables know this position, and there is no engine to play by; {RULES_ALONE}"
            )
        }
        PlayError::MissingTable {
            endgame, metric, ..
        } => format!("no {metric} table of {endgame} and no engine; {RULES_ALONE}"),
        error => format!("{}; {RULES_ALONE}", with_causes(error)),
    }
}

/// The number of moves to being mated after a move from an engine's list, if another move avoids mate.
fn allowed_mate(chosen: &Chosen) -> Option<i32> {
    let Some(MoveValues::Engine(list)) = &chosen.judgement else {
        return None;
    };
    let (_, best) = list.moves().first()?;
    match list.moves()[list.find(chosen.r#move)?].1 {
        Score::Mate(moves @ ..0) if !matches!(best, Score::Mate(..0)) => Some(-moves),
        _ => None,
    }
}

/// A description of a move: its probability, how forced it was, and what it gave away.
pub(super) fn describe(position: &Chess, chosen: &Chosen) -> String {
    let san = San::from_move(position, chosen.r#move);
    let mark = chosen.mark.map_or("", |mark| mark.symbol());
    let mut words = format!("{san}{mark}");
    if let Some(probability) = chosen.probability {
        words += &format!(" probability {probability:.3}");
    }
    match chosen.ceded {
        Some(Ceded::Moves(moves)) => {
            words += &format!(" ceded {moves}");
            // A player that did not choose by tables still gave away moves according to the tables.
            if let (Some(MoveValues::Tables { metric, .. }), Basis::Engine { .. } | Basis::Rules) =
                (&chosen.judgement, chosen.source)
            {
                words += &format!(" ({metric})");
            }
        }
        Some(Ceded::Result) => words += " ceded the result",
        Some(Ceded::Pawns(pawns)) => match allowed_mate(chosen) {
            Some(moves) => words += &format!(" allows mate in {moves}"),
            None => words += &format!(" ceded {pawns:.2} pawns"),
        },
        None => {}
    }
    words += &match chosen.source {
        Basis::Tables(metric) => format!(" by tables ({metric})"),
        Basis::Engine { depth } => format!(" by the engine's list at depth {depth}"),
        Basis::Rules => " by the rules alone".to_owned(),
    };
    words
}
