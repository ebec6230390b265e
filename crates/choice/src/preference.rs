//! The preference function S_c of Haworth and Andrist (2004), section 2.
//!
//! A state is described by one number, its *aversion*: g(win, d) = ln(d + κ), g(draw) = ln(n₁ + κ) and
//! g(loss, d) = ln(n₁ + κ) + ln(n₂ + κ) - ln(d + κ). The preference is then S_c(s) = exp(-c g(s)) for
//! every c, which makes R_c a one-parameter exponential family. It follows that λ = ((n₁ + κ)(n₂ +
//! κ))^-c.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The state a choice leads to, from the chooser's view: a value and, unless it is a draw, a depth in
/// moves of the winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// A win; at depth 0 it has been achieved.
    Win(u16),
    /// A draw.
    Draw,
    /// A loss.
    Loss(u16),
}

impl State {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub const fn value(self) -> i32 {
        match self {
            State::Win(_) => 1,
            State::Draw => 0,
            State::Loss(_) => -1,
        }
    }

    /// The depth of a win or a loss.
    pub const fn depth(self) -> Option<u16> {
        match self {
            State::Win(depth) | State::Loss(depth) => Some(depth),
            State::Draw => None,
        }
    }

    /// A sort key, smaller for preferred states, as the papers number them.
    ///
    /// ```
    /// use errare_choice::State::{Draw, Loss, Win};
    ///
    /// assert!([Win(0), Win(31), Draw, Loss(3), Loss(0)].is_sorted_by_key(|state| state.rank()));
    /// ```
    pub const fn rank(self) -> i32 {
        const BEYOND_ANY_DEPTH: i32 = 1 << 16;
        match self {
            State::Win(depth) => depth as i32,
            State::Draw => BEYOND_ANY_DEPTH,
            State::Loss(depth) => 2 * BEYOND_ANY_DEPTH - depth as i32,
        }
    }
}

/// The κ of the preference function. Zero means the limit 0+, in which an achieved win is infinitely
/// preferred.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(try_from = "f64", into = "f64")]
pub struct Kappa(f64);

impl Kappa {
    /// The limit 0+, as in Haworth (2002).
    pub const ZERO: Kappa = Kappa(0.0);
    /// As in Haworth and Andrist (2004).
    pub const ONE: Kappa = Kappa(1.0);

    /// The number.
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Default for Kappa {
    fn default() -> Kappa {
        Kappa::ONE
    }
}

impl fmt::Display for Kappa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Returned when a text is not a κ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a kappa; write a number of at least 0, where 0 stands for the limit of small ones"
)]
pub struct ParseKappaError(String);

impl TryFrom<f64> for Kappa {
    type Error = ParseKappaError;

    fn try_from(kappa: f64) -> Result<Kappa, ParseKappaError> {
        match kappa >= 0.0 && kappa.is_finite() {
            true => Ok(Kappa(kappa)),
            false => Err(ParseKappaError(kappa.to_string())),
        }
    }
}

impl From<Kappa> for f64 {
    fn from(kappa: Kappa) -> f64 {
        kappa.0
    }
}

impl FromStr for Kappa {
    type Err = ParseKappaError;

    fn from_str(text: &str) -> Result<Kappa, ParseKappaError> {
        let kappa = text.parse::<f64>().ok().map(Kappa::try_from);
        kappa.unwrap_or_else(|| Err(ParseKappaError(text.to_owned())))
    }
}

/// The preference function of one side in one endgame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preference {
    kappa: Kappa,
    n1: u16,
    n2: u16,
}

impl Preference {
    /// A preference with draws between wins of depth n₁ - 1 and losses of depth n₂ - 1.
    pub const fn new(kappa: Kappa, n1: u16, n2: u16) -> Preference {
        Preference { kappa, n1, n2 }
    }

    /// A preference with the smallest n₁ and n₂ for the deepest win and deepest loss that occur.
    pub const fn for_depths(kappa: Kappa, deepest_win: u16, deepest_loss: u16) -> Preference {
        Preference::new(kappa, deepest_win + 1, deepest_loss + 1)
    }

    /// The aversion g, with S_c(s) = exp(-c g(s)): smaller is preferred. With κ = 0+ it is -∞ for an
    /// achieved win and +∞ for a completed loss.
    pub fn aversion(&self, state: State) -> f64 {
        let log = |depth: u16| (f64::from(depth) + self.kappa.0).ln();
        match state {
            State::Win(depth) => log(depth),
            State::Draw => log(self.n1),
            State::Loss(depth) => log(self.n1) + log(self.n2) - log(depth),
        }
    }
}
