//! A choice among the moves of a position, before it becomes a move.

use errare_endgame::draw;
use rand::Rng;

/// The index of a move, the probability of each move, and a remark for the user, if any.
pub(crate) struct Drawn {
    pub(crate) number: usize,
    pub(crate) chances: Vec<f64>,
    pub(crate) remark: Option<String>,
}

impl Drawn {
    /// A move drawn with these probabilities.
    pub(crate) fn by(chances: Vec<f64>, rng: &mut dyn Rng) -> Drawn {
        Drawn {
            number: draw(&chances, rng),
            chances,
            remark: None,
        }
    }

    /// A move out of this many that was not left to chance.
    pub(crate) fn certain(number: usize, moves: usize) -> Drawn {
        let mut chances = vec![0.0; moves];
        chances[number] = 1.0;
        Drawn {
            number,
            chances,
            remark: None,
        }
    }
}
