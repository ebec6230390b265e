//! The appendix: inequalities, tried on a grid of their arguments.

use super::{Computed, Error, Finding, Lab};

/// Exponents to try.
const POWERS: [f64; 5] = [0.5, 1.5, 2.0, 3.0, 7.0];

/// Numbers between 0 and 1.
fn unit() -> impl Iterator<Item = f64> + Clone {
    (1..20).map(|step| f64::from(step) / 20.0)
}

fn rises(f: impl Fn(f64) -> f64) -> bool {
    unit().map(f).is_sorted_by(|a, b| a < b)
}

fn at_least_1() -> impl Iterator<Item = f64> {
    POWERS.into_iter().filter(|power| *power > 1.0).chain([1.0])
}

/// (1 - (1 - x)^t) / (1 - (1 - y)^t), which the corollaries order.
fn share(x: f64, y: f64, t: f64) -> f64 {
    (1.0 - (1.0 - x).powf(t)) / (1.0 - (1.0 - y).powf(t))
}

/// How often each lemma and corollary fails.
pub(super) fn appendix_a(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let above_1 = || POWERS.into_iter().filter(|t| *t > 1.0);
    let a_1 = above_1().flat_map(|t| unit().map(move |x: f64| (1.0 - x).powf(t) + x * t));
    let h_1 = |e: f64, y: f64, t: f64| share(e * y, y, t);
    let a_2 = above_1().flat_map(|t| unit().map(move |fixed| (t, fixed)));
    let a_2 =
        a_2.filter(|&(t, fixed)| !rises(|y| h_1(fixed, y, t)) || !rises(|e| h_1(e, fixed, t)));
    let (mut a_3, mut a_4) = (0, 0);
    for ([x1, y1], [x2, y2]) in ordered_pairs() {
        lab.watch.check()?;
        for q in at_least_1() {
            a_3 += usize::from(share(x1, y1, q) >= share(x2, y2, q));
            let raised = |m: f64| {
                let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|value: f64| value.powf(m));
                share(x1, y1, q) >= share(x2, y2, q)
            };
            a_4 += POWERS.into_iter().filter(|&m| raised(m)).count();
        }
    }
    let below = || unit().flat_map(|y| unit().filter(move |x| *x < y).map(move |x| (x, y)));
    let powers = || POWERS.into_iter().flat_map(|p| POWERS.map(|u| (p, u)));
    let rising = || powers().filter(|(p, u)| p < u);
    let a_5 = below().flat_map(|pair| rising().map(move |powers| (pair, powers)));
    let a_5 = a_5.flat_map(|case| at_least_1().map(move |q| (case, q)));
    let a_5 = a_5.filter(|&(((x, y), (less, more)), q)| {
        let of = |m: f64| share(x.powf(m), y.powf(m), q);
        of(more) >= of(less)
    });
    let ratio = |p: f64, u: f64| move |x: f64| (1.0 - x.powf(u)) / (1.0 - x.powf(p));
    let a_6 = |ordered: bool| {
        let pairs = powers().filter(|(p, u)| if ordered { p < u } else { p > u });
        pairs.filter(|&(p, u)| !rises(ratio(p, u))).count()
    };
    let h = |x: f64, y: f64, t: f64| (1.0 - x.powf(t)) / (1.0 - y.powf(t));
    let a_7 = below().flat_map(|pair| rising().map(move |powers| (pair, powers)));
    let a_7 = a_7.filter(|&((x, y), (less, more))| {
        h(x, y, less) <= h(x, y, more) || h(y, x, less) >= h(y, x, more)
    });
    let counts = [
        ("lemma-a.1", a_1.filter(|f| *f <= 1.0).count()),
        ("lemma-a.2", a_2.count()),
        ("corollary-a.3", a_3),
        ("corollary-a.4", a_4),
        ("corollary-a.5", a_5.count()),
        ("lemma-a.6", a_6(true)),
        ("lemma-a.6/reversed", a_6(false)),
        ("corollary-a.7", a_7.count()),
    ];
    let finding = |(key, count): (&str, usize)| Finding::new(key, Computed::count(count));
    Ok(counts.map(finding).into())
}

/// x_1, y_1, x_2 and y_2 that meet the conditions of corollary A.3.
fn ordered_pairs() -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
    /// Ratios that are equal up to rounding satisfy no strict inequality.
    const ROUNDING: f64 = 1e-9;
    let pairs = || unit().flat_map(|y| unit().map(move |x| [x, y]));
    pairs().flat_map(move |[x1, y1]| {
        let above = pairs().filter(move |[x2, y2]| x2 < y2 && y1 < *y2);
        above
            .filter(move |[x2, y2]| x1 / y1 < x2 / y2 - ROUNDING)
            .map(move |second| ([x1, y1], second))
    })
}
