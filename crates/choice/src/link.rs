//! Links: from the proxies of a turn's options to their probabilities.
//!
//! - `loglog`, the paper's: p_i = p_0^(1 / y_i), where p_0 makes the sum 1.
//! - `norm`: p_i = y_i / (y_0 + y_1 + ...).
//! - `blend`: (1 - lambda) of the first and lambda of the second. People play the only good move more
//!   often than `loglog` predicts; the blend corrects that.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 3.

use std::{fmt, str::FromStr, sync::LazyLock};

use thiserror::Error;

/// How proxies become probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// p_i = p_0^(1 / y_i), the paper's.
    LogLog,
    /// p_i proportional to y_i.
    Norm,
    /// A mixture of both.
    Blend {
        /// The share of `norm`, from 0 to 1.
        lambda: f64,
    },
}

impl Link {
    /// A typical share of `norm` in the blend: fits to games of strong players give .15 to .39.
    pub const USUAL_LAMBDA: f64 = 0.3;

    /// The share of `norm`.
    pub fn lambda(self) -> f64 {
        match self {
            Link::LogLog => 0.0,
            Link::Norm => 1.0,
            Link::Blend { lambda } => lambda,
        }
    }

    /// The name without lambda.
    pub fn name(self) -> &'static str {
        match self {
            Link::LogLog => "loglog",
            Link::Norm => "norm",
            Link::Blend { .. } => "blend",
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Link::Blend { lambda } => write!(f, "blend:lambda={lambda}"),
            other => f.pad(other.name()),
        }
    }
}

/// Returned when a name is not a link.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "'{0}' is not a link; the links are loglog, norm, blend and blend:lambda=L with L from 0 to 1"
)]
pub struct LinkError(String);

impl FromStr for Link {
    type Err = LinkError;

    /// `loglog`, `norm`, `blend` or `blend:lambda=0.35`.
    fn from_str(text: &str) -> Result<Link, LinkError> {
        let blend = |lambda| Link::Blend { lambda };
        match text.split_once(":lambda=") {
            None if text == "loglog" => Some(Link::LogLog),
            None if text == "norm" => Some(Link::Norm),
            None if text == "blend" => Some(blend(Link::USUAL_LAMBDA)),
            Some(("blend", lambda)) => lambda
                .parse()
                .ok()
                .filter(|lambda| (0.0..=1.0).contains(lambda))
                .map(blend),
            _ => None,
        }
        .ok_or_else(|| LinkError(text.to_owned()))
    }
}

/// After a relative step this small, the next correction (its third power) would be lost in rounding.
const LAST_STEP: f64 = 1e-5;

/// Solves sum exp(-a_i z) = 1 for z, where a_i = 1 / y_i and `a[best]` is the least, and leaves the
/// probabilities exp(-a_i z) in `p`.
///
/// The logarithm of the sum is convex in z. Halley's method triples the number of correct digits with
/// each pass. It starts at the greatest of the bounds ln m / mean(a_0 ... a_(m-1)) over the first m
/// options, which follow from Jensen's inequality. Left of the root its step is at most twice Newton's,
/// which stays left; right of it, the step is shorter than Newton's, which leads back. So it always
/// converges.
pub(crate) fn solve_loglog(a: &[f64], best: usize, p: &mut [f64]) -> f64 {
    let mut z = lower_bound(a);
    loop {
        for (p, &a) in p.iter_mut().zip(a) {
            *p = (-a * z).exp();
        }
        let (mut slope, mut bend) = (0.0, 0.0);
        for (&p, &a) in p.iter().zip(a) {
            slope += a * p;
            bend += a * a * p;
        }
        // The sum minus 1, without cancellation: the best option may leave almost nothing for the
        // others.
        let others: f64 = p[..best].iter().chain(&p[best + 1..]).sum();
        let excess = others + (-a[best] * z).exp_m1();
        let sum = 1.0 + excess;
        let newton = sum * excess.ln_1p() / slope;
        let relative_bend = bend / slope - slope / sum;
        let step = newton / (1.0 - 0.5 * newton * relative_bend).max(0.5);
        z += step;
        if step.abs() > LAST_STEP * z {
            continue;
        }
        // A third-order expansion of exp(-a step) is exact for a step this short.
        for (p, &a) in p.iter_mut().zip(a) {
            let x = a * step;
            *p *= 1.0 - x * (1.0 - x * (0.5 - x / 6.0));
        }
        return z;
    }
}

fn lower_bound(a: &[f64]) -> f64 {
    let (mut bound, mut sum) = (0.0_f64, 0.0);
    for (i, &a) in a.iter().enumerate() {
        sum += a;
        let entropy = ENTROPIES.get(i).copied();
        bound = bound.max(entropy.unwrap_or_else(|| entropy_of(i)) / sum);
    }
    bound
}

/// m ln m for m = 1, 2, ..., up to more options than any chess position has.
static ENTROPIES: LazyLock<[f64; 256]> = LazyLock::new(|| std::array::from_fn(entropy_of));

fn entropy_of(i: usize) -> f64 {
    let m = (i + 1) as f64;
    m * m.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_options_share() {
        let mut p = [0.0; 4];
        let z = solve_loglog(&[1.0; 4], 0, &mut p);
        assert!((z - 4_f64.ln()).abs() < 1e-15);
        assert!(p.iter().all(|p| (p - 0.25).abs() < 1e-15));
    }

    #[test]
    fn the_square_is_the_golden_section() {
        // p + p^2 = 1.
        let mut p = [0.0; 2];
        solve_loglog(&[1.0, 2.0], 0, &mut p);
        assert!((p[0] - (5_f64.sqrt() - 1.0) / 2.0).abs() < 1e-15);
    }

    /// One bad option beside the best: z = exp(-a z) (1 - z / 2 + ...), however small.
    #[test]
    fn tiny_probabilities_are_right() {
        let mut p = [0.0; 2];
        let a = 45_f64.exp();
        let z = solve_loglog(&[1.0, a], 0, &mut p);
        assert!((p[1] / (-a * z).exp() - 1.0).abs() < 1e-13);
        assert!((p[1] / -(-z).exp_m1() - 1.0).abs() < 1e-13);
    }

    #[test]
    fn one_option_is_certain() {
        let mut p = [0.0];
        assert_eq!(solve_loglog(&[1.0], 0, &mut p), 0.0);
        assert_eq!(p, [1.0]);
    }

    #[test]
    fn names_are_read_back() {
        for link in [Link::LogLog, Link::Norm, Link::Blend { lambda: 0.25 }] {
            assert_eq!(link.to_string().parse(), Ok(link));
        }
        for wrong in [
            "log",
            "blend:lambda=2",
            "blend:lambda=",
            "norm:lambda=1",
            "",
        ] {
            assert!(wrong.parse::<Link>().is_err(), "{wrong}");
        }
    }
}
