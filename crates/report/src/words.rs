//! Words and numbers in readable form.

use std::time::Duration;

use errare_core::{Army, Material, Metric, grouped};
use errare_service::probe::PositionVerdict;
use errare_tables::Category;
use shakmaty::{Color, Role};

/// The winner and the number of moves: "White wins: mate in 35 (69 plies), conversion in 31 (61 plies),
/// ...".
pub fn outcome(position: &PositionVerdict, turn: Color) -> String {
    let winner = match winner(position) {
        0 => return drawn(position).to_owned(),
        1 => side(turn),
        _ => side(!turn),
    };
    if position.checkmate {
        return format!("Checkmate: {winner} wins");
    }
    let distances: Vec<String> = Metric::ALL
        .into_iter()
        .filter_map(|metric| distance(position, metric))
        .collect();
    format!("{winner} wins: {}", distances.join(", "))
}

/// 1 if the side to move wins, -1 if it loses, ignoring the 50-move rule.
fn winner(position: &PositionVerdict) -> i32 {
    match position.checkmate {
        true => -1,
        false => position.dtz.unwrap_or(0).signum(),
    }
}

/// The name of a side.
pub fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

fn drawn(position: &PositionVerdict) -> &'static str {
    if position.stalemate {
        "Stalemate"
    } else if position.insufficient_material {
        "Draw: no mate is possible"
    } else {
        "Draw"
    }
}

/// "mate in 35 (69 plies)", in moves of the winner and plies; `None` if the depth is unknown.
fn distance(position: &PositionVerdict, metric: Metric) -> Option<String> {
    let (what, plies) = match metric {
        Metric::Dtm => ("mate in", position.dtm),
        Metric::Dtc => ("conversion in", position.dtc),
        Metric::Dtz => ("zeroing move in", position.dtz),
        Metric::Dtr => ("DTR", position.dtr),
    };
    let moves = position.moves_to.get(metric)?;
    let plies = counted(plies?.unsigned_abs().into(), "ply", "plies");
    Some(format!("{what} {moves} ({plies})"))
}

/// An endgame as chess players call it.
///
/// ```
/// use errare_report::words::endgame_words;
///
/// for (name, words) in [
///     ("KRPKR", "rook and pawn against rook"),
///     ("KBBKN", "two bishops against knight"),
///     ("KBNK", "bishop and knight against king"),
/// ] {
///     assert_eq!(endgame_words(name.parse()?), words);
/// }
/// # Ok::<(), errare_core::ParseMaterialError>(())
/// ```
pub fn endgame_words(endgame: Material) -> String {
    let [white, black] = Color::ALL.map(|color| army_words(endgame.army(color)));
    format!("{white} against {black}")
}

/// "rook and two pawns"; the king goes without saying unless it is alone.
fn army_words(army: Army) -> String {
    let name = |role| match role {
        Role::Queen => "queen",
        Role::Rook => "rook",
        Role::Bishop => "bishop",
        Role::Knight => "knight",
        Role::Pawn => "pawn",
        Role::King => "king",
    };
    let men: Vec<String> = Army::ROLES
        .into_iter()
        .filter_map(|role| match army.count(role) {
            0 => None,
            1 => Some(name(role).to_owned()),
            2 => Some(format!("two {}s", name(role))),
            3 => Some(format!("three {}s", name(role))),
            many => Some(format!("{many} {}s", name(role))),
        })
        .collect();
    match &men[..] {
        [] => "king".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// "1 ply", "2 plies".
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// "24 seconds", "3 minutes", "2 hours": in the greatest unit of which there is more than one and a half.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64().round();
    let (size, one, many) = match seconds {
        ..90.0 => (1.0, "second", "seconds"),
        ..5_400.0 => (60.0, "minute", "minutes"),
        ..129_600.0 => (3_600.0, "hour", "hours"),
        _ => (86_400.0, "day", "days"),
    };
    counted((seconds / size).round() as u64, one, many)
}

/// "512 B", "1.50 MiB".
pub fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut number, mut unit) = (bytes as f64, 0);
    while number >= 1024.0 && unit < 4 {
        number /= 1024.0;
        unit += 1;
    }
    format!("{number:.2} {}B", ["", "Ki", "Mi", "Gi", "Ti"][unit])
}

/// The effect of the 50-move rule on a win, given the halfmove clock; `None` if there is no win or it is
/// already mate.
pub fn fifty_moves(position: &PositionVerdict, clock: u32) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_given_in_fitting_units() {
        let words = |seconds| time(Duration::from_secs(seconds));
        assert_eq!(words(1), "1 second");
        assert_eq!(words(89), "89 seconds");
        assert_eq!(words(90), "2 minutes");
        assert_eq!(words(5_400), "2 hours");
        assert_eq!(words(300_000), "3 days");
    }
}
