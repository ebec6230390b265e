//! The result of a match.

use std::io::{self, Write};

use errare_service::{
    matches::{Answer, Points, Results},
    spread::Spread,
};

use super::{Text, or_dash, table};
use crate::words::counted;

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let [first, second] = &self.players;
        let Results {
            white,
            draws,
            black,
            fifty_moves,
            repetition,
            unfinished,
        } = self.results;
        let games = counted(self.games, "game", "games");
        if self.swap {
            let Points {
                wins,
                draws,
                losses,
            } = self.first;
            writeln!(
                out,
                "{games} of {first} with {second}; colours are swapped after each\n"
            )?;
            // Wins by White and Black do not say which player won.
            writeln!(out, "{first}: won {wins}, drew {draws}, lost {losses}")?;
        } else {
            writeln!(out, "{games}, {first} as White, {second} as Black\n")?;
        }
        let results = [
            ("White won", white),
            ("draws", draws),
            ("Black won", black),
            ("50-move rule", fifty_moves),
            ("repetition", repetition),
            ("unfinished", unfinished),
        ];
        for (name, count) in results.into_iter().filter(|(_, count)| *count > 0) {
            writeln!(out, "{name:14} {count}")?;
        }
        let row = |name: &str, spread: &Spread| {
            let numbers = [
                Some(spread.mean),
                spread.standard_error,
                spread.sd,
                Some(spread.min),
                Some(spread.max),
            ];
            let numbers = numbers.map(|number| or_dash(number, |n| format!("{n:.2}")));
            [name.to_owned()].into_iter().chain(numbers).collect()
        };
        let mut rows: Vec<Vec<String>> = vec![row("moves of White", &self.length)];
        let names = match self.swap {
            false => ["White", "Black"],
            true => [first.as_str(), second.as_str()],
        };
        let [first, second] = names.map(|name| format!("apparent c of {name}"));
        let players = [
            (&first, &self.apparent_competence),
            (&second, &self.apparent_competence_black),
        ];
        let mut notes = Vec::new();
        for (name, apparent) in players {
            match apparent {
                Some(apparent) => {
                    rows.push(row(name, &apparent.spread));
                    if apparent.faultless > 0 {
                        let games =
                            counted(apparent.faultless, "faultless game", "faultless games");
                        notes.push(format!("{name}: without {games}"));
                    }
                }
                None if self.analysed => notes.push(format!("{name}: no error seen")),
                None => {}
            }
        }
        writeln!(out)?;
        let head = ["", "mean", "error of it", "deviation", "least", "most"];
        table(out, head, 1, rows)?;
        for note in notes {
            writeln!(out, "{note}")?;
        }
        Ok(())
    }

    fn aside(&self) -> Option<String> {
        Some(format!("seed {}", self.seed))
    }

    fn remarks(&self) -> Vec<String> {
        self.notes.clone()
    }
}
