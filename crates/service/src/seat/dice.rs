//! The random numbers of games: the seed shown for a game repeats that game, in any process.
//!
//! Every move draws from its own stream, so a move that comes too late does not change later ones.

use rand::Rng;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// The stream from which the next game's seed is drawn; no game has so many moves.
const NEXT_GAME: u64 = u64::MAX;

/// The random numbers of the current game.
#[derive(Debug)]
pub(super) struct Dice {
    /// Do all seeds follow from the first?
    fixed: bool,
    seed: u64,
    /// The moves that have been drawn.
    moves: u64,
}

impl Dice {
    /// The numbers of a first game with this seed; without one, all seeds are random.
    pub(super) fn new(seed: Option<u64>) -> Dice {
        Dice {
            fixed: seed.is_some(),
            seed: seed.unwrap_or_else(rand::random),
            moves: 0,
        }
    }

    /// The seed of the current game.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// A new game begins; false if there was no move yet, so that its seed is still unused.
    pub(super) fn begin_game(&mut self) -> bool {
        if self.moves == 0 {
            return false;
        }
        self.seed = match self.fixed {
            true => stream(self.seed, NEXT_GAME).next_u64(),
            false => rand::random(),
        };
        self.moves = 0;
        true
    }

    /// The random numbers of the next move.
    pub(super) fn next_move(&mut self) -> ChaCha8Rng {
        self.moves += 1;
        stream(self.seed, self.moves)
    }
}

fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(dice: &mut Dice) -> Vec<u64> {
        dice.begin_game();
        (0..5).map(|_| dice.next_move().next_u64()).collect()
    }

    #[test]
    fn the_seed_of_any_game_repeats_it() {
        for first in [Some(7), None] {
            let mut dice = Dice::new(first);
            for _ in 0..4 {
                let played = game(&mut dice);
                assert_eq!(game(&mut Dice::new(Some(dice.seed()))), played);
            }
        }
    }

    #[test]
    fn games_differ_and_a_fixed_seed_repeats_them_all() {
        let games = || {
            let mut dice = Dice::new(Some(7));
            [(); 3].map(|()| game(&mut dice))
        };
        let [a, b, c] = games();
        assert!(a != b && b != c && a != c);
        assert_eq!(games(), [a, b, c]);
    }
}
