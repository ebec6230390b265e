//! How difficult an endgame is to win (Haworth 2002, section 6.5).
//!
//! By theorem 6 the expected depth E[u_i M_c] after a move of R_c from depth i falls with c, so there is
//! one c_i at which it equals i: above it R_c makes progress on average. Theorem 7's c* is the greatest c_i
//! over all depths.
//!
//! Conjecture 2's w*_d, "F_w can secure all wins of depth d", cannot be taken literally: in a chain in
//! which every state leads to absorption, every F_w wins in the end. Here w*_d is the greatest c_i of the
//! depths up to d: above it the expected depth falls at every depth on the way down.

use errare_core::{Material, Metric, Watch};
use errare_tables::ScanError;
use serde::{Deserialize, Deserializer, Serialize};
use shakmaty::Color;

use crate::{Chain, Matrix, Predictor};

/// An endgame's difficulty for one side, against an infallible opponent.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::Metric;
/// use errare_endgame::{Difficulty, Oracle, Predictor, Values};
/// use shakmaty::Color;
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let predictor = Predictor::new(&oracle, "KQK".parse()?, Kappa::ONE, Values::Kept)?;
/// let difficulty = Difficulty::of(&predictor, Metric::Dtc, Color::White, 50, &())?;
/// assert_eq!(difficulty.ok_or("White wins")?.deepest, 10);
/// assert!(Difficulty::of(&predictor, Metric::Dtc, Color::Black, 50, &())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Difficulty {
    /// The endgame.
    pub endgame: Material,
    /// The metric.
    pub metric: Metric,
    /// The deepest win.
    pub deepest: u16,
    /// c*: the least c beyond which the expected depth falls at every depth; none if no c suffices.
    pub c_star: Option<f64>,
    /// The depth that requires it.
    pub hardest_depth: Option<u16>,
    /// By depth: w*_d, and c_d.
    pub progress: Vec<ProgressThreshold>,
    /// The number of moves within which the win counts.
    pub moves: u32,
    /// The least c with which the deepest win takes at most this many moves at least half of the time; none
    /// if no c is enough.
    pub even_chance: Option<f64>,
    /// The expected results of R_c, by c.
    pub curve: Vec<CurvePoint>,
}

/// The competence from which progress is expected.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ProgressThreshold {
    /// The depth.
    pub depth: u16,
    /// c_d: at this depth; 0 if even the random player makes progress, none if no c is enough.
    pub here: Option<f64>,
    /// w*_d: at this depth and all smaller ones.
    pub down: Option<f64>,
}

/// The expected results of a player of some competence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// c.
    pub competence: f64,
    /// The expected length from the deepest wins; null in JSON if play may never end.
    #[serde(deserialize_with = "infinite_if_null")]
    pub expected_moves: f64,
    /// The probability of winning in time from there.
    pub win_within: f64,
    /// The expected length from a random win, all positions being equally likely; null in JSON if play may
    /// never end.
    #[serde(deserialize_with = "infinite_if_null")]
    pub mean_moves: f64,
    /// The probability of winning in time from a random win.
    pub mean_win_within: f64,
}

/// JSON has no infinity.
fn infinite_if_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.unwrap_or(f64::INFINITY))
}

/// The competences of the curve, unless more are needed.
const CURVE: std::ops::RangeInclusive<u32> = 0..=30;
const STEP: f64 = 2.0;
/// The greatest finite c considered.
const GREATEST: f64 = 1e4;
/// The accuracy of competences.
const TOLERANCE: f64 = 1e-4;

/// A bracket around the root of a decreasing function.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    low: (f64, f64),
    high: (f64, f64),
    /// Is it known that there is a root?
    crossed: bool,
}

impl Bracket {
    fn new() -> Bracket {
        Bracket {
            low: (0.0, f64::NAN),
            high: (f64::INFINITY, f64::NAN),
            crossed: false,
        }
    }

    /// Narrows the bracket with a value.
    fn see(&mut self, competence: f64, value: f64) {
        if value >= 0.0 && competence >= self.low.0 {
            self.low = (competence, value);
        } else if value < 0.0 && competence <= self.high.0 {
            self.high = (competence, value);
            self.crossed = true;
        }
    }

    /// Is the function negative from 0 on?
    fn is_trivial(&self) -> bool {
        self.high.0 == 0.0
    }

    fn width(&self) -> f64 {
        self.high.0 - self.low.0
    }

    /// The next competences to try, near the root of the secant.
    fn guesses(&self) -> Vec<f64> {
        let ((a, above), (b, below)) = (self.low, self.high);
        let middle = a + (b - a) * above / (above - below);
        let margin = self.width() / 20.0;
        [middle - margin, middle, middle + margin]
            .into_iter()
            .filter(|c| *c > a && *c < b)
            .collect()
    }

    /// The root, once the bracket is narrow enough.
    fn root(&self) -> Option<f64> {
        match () {
            () if self.is_trivial() => Some(0.0),
            () if self.high.0.is_finite() => Some(f64::midpoint(self.low.0, self.high.0)),
            () => None,
        }
    }
}

/// The quantities to find, and the brackets so far.
struct Search {
    player: Color,
    moves: u32,
    /// By depth, from 1 on: of E[u_i M_c] - i.
    depths: Vec<Bracket>,
    /// For 1/2 minus the probability of winning in time from the deepest wins.
    even_chance: Bracket,
    curve: Vec<CurvePoint>,
}

impl Search {
    fn see(&mut self, competence: f64, matrix: &Matrix, chain: &Chain) {
        for depth in chain.depths() {
            let excess = matrix.expected_depth(depth) - f64::from(depth);
            self.depths[usize::from(depth) - 1].see(competence, excess);
        }
        let point = curve_point(competence, self.player, matrix, chain, self.moves);
        self.even_chance.see(competence, 0.5 - point.win_within);
        if competence.is_finite() {
            self.curve.push(point);
        }
    }

    /// The brackets that are still too wide. A depth matters only if it may be harder than all smaller
    /// ones.
    fn open(&self) -> Vec<&Bracket> {
        let mut hardest: f64 = 0.0;
        let mut open = Vec::new();
        for bracket in &self.depths {
            if bracket.crossed && bracket.high.0 > hardest {
                open.push(bracket);
                hardest = hardest.max(bracket.low.0);
            }
        }
        open.push(&self.even_chance);
        open.retain(|bracket| bracket.crossed && bracket.width() > TOLERANCE);
        open
    }
}

impl Difficulty {
    /// The difficulty of an endgame for one side that keeps the value, to be won within this many moves;
    /// none if that side has no win.
    pub fn of(
        predictor: &Predictor<'_>,
        metric: Metric,
        player: Color,
        moves: u32,
        watch: &dyn Watch,
    ) -> Result<Option<Difficulty>, ScanError> {
        let deepest = predictor.states().deepest(player);
        let mut search = Search {
            player,
            moves,
            depths: vec![Bracket::new(); deepest.into()],
            even_chance: Bracket::new(),
            curve: Vec::new(),
        };
        let mut next: Vec<f64> = CURVE.map(|step| f64::from(step) * STEP).collect();
        next.push(f64::INFINITY);
        let mut deepest = None;
        while !next.is_empty() {
            let seen = predictor.matrices_and_chains(player, &next, f64::INFINITY, watch)?;
            for (&competence, (matrix, chain)) in next.iter().zip(&seen) {
                if chain.depths().next().is_none() {
                    return Ok(None);
                }
                search.see(competence, matrix, chain);
            }
            deepest = seen[0].1.depths().next_back();
            next = search.next();
        }
        search
            .curve
            .sort_by(|a, b| a.competence.total_cmp(&b.competence));
        Ok(deepest.map(|deepest| search.summary(predictor.material(), metric, deepest)))
    }

    /// A one-line summary.
    pub fn verdict(&self) -> String {
        let progress = match (self.c_star, self.hardest_depth) {
            (Some(c_star), Some(depth)) => format!(
                "R_c makes progress at every depth from c = {c_star:.1} on, depth {depth} being the hardest"
            ),
            _ => "no R_c makes progress at every depth".to_owned(),
        };
        let chance = match self.even_chance {
            Some(c) => format!(
                "the deepest wins ({} moves) are won within {} moves as often as not from c = {c:.1} on",
                self.deepest, self.moves
            ),
            None => format!(
                "the deepest wins ({} moves) cannot be won within {} moves",
                self.deepest, self.moves
            ),
        };
        format!("{}: {progress}; {chance}.", self.endgame)
    }
}

impl Search {
    /// The competences to try next; empty if everything is known.
    fn next(&self) -> Vec<f64> {
        let mut next: Vec<f64> = Vec::new();
        for bracket in self.open() {
            if bracket.high.0.is_infinite() {
                // Beyond the curve: the upper end of the bracket is not finite yet.
                if bracket.low.0 < GREATEST {
                    next.push(bracket.low.0 * 2.0);
                }
            } else {
                next.extend(bracket.guesses());
            }
        }
        next.sort_by(f64::total_cmp);
        next.dedup_by(|a, b| *a - *b < TOLERANCE / 2.0);
        next
    }

    fn summary(self, endgame: Material, metric: Metric, deepest: u16) -> Difficulty {
        let mut progress = Vec::new();
        let mut down = Some((0.0, None));
        for (bracket, depth) in self.depths.iter().zip(1..=deepest) {
            // Depths without positions say nothing.
            if bracket.low.1.is_nan() && bracket.high.1.is_nan() {
                continue;
            }
            let here = bracket.root().filter(|_| bracket.crossed);
            down = match (down, here) {
                (Some((most, _)), Some(here)) if here > most => Some((here, Some(depth))),
                (Some(down), Some(_)) => Some(down),
                _ => None,
            };
            progress.push(ProgressThreshold {
                depth,
                here,
                down: down.map(|(most, _)| most),
            });
        }
        let even_chance = self.even_chance;
        Difficulty {
            endgame,
            metric,
            deepest,
            c_star: down.map(|(c_star, _)| c_star),
            hardest_depth: down.and_then(|(_, depth)| depth),
            progress,
            moves: self.moves,
            even_chance: even_chance.root().filter(|_| even_chance.crossed),
            curve: self.curve,
        }
    }
}

fn curve_point(
    competence: f64,
    player: Color,
    matrix: &Matrix,
    chain: &Chain,
    moves: u32,
) -> CurvePoint {
    debug_assert_eq!(matrix.mover(), player);
    let (lengths, chances) = (chain.expected_moves(), chain.win_within(moves));
    let number = |depth| chain.states().number(chain.win(depth));
    let deepest = chain.depths().next_back().map_or(0, number);
    let mean = |values: &[f64]| {
        let count = |depth| matrix.positions(chain.win(depth)) as f64;
        let sum: f64 = chain.depths().map(|d| count(d) * values[number(d)]).sum();
        sum / chain.depths().map(count).sum::<f64>()
    };
    CurvePoint {
        competence,
        expected_moves: lengths[deepest],
        win_within: chances[deepest],
        mean_moves: mean(&lengths),
        mean_win_within: mean(&chances),
    }
}
