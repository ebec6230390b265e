//! Assembles the lines of a search into an evaluation.
//!
//! Lines are stored by depth and move, and the last one wins as long as its depth is the greatest seen
//! so far. In an iteration that takes more than three seconds, Stockfish repeats its lines, each time
//! in another order, until the iteration is finished. Lines repeated from the previous iteration have
//! a meaningless order and known scores, so they are ignored. The result thus does not depend on the
//! speed of the machine.

use shakmaty::uci::UciMove;

use crate::{EngineError, Evaluation, Score, line::Exact};

/// The lines of one search.
#[derive(Debug)]
pub struct Collector<'a> {
    legal: &'a [UciMove],
    limit: u8,
    /// By depth, from 1, and by legal move: the rank and the score.
    lines: Vec<Vec<Option<(u16, Score)>>>,
}

impl<'a> Collector<'a> {
    /// An empty collector for a position with these legal moves, to be searched to this depth.
    #[must_use]
    pub fn new(legal: &'a [UciMove], limit: u8) -> Collector<'a> {
        Collector {
            legal,
            limit,
            lines: Vec::with_capacity(limit.into()),
        }
    }

    /// Stores a line.
    pub fn hear(&mut self, line: &Exact) -> Result<(), EngineError> {
        let Some(index) = self.legal.iter().position(|legal| *legal == line.first) else {
            return Err(EngineError::IllegalMove(line.first.to_string()));
        };
        if line.depth == 0 || line.depth > self.limit {
            return Ok(());
        }
        let deepest = self.lines.len();
        let depth = usize::from(line.depth);
        if depth > deepest {
            self.lines.resize(depth, vec![None; self.legal.len()]);
        }
        let filed = &mut self.lines[depth - 1][index];
        if depth >= deepest || filed.is_none() {
            *filed = Some((line.rank, line.score));
        }
        Ok(())
    }

    /// Completes the evaluation, once the engine has named its best move.
    pub fn finish(self, best: Option<UciMove>) -> Result<Evaluation, EngineError> {
        let (limit, missing) = (self.limit, self.missing(self.deepest()));
        let evaluation = self.finish_early(best)?;
        match evaluation.at(limit) {
            Some(_) => Ok(evaluation),
            None => Err(missing),
        }
    }

    /// The greatest depth at which all moves have scores; 0 if there is none.
    fn deepest(&self) -> usize {
        let whole = |lines: &Vec<Option<_>>| lines.iter().all(Option::is_some);
        let deepest = self.lines.iter().rposition(whole);
        deepest.map_or(0, |index| index + 1)
    }

    /// The evaluation as deep as the engine got, once it has named its best move.
    pub(crate) fn finish_early(mut self, best: Option<UciMove>) -> Result<Evaluation, EngineError> {
        match best {
            Some(best) if self.legal.contains(&best) => {}
            Some(best) => return Err(EngineError::IllegalMove(best.to_string())),
            None => return Err(EngineError::NoBestMove),
        }
        let deepest = self.deepest();
        let missing = self.missing(deepest);
        self.lines.truncate(deepest);
        let iterations: Vec<_> = (1..)
            .zip(&self.lines)
            .map(|(depth, lines)| (depth, self.ranking(lines)))
            .filter(|(_, ranking)| !ranking.is_empty())
            .collect();
        Evaluation::new(&iterations).ok_or(missing)
    }

    fn ranking(&self, lines: &[Option<(u16, Score)>]) -> Vec<(UciMove, Score)> {
        let heard = self.legal.iter().zip(lines);
        let mut ranked: Vec<_> = heard
            .filter_map(|(played, line)| line.map(|(rank, score)| (rank, *played, score)))
            .collect();
        ranked.sort_by_key(|(rank, ..)| *rank);
        ranked
            .into_iter()
            .map(|(_, played, score)| (played, score))
            .collect()
    }

    fn missing(&self, complete: usize) -> EngineError {
        let last = self.lines.get(usize::from(self.limit) - 1);
        EngineError::MissingLines {
            limit: self.limit,
            heard: last.map_or(0, |lines| lines.iter().flatten().count()),
            legal: self.legal.len(),
            complete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(text: &str) -> UciMove {
        text.parse().expect("a move")
    }

    /// The evaluation that results from lines given as "depth rank score move".
    fn collect(limit: u8, lines: &[&str]) -> Result<Evaluation, EngineError> {
        let legal = ["a1a2", "a1a3", "a1a4"].map(uci);
        let mut collector = Collector::new(&legal, limit);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            collector.hear(&Exact {
                depth: words[0].parse().expect("a depth"),
                rank: words[1].parse().expect("a rank"),
                score: words[2].parse().expect("a score"),
                first: uci(words[3]),
            })?;
        }
        collector.finish(Some(legal[0]))
    }

    const PLAIN: [&str; 6] = [
        "1 1 10 a1a2",
        "1 2 5 a1a3",
        "1 3 0 a1a4",
        "2 1 9 a1a3",
        "2 2 8 a1a4",
        "2 3 7 a1a2",
    ];

    #[test]
    fn what_is_repeated_changes_nothing() {
        let plain = collect(2, &PLAIN).expect("whole");
        let moves: Vec<String> = plain.moves().iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["a1a3", "a1a4", "a1a2"]);
        assert_eq!(plain.at(1).expect("depth 1").ranking[0].index, 2);
        let repeated = [
            "1 1 10 a1a2",
            "1 2 5 a1a3",
            "1 3 0 a1a4",
            "2 1 8 a1a4", // after three seconds: one move of depth 2 is finished
            "1 2 10 a1a2",
            "1 3 5 a1a3",
            "2 1 9 a1a3", // then two
            "2 2 8 a1a4",
            "1 3 10 a1a2",
            "2 1 9 a1a3", // then all
            "2 2 8 a1a4",
            "2 3 7 a1a2",
        ];
        assert_eq!(collect(2, &repeated).expect("whole"), plain);
    }

    #[test]
    fn what_is_missing_is_said() {
        let error = collect(3, &PLAIN).expect_err("no depth 3");
        let (heard, complete) = match error {
            EngineError::MissingLines {
                heard, complete, ..
            } => (heard, complete),
            other => panic!("{other}"),
        };
        assert_eq!((heard, complete), (0, 2));
        let error = collect(2, &PLAIN[..5]).expect_err("no third line");
        assert!(error.to_string().contains("2 of 3"), "{error}");
        assert!(collect(2, &[]).is_err());
        let legal = [uci("a1a2")];
        assert!(Collector::new(&legal, 2).finish(None).is_err());
        assert!(Collector::new(&legal, 2).finish(Some(uci("a1a5"))).is_err());
    }

    #[test]
    fn lies_are_noticed_and_what_is_too_deep_is_not_wanted() {
        assert!(collect(1, &["1 1 10 a1h8"]).is_err());
        let deeper = collect(1, &PLAIN).expect("whole");
        assert_eq!(deeper.iterations().len(), 1);
    }

    #[test]
    fn a_mate_may_end_the_search_early() {
        let lines = ["1 1 M1 a1a2", "1 2 5 a1a3", "1 3 0 a1a4", "2 1 M1 a1a2"];
        let evaluation = collect(9, &lines).expect("whole");
        assert_eq!(evaluation.deepest().depth, 1);
    }
}
