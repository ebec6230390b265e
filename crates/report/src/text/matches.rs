//! The result of a match.

use std::io::{self, Write};

use errare_service::{
    matches::{Answer, Points, Results},
    spread::Spread,
};

use super::{Text, or_dash, table};

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
        let Points {
            wins,
            draws: drawn,
            losses,
        } = self.first;
        let games = self.games;
        if (wins, losses) == (white, black) {
            writeln!(out, "{games} games, {first} as White, {second} as Black\n")?;
        } else {
            // Colours were swapped: what White and Black won does not say who won.
            writeln!(out, "{games} games of {first} with {second}\n")?;
            writeln!(out, "{first}: won {wins}, drew {drawn}, lost {losses}")?;
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
        let sides = [
            ("apparent c of White", &self.apparent_competence),
            ("apparent c of Black", &self.apparent_competence_black),
        ];
        let mut notes = Vec::new();
        for (name, apparent) in sides {
            match apparent {
                Some(apparent) => {
                    rows.push(row(name, &apparent.spread));
                    if apparent.faultless > 0 {
                        notes.push(format!(
                            "{name}: without {} faultless games",
                            apparent.faultless
                        ));
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
