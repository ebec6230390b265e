//! The automata A^δ of section 3 as players, by sampling one tree of scores per move.
//!
//! A leaf is visited only if it matters (alpha-beta, exact because the scores are independent), and
//! parents of leaves are not even expanded: the greatest of *n* uniform scores is distributed as the
//! n-th root of one. Scores are symmetric about 0, so that a draw is 0 and the other side's score is
//! the negative.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use errare_core::{Stopped, Watch};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use crate::game::{GameEnd, GamePosition, Terminals};
use crate::{Alpha, ParseAlphaError, ParseTerminalsError};

/// A player, by its name in the language of players.
///
/// ```
/// use errare_minimax::MinimaxPlayer;
///
/// let player: MinimaxPlayer = "minimax:depth=3,terminals=paper".parse()?;
/// assert_eq!(player.to_string(), "minimax:depth=3,terminals=paper");
/// assert!("minimax:depth=0".parse::<MinimaxPlayer>().is_err());
/// # Ok::<(), errare_minimax::ParseMinimaxPlayerError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MinimaxPlayer {
    /// `random`: every move is equally likely.
    Random,
    /// `minimax:depth=3` or `zero:depth=3`.
    Minimax(Automaton),
}

/// The automaton A^(δ, α).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Automaton {
    /// δ, the plies it searches.
    pub depth: NonZeroU32,
    /// What a leaf is worth.
    pub leaves: Leaves,
    /// What an end of the game inside the tree is worth.
    pub terminals: Terminals,
}

/// What a leaf is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// A random score.
    Random(Alpha),
    /// A draw: the player sees only the ends of the game, as a control for the others.
    Zero,
}

impl MinimaxPlayer {
    /// Chooses a move in a position that is not the end of the game.
    pub fn choose<G: GamePosition>(&self, position: &G, rng: &mut impl Rng) -> G::Move {
        let chosen = self.choose_watched(position, rng, &());
        chosen.expect("nobody stops it")
    }

    /// Like [`MinimaxPlayer::choose`], but gives up at once when the watch says so.
    pub fn choose_watched<G: GamePosition>(
        &self,
        position: &G,
        rng: &mut impl Rng,
        watch: &dyn Watch,
    ) -> Result<G::Move, Stopped> {
        match self {
            MinimaxPlayer::Random => {
                Ok(*position.moves().choose(rng).expect("the game is not over"))
            }
            MinimaxPlayer::Minimax(automaton) => automaton.choose(position, rng, watch),
        }
    }
}

impl Automaton {
    fn choose<G: GamePosition>(
        &self,
        position: &G,
        rng: &mut impl Rng,
        watch: &dyn Watch,
    ) -> Result<G::Move, Stopped> {
        let mut best = f64::NEG_INFINITY;
        let mut chosen = Vec::new();
        for candidate in position.moves() {
            let child = position.play(candidate);
            let bounds = [f64::NEG_INFINITY, -best];
            let score = -self.score(&child, self.depth.get() - 1, bounds, rng, watch)?;
            if score > best {
                best = score;
                chosen.clear();
            }
            if score == best {
                chosen.push(candidate);
            }
        }
        Ok(*chosen.choose(rng).expect("the game is not over"))
    }

    /// The score of a position for the side to move: exact within the bounds (inclusive), otherwise
    /// on the right side of them.
    fn score<G: GamePosition>(
        &self,
        position: &G,
        plies: u32,
        [low, high]: [f64; 2],
        rng: &mut impl Rng,
        watch: &dyn Watch,
    ) -> Result<f64, Stopped> {
        if plies == 0 {
            return Ok(self.best_leaf_of(1, rng));
        }
        let moves = position.moves();
        if moves.is_empty() {
            return Ok(self.worth(position.terminal(), rng));
        }
        if plies == 1 {
            return Ok(self.best_leaf_of(moves.len(), rng));
        }
        watch.check()?;
        let mut best = f64::NEG_INFINITY;
        for candidate in moves {
            let child = position.play(candidate);
            let bounds = [-high, -low.max(best)];
            best = best.max(-self.score(&child, plies - 1, bounds, rng, watch)?);
            if best > high {
                break;
            }
        }
        Ok(best)
    }

    /// The maximum of this many leaves.
    fn best_leaf_of(&self, leaves: usize, rng: &mut impl Rng) -> f64 {
        let alpha = match self.leaves {
            Leaves::Zero => return 0.0,
            Leaves::Random(alpha) => alpha.scores(),
        };
        let greatest = rng.random::<f64>().powf(1.0 / leaves as f64);
        match alpha.map(f64::from) {
            None => greatest - 0.5,
            Some(alpha) => (greatest * alpha).ceil().max(1.0) - (alpha + 1.0) / 2.0,
        }
    }

    fn worth(&self, end: GameEnd, rng: &mut impl Rng) -> f64 {
        match (self.terminals, end) {
            (Terminals::Paper, _) => self.best_leaf_of(1, rng),
            (Terminals::Recognised, GameEnd::Loss) => f64::NEG_INFINITY,
            (Terminals::Recognised, GameEnd::Draw) => 0.0,
            (Terminals::Recognised, GameEnd::Win) => f64::INFINITY,
        }
    }
}

/// Returned when a text is not a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMinimaxPlayerError {
    /// No such kind of player.
    #[error("unknown player '{0}'; players here are random, minimax:depth=3 and zero:depth=3")]
    Unknown(String),
    /// A searching player needs a depth.
    #[error("'{0}' needs a depth of at least 1, as in {0}:depth=3")]
    Depth(String),
    /// No such setting.
    #[error(
        "'{0}' is not a setting of this player; they are depth, alpha (not of zero) and terminals"
    )]
    Setting(String),
    /// A bad α.
    #[error(transparent)]
    Alpha(#[from] ParseAlphaError),
    /// A bad convention for terminals.
    #[error(transparent)]
    Terminals(#[from] ParseTerminalsError),
}

impl FromStr for MinimaxPlayer {
    type Err = ParseMinimaxPlayerError;

    fn from_str(text: &str) -> Result<MinimaxPlayer, ParseMinimaxPlayerError> {
        let (kind, settings) = text.split_once(':').unwrap_or((text, ""));
        let mut leaves = match kind {
            "random" if settings.is_empty() => return Ok(MinimaxPlayer::Random),
            "minimax" => Leaves::Random(Alpha::CONTINUOUS),
            "zero" => Leaves::Zero,
            _ => return Err(ParseMinimaxPlayerError::Unknown(text.to_owned())),
        };
        let (mut depth, mut terminals) = (None, Terminals::Recognised);
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            match setting.split_once('=') {
                Some(("depth", value)) => depth = value.parse().ok(),
                Some(("terminals", value)) => terminals = value.parse()?,
                Some(("alpha", value)) if kind == "minimax" => {
                    leaves = Leaves::Random(value.parse()?);
                }
                _ => return Err(ParseMinimaxPlayerError::Setting(setting.to_owned())),
            }
        }
        let depth = depth.ok_or_else(|| ParseMinimaxPlayerError::Depth(kind.to_owned()))?;
        Ok(MinimaxPlayer::Minimax(Automaton {
            depth,
            leaves,
            terminals,
        }))
    }
}

impl fmt::Display for MinimaxPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MinimaxPlayer::Minimax(Automaton {
            depth,
            leaves,
            terminals,
        }) = self
        else {
            return f.write_str("random");
        };
        match leaves {
            Leaves::Zero => write!(f, "zero:depth={depth}")?,
            Leaves::Random(_) => write!(f, "minimax:depth={depth}")?,
        }
        match leaves {
            Leaves::Random(alpha) if *alpha != Alpha::CONTINUOUS => write!(f, ",alpha={alpha}")?,
            _ => {}
        }
        match terminals {
            Terminals::Recognised => Ok(()),
            Terminals::Paper => write!(f, ",terminals=paper"),
        }
    }
}
