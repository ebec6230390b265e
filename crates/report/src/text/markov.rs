//! A summary of a Markov matrix by state; the whole matrix is for programs.

use std::io::{self, Write};

use errare_core::grouped;
use errare_service::markov::Answer;

use super::{Text, table};

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Answer {
            endgame,
            model,
            skill,
            side,
            value,
            ..
        } = self;
        writeln!(
            out,
            "{endgame} in {}, R_{skill} as {side}, kappa {}: {}\n",
            model.metric,
            model.kappa,
            value.words()
        )?;
        let rows = self.states.iter().enumerate();
        let rows = rows.filter(|(from, _)| self.positions[*from] > 0);
        let rows = rows.map(|(from, state)| {
            let row = &self.matrix[from];
            let percent = |part: &[f64]| format!("{:.2} %", 100.0 * part.iter().sum::<f64>());
            let likely = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]));
            vec![
                state.to_string(),
                grouped(self.positions[from]),
                percent(&row[..from]),
                percent(&row[from..=from]),
                percent(&row[from + 1..]),
                likely.map_or_else(String::new, |to| self.states[to].to_string()),
            ]
        });
        let head = [
            "from",
            "positions",
            "better",
            "same",
            "worse",
            "most likely to",
        ];
        table(out, head, 1, rows)?;
        let positions: u64 = self.positions.iter().sum();
        writeln!(
            out,
            "\n{} states, {} positions of the full board; --csv and --json have the matrix.",
            self.states.len(),
            grouped(positions)
        )
    }
}
