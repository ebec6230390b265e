//! Parser of engine output: works on bytes, without allocation, and reads no further than needed.
//!
//! An engine may send anything. A line that is not understood is [`EngineOutput::Other`]; other inconsistencies
//! are found where the values are used.

use shakmaty::uci::UciMove;

use crate::Score;

/// A line of an engine's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineOutput {
    /// The exact score of a move.
    Exact(Exact),
    /// The search is over; `None` if the engine found no move.
    BestMove(Option<UciMove>),
    /// The engine is ready.
    ReadyOk,
    /// Anything else, including scores that are only bounds.
    Other,
}

/// The exact score of a move, the first of a principal variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    /// The depth of the iteration.
    pub depth: u8,
    /// The rank among the lines, from 1.
    pub rank: u16,
    /// The score.
    pub score: Score,
    /// The move.
    pub first: UciMove,
}

impl EngineOutput {
    /// Parses a line, without its line break.
    ///
    /// ```
    /// use errare_engine::{EngineOutput, Score};
    ///
    /// let line = EngineOutput::parse(b"info depth 8 multipv 2 score cp -35 nodes 1200 pv e2e4 e7e5");
    /// let EngineOutput::Exact(exact) = line else { unreachable!() };
    /// assert_eq!((exact.depth, exact.rank), (8, 2));
    /// assert_eq!(exact.score, Score::Centipawns(-35));
    /// assert_eq!(exact.first.to_string(), "e2e4");
    /// ```
    #[must_use]
    pub fn parse(line: &[u8]) -> EngineOutput {
        let mut words = words(line);
        match words.next() {
            Some(b"info") => info(words).map_or(EngineOutput::Other, EngineOutput::Exact),
            Some(b"bestmove") => EngineOutput::BestMove(words.next().and_then(chess_move)),
            Some(b"readyok") => EngineOutput::ReadyOk,
            _ => EngineOutput::Other,
        }
    }
}

/// The words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// Reads what follows `info`, up to the first move of the variation.
fn info<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Exact> {
    let (mut depth, mut rank, mut score) = (None, 1, None);
    while let Some(word) = words.next() {
        match word {
            b"depth" => depth = Some(number(words.next()?)?),
            b"multipv" => rank = number(words.next()?)?,
            b"score" => {
                score = Some(match (words.next()?, number(words.next()?)?) {
                    (b"cp", hundredths) => Score::Centipawns(hundredths),
                    (b"mate", moves) if moves != 0 => Score::Mate(moves),
                    _ => return None,
                });
            }
            b"pv" => {
                return Some(Exact {
                    depth: depth?,
                    rank,
                    score: score?,
                    first: chess_move(words.next()?)?,
                });
            }
            // Free text, a move being searched, or a score that is not exact.
            b"string" | b"currmove" | b"lowerbound" | b"upperbound" => return None,
            _ => {}
        }
    }
    None
}

/// A move on the board.
fn chess_move(word: &[u8]) -> Option<UciMove> {
    UciMove::from_ascii(word).ok().filter(|m| m.is_normal())
}

fn number<T: TryFrom<i64>>(word: &[u8]) -> Option<T> {
    let (digits, sign) = match word {
        [b'-', digits @ ..] => (digits, -1),
        digits => (digits, 1),
    };
    // No number of use here has more than nine digits.
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    T::try_from(sign * value).ok()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn exact(line: &str) -> Option<(u8, u16, String, String)> {
        match EngineOutput::parse(line.as_bytes()) {
            EngineOutput::Exact(e) => {
                Some((e.depth, e.rank, e.score.to_string(), e.first.to_string()))
            }
            _ => None,
        }
    }

    #[test]
    fn scores() {
        let read = |line| exact(line).expect(line);
        let expected = (10, 3, "-22".into(), "d1d3".into());
        let line = "info depth 10 seldepth 14 multipv 3 score cp -22 nodes 313774 nps 697275 hashfull \
                    112 tbhits 0 time 450 pv d1d3 b8c6 g1f3";
        assert_eq!(read(line), expected);
        let line = "info  score cp -22 wdl 10 900 90\tdepth 10 multipv 3 pv d1d3\r";
        assert_eq!(read(line), expected);
        let line = "info depth 1 score mate -2 pv e7e8q";
        assert_eq!(read(line), (1, 1, "M-2".into(), "e7e8q".into()));
    }

    #[test]
    fn what_is_not_exact() {
        for line in [
            "",
            "info",
            "info depth 10 multipv 1 score cp 30 lowerbound nodes 100 pv e2e4",
            "info depth 10 multipv 1 score cp 30 upperbound nodes 100 pv e2e4",
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info string depth 10 multipv 1 score cp 30 pv e2e4",
            "info depth 10 multipv 1 score cp 30 nodes 100",
            "info depth 10 multipv 1 score cp 30 pv",
            "info depth 10 multipv 1 score cp 30 pv 0000",
            "info depth 10 multipv 1 score cp 30 pv e9e4",
            "info depth 10 multipv 1 score cp x pv e2e4",
            "info depth 10 multipv 1 score mate 0 pv e2e4",
            "info depth 10 multipv 1 score cp 99999999999 pv e2e4",
            "info depth 256 multipv 1 score cp 30 pv e2e4",
            "info depth -1 multipv 1 score cp 30 pv e2e4",
            "info depth 1 multipv -1 score cp 30 pv e2e4",
            "info multipv 1 score cp 30 pv e2e4",
            "info depth 10 pv e2e4",
            "info depth 10 score cp",
            "information depth 10 score cp 1 pv e2e4",
        ] {
            assert_eq!(
                EngineOutput::parse(line.as_bytes()),
                EngineOutput::Other,
                "{line}"
            );
        }
    }

    #[test]
    fn ends() {
        let best = |line: &[u8]| match EngineOutput::parse(line) {
            EngineOutput::BestMove(best) => best.map(|best| best.to_string()),
            other => panic!("{other:?}"),
        };
        assert_eq!(best(b"bestmove e2e4 ponder e7e5").as_deref(), Some("e2e4"));
        assert_eq!(best(b"bestmove (none)"), None);
        assert_eq!(best(b"bestmove"), None);
        assert_eq!(EngineOutput::parse(b"readyok"), EngineOutput::ReadyOk);
    }

    proptest! {
        #[test]
        fn nothing_panics(line in vec(any::<u8>(), 0..200)) {
            let _ = EngineOutput::parse(&line);
        }

        /// Words of the protocol in any order.
        #[test]
        fn no_mixture_panics(words in vec(prop_oneof![
            Just("info"), Just("depth"), Just("multipv"), Just("score"), Just("cp"), Just("mate"),
            Just("pv"), Just("e2e4"), Just("-7"), Just("12"), Just("bestmove"), Just("lowerbound"),
            Just("-"), Just("\u{fffd}"), Just("99999999999999999999"),
        ], 0..20)) {
            let _ = EngineOutput::parse(words.join(" ").as_bytes());
        }
    }
}
