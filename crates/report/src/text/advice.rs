//! Advice against a fallible opponent.

use std::io::{self, Write};

use errare_service::advise::{AdviseOpponent, Answer, HuntVerdict, Hunted};

use super::{Text, table};
use crate::words::counted;

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
            Some(hunted) => write_hunted(out, self, hunted),
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

fn write_hunted(out: &mut dyn Write, answer: &Answer, hunted: &Hunted) -> io::Result<()> {
    // A learned competence to the same precision as above.
    let c = (100.0 * hunted.competence).round() / 100.0;
    if let Some(length) = &hunted.length {
        // As loser it wants more moves, as winner fewer.
        let sign = f64::from(answer.value);
        writeln!(
            out,
            "\nThe hunter plays {} against c = {c}: {:.2} moves are expected{}",
            length.san,
            length.worth,
            others(answer, length, sign, &|moves| format!("{moves:.2}"))
        )?;
    }
    let Some(chance) = &hunted.chance else {
        return Ok(());
    };
    let left = chance.moves_left.unwrap_or_default().into();
    let (san, left) = (&chance.san, counted(left, "move", "moves"));
    match answer.value {
        0 => {
            let percent = |chance: f64| format!("with {:.1} %", 100.0 * chance);
            writeln!(
                out,
                "\nThe hunter plays {san}: within {left} the opponent goes wrong {}{}",
                percent(chance.worth),
                others(answer, chance, -1.0, &percent)
            )
        }
        _ => {
            let percent = |chance: f64| format!("with {:.3} %", 100.0 * chance);
            writeln!(
                out,
                "Within the {left} left {} wins {} after {san}{}",
                opponent_name(answer),
                percent(chance.worth),
                others(answer, chance, 1.0, &percent)
            )
        }
    }
}

/// What other moves are worth, where the best is worth less (1) or more (-1).
fn others(answer: &Answer, best: &HuntVerdict, sign: f64, told: &dyn Fn(f64) -> String) -> String {
    let Some(predator) = answer.moves.first() else {
        return String::new();
    };
    if predator.uci == best.best {
        return "; the same move as the Predator's".to_owned();
    }
    let worth = |gain: f64| told(best.worth + sign * gain);
    let is_optimal = answer.moves.iter().any(|m| m.uci == best.best && m.optimal);
    let optimal = match is_optimal || predator.optimal {
        true => String::new(),
        false => format!(", {} after the best optimal move", worth(best.over_optimal)),
    };
    let predators = worth(best.over_predator);
    format!(
        ", {predators} after the Predator's {}{optimal}",
        predator.san
    )
}

/// Why the best move is best.
fn reason(answer: &Answer) -> String {
    let Some(best) = answer.moves.first() else {
        return String::new();
    };
    let second = answer.moves.get(1).filter(|m| m.keeps_value);
    match (answer.value, best.expected_depth, second) {
        (0, ..) => format!(
            "{}: the opponent's next move throws the draw away in {:.1} % of cases",
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
