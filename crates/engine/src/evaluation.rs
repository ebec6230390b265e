//! An engine's evaluation of a position: all legal moves, ranked, at every depth.
//!
//! An evaluation is stored as a small blob, described in `docs/study-format.md`.

use errare_core::{Fault, FaultKind};
use shakmaty::{Role, Square, uci::UciMove};

use crate::Score;

/// A move with its score, in one iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    /// The move's index among [`Evaluation::moves`].
    pub index: u8,
    /// Its score.
    pub score: Score,
}

/// One depth of a search: the moves with exact scores, in the engine's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Iteration {
    /// The depth the engine reported.
    pub depth: u8,
    /// The moves, best first.
    pub ranking: Vec<Ranked>,
}

/// The evaluation of a position.
///
/// ```
/// use errare_engine::{Evaluation, Score};
///
/// let [e4, a4] = ["e2e4".parse()?, "a2a4".parse()?];
/// let shallow = vec![(a4, Score::Centipawns(20)), (e4, Score::Centipawns(10))];
/// let deep = vec![(e4, Score::Centipawns(30)), (a4, Score::Centipawns(-10))];
/// let evaluation = Evaluation::new(&[(1, shallow), (2, deep)]).ok_or("both depths rank both moves")?;
/// assert_eq!(evaluation.moves(), [e4, a4], "the greatest depth decides the order");
/// assert_eq!(evaluation.at(1).ok_or("there is one")?.ranking[0].index, 1);
/// assert_eq!(Evaluation::decode(&evaluation.encode())?, evaluation);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    moves: Vec<UciMove>,
    iterations: Vec<Iteration>,
}

/// Returned when bytes are not an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BlobError {
    /// Written by a newer version, or not an evaluation.
    #[error("an evaluation of unknown format {0}")]
    Format(u8),
    /// Too short, too long, or an impossible value inside.
    #[error("a damaged evaluation")]
    Damaged,
}

impl Fault for BlobError {
    fn kind(&self) -> FaultKind {
        FaultKind::Damaged
    }
}

/// The first byte of a blob.
const FORMAT: u8 = 1;
/// Limit of stored centipawns; anything beyond is a win, and further than any model looks.
const MOST_CENTIPAWNS: i16 = 31_000;
/// A mate in *n* is stored as this minus *n*.
const MATE: i16 = i16::MAX;

impl Evaluation {
    /// Combines iterations in order of depth; `None` unless the last of them ranks at least one move
    /// and all moves of the others, and no iteration ranks a move twice.
    #[must_use]
    pub fn new(iterations: &[(u8, Vec<(UciMove, Score)>)]) -> Option<Evaluation> {
        let (_, last) = iterations.last()?;
        let moves: Vec<UciMove> = last.iter().map(|(played, _)| *played).collect();
        let find = |played: &UciMove| moves.iter().position(|other| other == played);
        let ranked = |(played, score): &(UciMove, Score)| {
            Some(Ranked {
                index: u8::try_from(find(played)?).ok()?,
                score: storable(*score)?,
            })
        };
        let iterations = iterations
            .iter()
            .map(|(depth, lines)| {
                Some(Iteration {
                    depth: *depth,
                    ranking: lines.iter().map(ranked).collect::<Option<_>>()?,
                })
            })
            .collect::<Option<_>>()?;
        Evaluation { moves, iterations }.sound()
    }

    /// The moves, best first at the greatest depth.
    #[must_use]
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }

    /// All depths, shallow first.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The greatest depth, which ranks all moves.
    #[must_use]
    pub fn deepest(&self) -> &Iteration {
        self.iterations.last().expect("there is one")
    }

    /// The iteration of this depth. If the search ended early with a mate, its last iteration.
    #[must_use]
    pub fn at(&self, depth: u8) -> Option<&Iteration> {
        let deepest = self.deepest();
        if deepest.depth < depth {
            return deepest.is_mate().then_some(deepest);
        }
        self.iterations.iter().find(|iter| iter.depth == depth)
    }

    /// Encodes the blob.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let lines: usize = self.iterations.iter().map(|iter| iter.ranking.len()).sum();
        let size = 3 + 2 * self.moves.len() + 2 * self.iterations.len() + 3 * lines;
        let mut blob = Vec::with_capacity(size);
        blob.extend([FORMAT, byte(self.moves.len()), byte(self.iterations.len())]);
        for played in &self.moves {
            blob.extend(move_to_word(*played).to_le_bytes());
        }
        for iteration in &self.iterations {
            blob.extend([iteration.depth, byte(iteration.ranking.len())]);
            for Ranked { index, score } in &iteration.ranking {
                blob.push(*index);
                blob.extend(score_to_word(*score).to_le_bytes());
            }
        }
        blob
    }

    /// Decodes a blob.
    pub fn decode(blob: &[u8]) -> Result<Evaluation, BlobError> {
        let damaged = BlobError::Damaged;
        let ([format, moves, iterations], mut rest) = blob.split_first_chunk().ok_or(damaged)?;
        if *format != FORMAT {
            return Err(BlobError::Format(*format));
        }
        let mut evaluation = Evaluation {
            moves: Vec::with_capacity((*moves).into()),
            iterations: Vec::with_capacity((*iterations).into()),
        };
        for _ in 0..*moves {
            let (word, tail) = rest.split_first_chunk().ok_or(damaged)?;
            let played = move_from_word(u16::from_le_bytes(*word)).ok_or(damaged)?;
            evaluation.moves.push(played);
            rest = tail;
        }
        for _ in 0..*iterations {
            let ([depth, lines], tail) = rest.split_first_chunk().ok_or(damaged)?;
            let (lines, tail) = tail
                .split_at_checked(3 * usize::from(*lines))
                .ok_or(damaged)?;
            let ranked = |line: &[u8]| {
                let score = score_from_word(i16::from_le_bytes([line[1], line[2]]))?;
                let index = line[0];
                Some(Ranked { index, score })
            };
            let ranking: Option<_> = lines.chunks_exact(3).map(ranked).collect();
            evaluation.iterations.push(Iteration {
                depth: *depth,
                ranking: ranking.ok_or(damaged)?,
            });
            rest = tail;
        }
        if !rest.is_empty() {
            return Err(damaged);
        }
        evaluation.sound().ok_or(damaged)
    }

    /// Returns the evaluation if it is consistent.
    fn sound(self) -> Option<Evaluation> {
        let whole = self.iterations.last()?.ranking.len() == self.moves.len();
        let ascending = self.iterations.is_sorted_by(|a, b| a.depth < b.depth);
        let once = |iteration: &Iteration| {
            let mut seen = [false; 256];
            iteration.ranking.iter().all(|line| {
                usize::from(line.index) < self.moves.len()
                    && !std::mem::replace(&mut seen[usize::from(line.index)], true)
            })
        };
        let sound =
            whole && ascending && !self.moves.is_empty() && self.iterations.iter().all(once);
        sound.then_some(self)
    }
}

impl Iteration {
    /// Does the best move give mate, or only delay it?
    fn is_mate(&self) -> bool {
        let best = self.ranking.first();
        best.is_some_and(|best| matches!(best.score, Score::Mate(_)))
    }
}

fn byte(count: usize) -> u8 {
    u8::try_from(count).expect("no position has so many moves, no engine so many depths")
}

/// Six bits for each square, and above them the promotion, 0 if there is none.
fn move_to_word(played: UciMove) -> u16 {
    let square = |square: Option<Square>| square.map_or(0, u16::from);
    let promotion = played.promotion().map_or(0, u16::from);
    square(played.from()) | square(played.to()) << 6 | promotion << 12
}

fn move_from_word(word: u16) -> Option<UciMove> {
    let square = |bits: u16| Square::new(u32::from(bits & 63));
    Some(UciMove::Normal {
        from: square(word),
        to: square(word >> 6),
        promotion: match word >> 12 {
            0 => None,
            role => Some(Role::try_from(role).ok()?),
        },
    })
}

/// The score as the blob can store it; `None` for a mate in 0 or in more moves than fit.
fn storable(score: Score) -> Option<Score> {
    match score {
        Score::Centipawns(value) => {
            let most = i32::from(MOST_CENTIPAWNS);
            Some(Score::Centipawns(value.clamp(-most, most)))
        }
        Score::Mate(moves) => {
            let range = 1..i32::from(MATE - MOST_CENTIPAWNS);
            range.contains(&moves.abs()).then_some(score)
        }
    }
}

fn score_to_word(score: Score) -> i16 {
    let word = |value: i32| i16::try_from(value).expect("scores are storable");
    match score {
        Score::Centipawns(value) => word(value),
        Score::Mate(moves) => word(i32::from(MATE) * moves.signum() - moves),
    }
}

fn score_from_word(word: i16) -> Option<Score> {
    let value = i32::from(word);
    if value.abs() <= i32::from(MOST_CENTIPAWNS) {
        return Some(Score::Centipawns(value));
    }
    let moves = i32::from(MATE) * value.signum() - value;
    storable(Score::Mate(moves)).filter(|_| moves.signum() == value.signum())
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn uci(text: &str) -> UciMove {
        text.parse().expect("a move")
    }

    #[test]
    fn round_trip() {
        let lines = |scores: [Score; 3]| {
            let moves = ["e7e8q", "a1a2", "e7e8n"].map(uci);
            moves.into_iter().zip(scores).collect::<Vec<_>>()
        };
        let cp = Score::Centipawns;
        let mut shallow = lines([cp(40_000), cp(-7), cp(0)]);
        shallow.pop();
        let deep = lines([Score::Mate(3), cp(-12), Score::Mate(-1)]);
        let evaluation = Evaluation::new(&[(1, shallow), (2, deep)]).expect("sound");
        assert_eq!(evaluation.iterations()[0].ranking[0].score, cp(31_000));
        let blob = evaluation.encode();
        assert_eq!(blob.len(), 3 + 3 * 2 + 2 * 2 + 5 * 3);
        assert_eq!(Evaluation::decode(&blob), Ok(evaluation));
        for end in 0..blob.len() {
            assert_eq!(Evaluation::decode(&blob[..end]), Err(BlobError::Damaged));
        }
    }

    #[test]
    fn unsound_evaluations_are_refused() {
        let line = |text: &str| (uci(text), Score::Centipawns(0));
        assert_eq!(Evaluation::new(&[]), None);
        assert_eq!(Evaluation::new(&[(1, vec![])]), None);
        let twice = vec![line("e2e4"), line("e2e4")];
        assert_eq!(Evaluation::new(&[(1, twice)]), None);
        let unknown = [(1, vec![line("e2e4")]), (2, vec![line("d2d4")])];
        assert_eq!(Evaluation::new(&unknown), None);
        let backwards = [(2, vec![line("e2e4")]), (1, vec![line("e2e4")])];
        assert_eq!(Evaluation::new(&backwards), None);
    }

    #[test]
    fn a_search_that_ended_with_mate_answers_for_greater_depths() {
        let evaluation = |score| Evaluation::new(&[(3, vec![(uci("a1a8"), score)])]);
        let mate = evaluation(Score::Mate(1)).expect("sound");
        assert_eq!(mate.at(10).map(|iteration| iteration.depth), Some(3));
        assert_eq!(mate.at(2), None);
        let other = evaluation(Score::Centipawns(900)).expect("sound");
        assert_eq!(other.at(10), None);
    }

    proptest! {
        #[test]
        fn garbage_is_refused_or_means_something(mut blob in vec(any::<u8>(), 0..80)) {
            if let Some(first) = blob.first_mut() {
                *first = FORMAT;
            }
            if let Ok(evaluation) = Evaluation::decode(&blob) {
                prop_assert_eq!(evaluation.encode(), blob);
            }
        }
    }
}
