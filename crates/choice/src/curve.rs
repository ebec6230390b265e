//! Curves: how quickly an option loses appeal as its cost grows.
//!
//! An option that costs *delta* has the *proxy* y = g(delta), where g(0) = 1 and g decreases. The
//! *sensitivity* s is the smallest cost an agent can tell from zero; the *consistency* c says how
//! reliably it avoids the costs it can tell. Everything here works with the *reluctance* -ln y,
//! which does not underflow.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 4.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// Upper limit of reluctance: an option with exp(-50) times the proxy of the best one is practically
/// never chosen.
pub(crate) const MAX_RELUCTANCE: f64 = 50.0;

/// A family of curves; s and c select a member. With v = (delta / s)^c:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Curve {
    /// exp(-v), the curve of the paper's results, equation 1.
    InverseExponential,
    /// 1 / (1 + v).
    Ipa,
    /// 1 / (1 + delta / s)^c.
    Ipb,
    /// 2 / (exp v + exp -v).
    Secha,
    /// 4 / (exp v + 2 + exp -v).
    Sechb,
}

/// -ln y of one option, and its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reluctance {
    /// -ln y.
    pub value: f64,
    /// Its derivative with respect to ln s.
    pub by_log_s: f64,
    /// Its derivative with respect to ln c.
    pub by_log_c: f64,
}

impl Reluctance {
    const NONE: Reluctance = Reluctance {
        value: 0.0,
        by_log_s: 0.0,
        by_log_c: 0.0,
    };
    const GREATEST: Reluctance = Reluctance {
        value: MAX_RELUCTANCE,
        ..Reluctance::NONE
    };
}

impl Curve {
    /// All curves.
    pub const ALL: [Curve; 5] = [
        Curve::InverseExponential,
        Curve::Ipa,
        Curve::Ipb,
        Curve::Secha,
        Curve::Sechb,
    ];

    /// The proxy y of an option that costs `delta`.
    ///
    /// ```
    /// use errare_choice::Curve;
    ///
    /// assert_eq!(Curve::InverseExponential.proxy(0.0, 0.1, 0.5), 1.0);
    /// let curve = Curve::InverseExponential;
    /// assert!((curve.proxy(0.4, 0.1, 0.5) - f64::exp(-2.0)).abs() < 1e-15);
    /// assert!((Curve::Ipa.proxy(0.4, 0.1, 0.5) - 1.0 / 3.0).abs() < 1e-15);
    /// ```
    pub fn proxy(self, delta: f64, s: f64, c: f64) -> f64 {
        (-self.reluctance((delta / s).ln(), c).value).exp()
    }

    /// The reluctance to choose an option, given ln(delta / s), which is minus infinity for the best
    /// option.
    #[inline]
    pub fn reluctance(self, log_ratio: f64, c: f64) -> Reluctance {
        if log_ratio == f64::NEG_INFINITY {
            return Reluctance::NONE;
        }
        let log_v = c * log_ratio;
        let v = log_v.exp();
        // The derivatives of v are -c v and v ln v; those of the value are `slope` times these.
        let (value, slope) = match self {
            Curve::InverseExponential => (v, 1.0),
            Curve::Ipa => (softplus(log_v), 1.0 / (1.0 + v)),
            Curve::Ipb => {
                let value = c * softplus(log_ratio);
                return capped(Reluctance {
                    value,
                    by_log_s: -c / (1.0 + (-log_ratio).exp()),
                    by_log_c: value,
                });
            }
            Curve::Secha => (log_cosh(v), v.tanh()),
            Curve::Sechb => (2.0 * log_cosh(0.5 * v), (0.5 * v).tanh()),
        };
        capped(Reluctance {
            value,
            by_log_s: -c * v * slope,
            by_log_c: if v > 0.0 { log_v * v * slope } else { 0.0 },
        })
    }
}

#[inline]
fn capped(reluctance: Reluctance) -> Reluctance {
    if reluctance.value < MAX_RELUCTANCE {
        reluctance
    } else {
        Reluctance::GREATEST
    }
}

/// ln(1 + exp x).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// ln cosh x, for x >= 0. Near zero the difference below would leave only rounding error.
fn log_cosh(x: f64) -> f64 {
    if x < 1e-4 {
        return 0.5 * x * x;
    }
    x + (-2.0 * x).exp().ln_1p() - std::f64::consts::LN_2
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Curve::InverseExponential => "inverse-exponential",
            Curve::Ipa => "ipa",
            Curve::Ipb => "ipb",
            Curve::Secha => "secha",
            Curve::Sechb => "sechb",
        })
    }
}

/// Returned when a name is not a curve.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' is not a curve; the curves are inverse-exponential, ipa, ipb, secha and sechb")]
pub struct CurveError(String);

impl FromStr for Curve {
    type Err = CurveError;

    fn from_str(text: &str) -> Result<Curve, CurveError> {
        let named = |curve: &Curve| curve.to_string() == text;
        let curve = Curve::ALL.into_iter().find(named);
        curve.ok_or_else(|| CurveError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas as section 4 prints them.
    fn printed(curve: Curve, delta: f64, s: f64, c: f64) -> f64 {
        let ratio = delta / s;
        let v = ratio.powf(c);
        match curve {
            Curve::InverseExponential => (-v).exp(),
            Curve::Ipa => 1.0 / (1.0 + v),
            Curve::Ipb => 1.0 / (1.0 + ratio).powf(c),
            Curve::Secha => 2.0 / (v.exp() + (-v).exp()),
            Curve::Sechb => 4.0 / (v.exp() + 2.0 + (-v).exp()),
        }
    }

    #[test]
    fn curves_are_as_printed() {
        for curve in Curve::ALL {
            assert_eq!(curve.proxy(0.0, 0.1, 0.5), 1.0);
            for delta in [1e-9, 0.001, 0.03, 0.1, 0.4, 1.6] {
                for c in [0.3, 0.5, 1.0, 2.0] {
                    let (ours, theirs) =
                        (curve.proxy(delta, 0.2, c), printed(curve, delta, 0.2, c));
                    assert!((ours - theirs).abs() < 1e-14, "{curve} {delta} {c}");
                }
            }
        }
    }

    #[test]
    fn slopes_are_differences() {
        let step = 1e-6;
        for curve in Curve::ALL {
            for delta in [0.001_f64, 0.03, 0.4, 1.6] {
                let (s, c) = (0.12_f64, 0.8_f64);
                let value = |by_s: f64, by_c: f64| {
                    let log_ratio = delta.ln() - s.ln() - by_s;
                    curve.reluctance(log_ratio, c * by_c.exp()).value
                };
                let at = curve.reluctance((delta / s).ln(), c);
                let by_s = (value(step, 0.0) - value(-step, 0.0)) / (2.0 * step);
                let by_c = (value(0.0, step) - value(0.0, -step)) / (2.0 * step);
                assert!((by_s - at.by_log_s).abs() < 1e-7, "{curve} {delta}");
                assert!((by_c - at.by_log_c).abs() < 1e-7, "{curve} {delta}");
            }
        }
    }

    #[test]
    fn reluctance_is_capped() {
        for curve in Curve::ALL {
            assert!(curve.reluctance(1e6, 3.0).value <= MAX_RELUCTANCE);
            assert_eq!(curve.reluctance(f64::NEG_INFINITY, 3.0).value, 0.0);
        }
    }

    #[test]
    fn names_are_read_back() {
        for curve in Curve::ALL {
            assert_eq!(curve.to_string().parse(), Ok(curve));
        }
        assert!("sech".parse::<Curve>().is_err());
    }
}
