//! How difficult an endgame is to win (Haworth 2002, section 6.5).
//!
//! By theorem 6 the expected depth E[u_i M_c] after a move of R_c from depth i falls with c, so there is
//! one c_i at which it is i: above it R_c makes progress on average. Theorem 7's c* is the greatest
//! c_i of all depths.
//!
//! Conjecture 2's w*_d, "F_w can secure all wins of depth d", cannot be taken literally: in a chain that
//! is absorbed from everywhere every F_w wins in the end. Here w*_d is the greatest c_i of the depths up to
//! d: above it the expected depth falls at every depth on the way down.

use errare_core::{Material, Metric, Watch};
use errare_tables::ScanError;
use serde::{Deserialize, Deserializer, Serialize};
use shakmaty::Color;

use crate::{Chain, Matrix, Predictor};

/// An endgame's difficulty for one side, against an infallible opponent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Difficulty {
    /// The endgame.
    pub endgame: Material,
    /// The metric.
    pub metric: Metric,
    /// The deepest win.
    pub deepest: u16,
    /// c*: the least c beyond which the expected depth falls at every depth; none if there is none.
    pub c_star: Option<f64>,
    /// The depth that asks for it.
    pub hardest_depth: Option<u16>,
    /// By depth: w*_d, and c_d.
    pub progress: Vec<Progress>,
    /// The most moves that the win may take.
    pub moves: u32,
    /// The least c with which the deepest win takes at most so many moves as often as not; none if
    /// no c is enough.
    pub even_chance: Option<f64>,
    /// What R_c is expected to do, by c.
    pub curve: Vec<CurvePoint>,
}

/// From which competence on progress is expected.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Progress {
    /// The depth.
    pub depth: u16,
    /// c_d: at this depth; 0 if even the random player makes progress, none if no c is enough.
    pub here: Option<f64>,
    /// w*_d: at this depth and all lesser ones.
    pub down: Option<f64>,
}

/// What a player of some competence is expected to do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CurvePoint {
    /// c.
    pub competence: f64,
    /// The expected length from the deepest wins; null in JSON if play may never end.
    #[serde(deserialize_with = "infinite_if_null")]
    pub expected_moves: f64,
    /// The chance to win in time from there.
    pub win_within: f64,
    /// The expected length from any win, all positions being as likely; null in JSON if play may
    /// never end.
    #[serde(deserialize_with = "infinite_if_null")]
    pub mean_moves: f64,
    /// The chance to win in time from any win.
    pub mean_win_within: f64,
}

/// JSON has no infinity.
fn infinite_if_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    Ok(number.unwrap_or(f64::INFINITY))
}

/// The curve's competences, as far as nothing asks for more.
const CURVE: std::ops::RangeInclusive<u32> = 0..=30;
const STEP: f64 = 2.0;
/// The greatest finite c that is searched for.
const GREATEST: f64 = 1e4;
/// How precisely competences are found.
const TOLERANCE: f64 = 1e-4;

/// Between which competences a function that falls goes through 0.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    low: (f64, f64),
    high: (f64, f64),
    /// Whether it is known that it does.
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

    /// Takes a value into account.
    fn see(&mut self, competence: f64, value: f64) {
        if value >= 0.0 && competence >= self.low.0 {
            self.low = (competence, value);
        } else if value < 0.0 && competence <= self.high.0 {
            self.high = (competence, value);
            self.crossed = true;
        }
    }

    /// Whether it is negative from 0 on.
    fn is_trivial(&self) -> bool {
        self.high.0 == 0.0
    }

    fn width(&self) -> f64 {
        self.high.0 - self.low.0
    }

    /// Where to look next: about where a straight line goes through 0.
    fn guesses(&self) -> Vec<f64> {
        let ((a, above), (b, below)) = (self.low, self.high);
        let middle = a + (b - a) * above / (above - below);
        let margin = self.width() / 20.0;
        [middle - margin, middle, middle + margin]
            .into_iter()
            .filter(|c| *c > a && *c < b)
            .collect()
    }

    /// The root, once it is closely bracketed.
    fn root(&self) -> Option<f64> {
        match () {
            () if self.is_trivial() => Some(0.0),
            () if self.high.0.is_finite() => Some(f64::midpoint(self.low.0, self.high.0)),
            () => None,
        }
    }
}

/// What is sought, and what is known of it.
struct Search {
    player: Color,
    moves: u32,
    /// By depth, from 1 on: of E[u_i M_c] - i.
    depths: Vec<Bracket>,
    /// Of 1/2 less the chance to win in time from the deepest wins.
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

    /// The brackets that are still too wide. A depth counts only if it may be harder than all lesser
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
    /// Of an endgame whose value is kept, for one side, to be won within so many moves; none if that
    /// side has no win.
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

    /// One line for people.
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
    /// The competences to be looked at next; none if everything is known.
    fn next(&self) -> Vec<f64> {
        let mut next: Vec<f64> = Vec::new();
        for bracket in self.open() {
            if bracket.high.0.is_infinite() {
                // Beyond the curve: the bracket's end is not yet finite.
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
            // Depths of which there are no positions say nothing.
            if bracket.low.1.is_nan() && bracket.high.1.is_nan() {
                continue;
            }
            let here = bracket.root().filter(|_| bracket.crossed);
            down = match (down, here) {
                (Some((most, _)), Some(here)) if here > most => Some((here, Some(depth))),
                (Some(down), Some(_)) => Some(down),
                _ => None,
            };
            progress.push(Progress {
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
