//! Advice against a fallible opponent.

use std::io::{self, Write};

use errare_service::advise::{AdviseOpponent, Answer, HuntVerdict, Hunted};

use super::{Text, table};

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let AdviseOpponent {
            skill,
            sd,
            moves_seen,
            anchor,
            ..
        } = &self.opponent;
        let opponent = opponent_name(self);
        match moves_seen {
            0 => write!(out, "{opponent} is modelled as R_c with c = {skill}")?,
            n => {
                let c = skill.get();
                write!(
                    out,
                    "{opponent} appears to have c = {c:.2} ± {sd:.2}, by {n} moves"
                )?;
            }
        }
        writeln!(out, "\n{}\n", reason(self))?;
        let percent = |chance: f64| format!("{:.1} %", 100.0 * chance);
        let rows = self.moves.iter().map(|m| {
            vec![
                m.san.clone(),
                (if m.optimal { "yes" } else { "" }).to_owned(),
                match m.expected_depth {
                    Some(depth) if m.keeps_value => format!("{depth:.3}"),
                    _ => "-".to_owned(),
                },
                percent(m.win),
                percent(m.draw),
                percent(m.loss),
            ]
        });
        let head = ["move", "optimal", "expected depth", "win", "draw", "loss"];
        table(out, head, 2, rows)?;
        if let Some(anchor) = anchor {
            writeln!(out, "\nc = {}: {}", anchor.competence, anchor.text)?;
        }
        match &self.hunter {
            Some(hunted) => write_hunted(out, hunted, self.value),
            None => Ok(()),
        }
    }
}

/// The opponent's name, or else the colour that is not to move.
fn opponent_name(answer: &Answer) -> &str {
    match &answer.opponent.name {
        Some(name) => name,
        None if answer.fen.contains(" w ") => "Black",
        None => "White",
    }
}

fn write_hunted(out: &mut dyn Write, hunted: &Hunted, value: i32) -> io::Result<()> {
    // A learned competence to the same precision as above.
    let c = (100.0 * hunted.competence).round() / 100.0;
    if let Some(length) = &hunted.length {
        writeln!(
            out,
            "\nThe hunter plays {} against c = {c}: {:.2} moves are expected, {}",
            length.san,
            length.worth,
            gains(length, 1.0, 2)
        )?;
    }
    if let Some(chance) = &hunted.chance {
        let what = match value {
            0 => "that the opponent goes wrong",
            _ => "that the opponent wins in time",
        };
        writeln!(
            out,
            "For the chance {what} it plays {}: {:.3} %, {}",
            chance.san,
            100.0 * chance.worth,
            gains(chance, 100.0, 3)
        )?;
    }
    Ok(())
}

/// The gain of the hunter's move over others, in this unit and with this many digits.
fn gains(verdict: &HuntVerdict, unit: f64, digits: usize) -> String {
    let over = |gain: f64, other: &str| {
        let shown = format!("{:.digits$}", unit * gain);
        match shown.trim_matches(['-', '0', '.']) {
            "" => format!("as good as {other}"),
            _ => format!("{shown} better than {other}"),
        }
    };
    let predator = over(verdict.over_predator, "the Predator's move");
    let optimal = over(verdict.over_optimal, "the best optimal one");
    format!("{predator}, {optimal}")
}

/// Why the best move is best.
fn reason(answer: &Answer) -> String {
    let Some(best) = answer.moves.first() else {
        return String::new();
    };
    let second = answer.moves.get(1).filter(|m| m.keeps_value);
    match (answer.value, best.expected_depth, second) {
        (0, ..) => format!(
            "{}: the opponent goes wrong {:.1} % of the time, which wins",
            best.san,
            100.0 * best.win
        ),
        (_, Some(depth), Some(next)) => {
            let [best_depth, next_depth] =
                [depth, next.expected_depth.unwrap_or(0.0)].map(|depth| format!("{depth:.3}"));
            let than = match best_depth == next_depth {
                true => "as".to_owned(),
                false => format!("against {next_depth}"),
            };
            format!(
                "{}: a depth of {best_depth} is expected after the reply, {than} after {}",
                best.san, next.san
            )
        }
        _ => format!("{}: nothing else keeps the value", best.san),
    }
}
