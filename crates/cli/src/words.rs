//! Outcomes in words.

use std::error::Error;

use errare_core::{Metric, Outcome};
use errare_tables::{Assessment, Category, Depths};
use indicatif::HumanCount;
use shakmaty::Color;

/// Who wins and in how many moves: "White wins: mate in 35 (69 plies), conversion in 31 (61 plies), ...".
pub(crate) fn outcome(position: &Assessment, turn: Color) -> String {
    let winner = match position.depths.dtz().sign() {
        0 => return drawn(position).to_owned(),
        1 => side(turn),
        _ => side(!turn),
    };
    if position.checkmate {
        return format!("Checkmate: {winner} wins");
    }
    let distances: Vec<String> = Metric::ALL
        .into_iter()
        .filter_map(|metric| distance(&position.depths, metric))
        .collect();
    format!("{winner} wins: {}", distances.join(", "))
}

/// The name of a side.
pub(crate) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn drawn(position: &Assessment) -> &'static str {
    if position.stalemate {
        "Stalemate"
    } else if position.insufficient_material {
        "Draw: no mate is possible"
    } else {
        "Draw"
    }
}

/// "mate in 35 (69 plies)", the former in winner's moves; none if the depth is not known.
fn distance(depths: &Depths, metric: Metric) -> Option<String> {
    let outcome: Outcome = depths.get(metric)?;
    let (moves, plies) = (outcome.moves_in(metric)?, outcome.plies()?);
    let what = match metric {
        Metric::Dtm => "mate in",
        Metric::Dtc => "conversion in",
        Metric::Dtz => "zeroing move in",
        Metric::Dtr => "DTR",
    };
    let plies = counted(plies.0.into(), "ply", "plies");
    Some(format!("{what} {moves} ({plies})"))
}

/// "1 ply", "2 plies".
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        HumanCount(count),
        if count == 1 { one } else { many }
    )
}

/// What the 50-move rule makes of a win, given the halfmove clock; nothing if there is none or it is
/// on the board.
pub(crate) fn fifty_moves(position: &Assessment, clock: u32) -> Option<String> {
    let says = match position.category {
        Category::Draw => return None,
        Category::Loss if position.checkmate => return None,
        Category::Win | Category::Loss => "the win stands",
        Category::CursedWin | Category::BlessedLoss => "the win takes too long, the game is drawn",
        Category::MaybeWin | Category::MaybeLoss => {
            "the win may take a ply too long, which rounded Syzygy depths leave open"
        }
    };
    Some(format!(
        "50-move rule, clock at {clock} of 100 plies: {says}"
    ))
}

/// An error with what caused it.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
