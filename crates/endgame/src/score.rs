//! The running score of a match, for display.

use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty::Color;

/// The results so far, shared by the threads of a match.
#[derive(Debug, Default)]
pub struct Score {
    white: AtomicU64,
    drawn: AtomicU64,
    black: AtomicU64,
}

impl Score {
    /// Adds a game and returns the score: "White 12, drawn 3, Black 4".
    ///
    /// ```
    /// use errare_endgame::Score;
    /// use shakmaty::Color;
    ///
    /// let score = Score::default();
    /// score.add(Some(Color::White));
    /// assert_eq!(score.add(None), "White 1, drawn 1, Black 0");
    /// ```
    pub fn add(&self, winner: Option<Color>) -> String {
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
