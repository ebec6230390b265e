//! The games of a match: how each ended, and how several threads share them.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use errare_choice::Estimate;
use errare_core::Watch;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// White won.
    White,
    /// Drawn.
    Draw,
    /// Black won.
    Black,
    /// Drawn by the 50-move rule.
    FiftyMoves,
    /// Drawn by threefold repetition.
    Repetition,
    /// It reached the limit of moves.
    Unfinished,
}

impl Finish {
    /// The winner, if any.
    pub fn winner(self) -> Option<Color> {
        match self {
            Finish::White => Some(Color::White),
            Finish::Black => Some(Color::Black),
            _ => None,
        }
    }
}

/// A game of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchGame {
    /// How it ended.
    pub finish: Finish,
    /// Did the second player have White?
    pub swapped: bool,
    /// White's moves.
    pub moves: u64,
    /// Plies.
    pub plies: u64,
    /// The apparent competence of White and Black; none where no depth was ceded or the players were not analysed.
    pub apparent: [Option<Estimate>; 2],
}

/// Plays the games with these numbers on several threads and returns them in order.
///
/// Each thread calls `worker` once to create its own state, and the returned function once per game. The first error
/// ends the match.
pub fn play_numbered<E, W>(
    numbers: Range<u64>,
    threads: usize,
    watch: &dyn Watch,
    worker: impl Fn() -> W + Sync,
) -> Result<Vec<MatchGame>, E>
where
    E: Send,
    W: FnMut(u64) -> Result<MatchGame, E>,
{
    let total = numbers.end;
    watch.begin("playing games", Some(total - numbers.start));
    let (next, score) = (AtomicU64::new(numbers.start), Score::default());
    let work = || -> Result<Vec<(u64, MatchGame)>, E> {
        let mut play_game = worker();
        let mut games = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return Ok(games);
            }
            let played = play_game(number).inspect_err(|_| next.store(total, Ordering::Relaxed))?;
            watch.detail(&score.add(played.finish.winner()));
            games.push((number, played));
            watch.advance(1);
        }
    };
    let mut games = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().expect("no worker panics")?);
        }
        Ok::<_, E>(all)
    })?;
    games.sort_by_key(|(number, _)| *number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

/// The running score, shared by the threads of a match.
#[derive(Debug, Default)]
struct Score {
    white: AtomicU64,
    drawn: AtomicU64,
    black: AtomicU64,
}

impl Score {
    /// Adds a game and returns the score: "White 12, drawn 3, Black 4".
    fn add(&self, winner: Option<Color>) -> String {
        let ended = match winner {
            Some(Color::White) => &self.white,
            None => &self.drawn,
            Some(Color::Black) => &self.black,
        };
        ended.fetch_add(1, Ordering::Relaxed);
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (white, drawn, black) = (read(&self.white), read(&self.drawn), read(&self.black));
        format!("White {white}, drawn {drawn}, Black {black}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_counts_every_game() {
        let score = Score::default();
        score.add(Some(Color::White));
        assert_eq!(score.add(None), "White 1, drawn 1, Black 0");
    }
}
