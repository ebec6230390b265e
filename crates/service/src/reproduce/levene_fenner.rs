//! Levene and Fenner, *The effect of mobility on minimaxing of game trees with random leaf values*.

mod appendix;
mod enumeration;
mod limits;

use errare_minimax::{
    Alpha, LevelRegular, Lookahead, Product, Ties, Tree, at_most, exact_probabilities,
};
use num_rational::BigRational;

use super::{
    Computed, Experiment, Figure, FigureCurve, Finding,
    lab::{Lab, SEED},
};
use crate::{Error, matches::GameName, minimax::matches};

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "levene-fenner/section-2",
        short: true,
        run: section_2,
    },
    Experiment {
        id: "levene-fenner/section-1",
        short: true,
        run: one_ply,
    },
    Experiment {
        id: "levene-fenner/equation-4",
        short: true,
        run: equation_4,
    },
    Experiment {
        id: "levene-fenner/section-4",
        short: true,
        run: enumeration::section_4,
    },
    Experiment {
        id: "levene-fenner/example-1",
        short: true,
        run: example_1,
    },
    Experiment {
        id: "levene-fenner/example-2",
        short: true,
        run: example_2,
    },
    Experiment {
        id: "levene-fenner/lemma-5.1",
        short: true,
        run: lemma_5_1,
    },
    Experiment {
        id: "levene-fenner/equation-5",
        short: true,
        run: equation_5,
    },
    Experiment {
        id: "levene-fenner/lemma-5.2",
        short: true,
        run: lemma_5_2,
    },
    Experiment {
        id: "levene-fenner/lemma-5.3",
        short: true,
        run: enumeration::lemma_5_3,
    },
    Experiment {
        id: "levene-fenner/section-5",
        short: true,
        run: two_plies,
    },
    Experiment {
        id: "levene-fenner/theorem-6.2",
        short: true,
        run: theorem_6_2,
    },
    Experiment {
        id: "levene-fenner/section-7",
        short: true,
        run: limits::section_7,
    },
    Experiment {
        id: "levene-fenner/theorem-7.1",
        short: true,
        run: theorem_7_1,
    },
    Experiment {
        id: "levene-fenner/corollary-7.3",
        short: false,
        run: corollary_7_3,
    },
    Experiment {
        id: "levene-fenner/appendix-a",
        short: true,
        run: appendix::appendix_a,
    },
    Experiment {
        id: "levene-fenner/open-question-1",
        short: true,
        run: open_question_1,
    },
    Experiment {
        id: "levene-fenner/open-question-2",
        short: true,
        run: open_question_2,
    },
];

const EXAMPLE_1: &str = "((3 3)(2 2 2))";
const EXAMPLE_2: &str = "((3 3)(2))";

fn tree(text: &str) -> Tree {
    text.parse().expect("trees are well written here")
}

fn scores(alpha: u32) -> Alpha {
    Alpha::finite(alpha).expect("there is at least one score")
}

fn exact(text: &str, alpha: u32) -> Vec<BigRational> {
    exact_probabilities(&tree(text), scores(alpha), Ties::All)
}

/// w_b, the root of (1-x)^b = x, by bisection.
fn section_2(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let root = |b: i32| {
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for _ in 0..60 {
            let x = f64::midpoint(low, high);
            if (1.0 - x).powi(b) > x {
                low = x;
            } else {
                high = x;
            }
        }
        high
    };
    let roots: Vec<f64> = (2..=100).map(root).collect();
    Ok(vec![
        Finding::new("w2", Computed::yes(roots[0] < 0.382)),
        Finding::new("falls", Computed::yes(roots.is_sorted_by(|a, b| a > b))),
    ])
}

/// The chances of all moves together: more than 1 because of ties, which become rare as α grows.
fn equation_4(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let one = BigRational::from_integer(1.into());
    let sum = |text: &str, alpha| exact(text, alpha).into_iter().sum::<BigRational>();
    let below = [EXAMPLE_1, EXAMPLE_2]
        .iter()
        .flat_map(|text| (1..=100).filter(|&alpha| sum(text, alpha) < one));
    let excess = |alpha| num_traits::ToPrimitive::to_f64(&(sum(EXAMPLE_1, alpha) - &one));
    let text = [10, 100, 1000]
        .map(|alpha| format!("{:.4}", excess(alpha).unwrap_or(f64::NAN)))
        .join(", ");
    Ok(vec![
        Finding::new("", Computed::count(below.count())),
        Finding::new("excess", Computed::Text(text)),
    ])
}

/// Trees of one ply: all moves are equally likely.
fn one_ply(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let unequal = (2..=6).flat_map(|alpha| (1..=12).map(move |moves| (alpha, moves)));
    let unequal = unequal.filter(|&(alpha, moves)| {
        let leaves = vec!["1"; moves].join(" ");
        let chances = exact(&format!("({leaves})"), alpha);
        chances.iter().any(|chance| *chance != chances[0])
    });
    Ok(vec![Finding::new("", Computed::count(unequal.count()))])
}

fn example_1(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let both = exact(EXAMPLE_1, 2);
    let exceptions = (2..=100).filter(|&alpha| {
        let both = exact(EXAMPLE_1, alpha);
        both[0] <= both[1]
    });
    Ok(vec![
        Finding::new("a", Computed::Text(both[0].to_string())),
        Finding::new("b", Computed::Text(both[1].to_string())),
        Finding::new("any-alpha", Computed::count(exceptions.count())),
    ])
}

fn listed(both: &[BigRational]) -> Computed {
    Computed::Text(
        both.iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    )
}

fn example_2(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let ratio = |alpha| {
        let both = exact(EXAMPLE_2, alpha);
        &both[0] / &both[1]
    };
    let ratios: Vec<BigRational> = (2..=100).map(ratio).collect();
    let number = |ratio: &BigRational| num_traits::ToPrimitive::to_f64(ratio).unwrap_or(f64::NAN);
    let figure = Figure {
        x: "α".to_owned(),
        y: "prob(a) / prob(b)".to_owned(),
        curves: vec![FigureCurve {
            name: "example 2".to_owned(),
            points: (2..)
                .map(f64::from)
                .zip(ratios.iter().map(number))
                .collect(),
        }],
        marks: Vec::new(),
        printed: Vec::new(),
    };
    let limit = exact_probabilities(&tree(EXAMPLE_2), Alpha::CONTINUOUS, Ties::All);
    let one = BigRational::from_integer(1.into());
    // The first ratio is that of α = 2.
    let exceptions = ratios[1..].iter().filter(|ratio| **ratio >= one).count();
    Ok(vec![
        Finding::new("alpha=2", listed(&exact(EXAMPLE_2, 2))),
        Finding::new("alpha=3", listed(&exact(EXAMPLE_2, 3))),
        Finding::new(
            "decreasing",
            Computed::yes(ratios[1..].is_sorted_by(|a, b| a > b)),
        )
        .with(figure),
        Finding::new("order", Computed::count(exceptions)),
        Finding::new("limit", listed(&limit)),
    ])
}

/// Example 2 with two scores, by enumerating all 256 assignments instead of using the lemma.
fn lemma_5_1(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const LEAVES: u32 = 8;
    let (mut a, mut b) = (0, 0);
    for scores in 0..1_u32 << LEAVES {
        let best = |leaves: &[u32]| leaves.iter().map(|leaf| scores >> leaf & 1).max();
        let score_a = best(&[0, 1, 2]).min(best(&[3, 4, 5]));
        let score_b = best(&[6, 7]);
        a += u32::from(score_a >= score_b);
        b += u32::from(score_b >= score_a);
    }
    let text = format!("{a}/256, {b}/256");
    Ok(vec![Finding::new("", Computed::Text(text))])
}

/// The probability that all leaves of example 1 have different scores, exactly and by (5), for α = 100 N².
fn equation_5(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const N: u32 = 12;
    let n = f64::from(N);
    let alpha = 100.0 * n * n;
    let exact: f64 = (0..N).map(|i| 1.0 - f64::from(i) / alpha).product();
    let approximate = (-n * n / (2.0 * alpha)).exp();
    let text = format!("{exact:.4} exactly, {approximate:.4} by (5)");
    Ok(vec![
        Finding::new("", Computed::yes((exact - approximate).abs() < 1e-3)),
        Finding::new("values", Computed::Text(text)),
    ])
}

/// EQ/LE of both moves at i = 2: that of a is the greater, although prob(a) is the smaller.
fn lemma_5_2(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let tree = tree(EXAMPLE_2);
    let share = |node: &Tree| {
        let le = at_most(node, 3);
        BigRational::new((&le[2] - &le[1]).into(), le[2].clone().into())
    };
    let moves = tree.moves();
    let both = exact(EXAMPLE_2, 3);
    let fails = share(moves[0]) > share(moves[1]) && both[0] < both[1];
    Ok(vec![Finding::new("", Computed::yes(fails))])
}

fn pair(a: &[u32], b: &[u32]) -> Tree {
    LevelRegular::root(&[a, b].map(|counts| LevelRegular(counts.to_vec())))
}

fn two_plies(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let mut exceptions = 0;
    for alpha in 2..=6 {
        for few in 1..12 {
            for many in few + 1..=12 {
                let both = exact_probabilities(&pair(&[few], &[many]), scores(alpha), Ties::All);
                exceptions += usize::from(both[0] <= both[1]);
            }
        }
    }
    Ok(vec![Finding::new("2-ply", Computed::count(exceptions))])
}

fn theorem_6_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let (mut exceptions, mut at_one_level, mut at_one_score, mut behind) = (0, 0, 0, 0);
    let counts = || (1..=5).flat_map(|q| (1..=5).map(move |m| [q, m]));
    for alpha in 1..=4 {
        for a in counts() {
            lab.watch.check()?;
            // One move dominates another if it leaves the opponent no more choices, and oneself no fewer.
            for b in counts().filter(|b| a[0] <= b[0] && a[1] >= b[1]) {
                let both = exact_probabilities(&pair(&a, &b), scores(alpha), Ties::All);
                behind += usize::from(both[0] < both[1]);
                if a == b {
                    continue;
                }
                let fails = usize::from(both[0] <= both[1]);
                if alpha == 1 {
                    at_one_score += fails;
                    continue;
                }
                exceptions += fails;
                if a[0] == b[0] || a[1] == b[1] {
                    at_one_level += fails;
                }
            }
        }
    }
    Ok(vec![
        Finding::new("", Computed::count(exceptions)),
        Finding::new("lemma-6.1", Computed::count(at_one_level)),
        Finding::new("alpha=1", Computed::count(at_one_score)),
        Finding::new("corollary-6.3", Computed::count(behind)),
    ])
}

/// win(4, 2) and win(3, 1) in Othello, whose mobility matters.
fn corollary_7_3(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const GAMES: u32 = 400;
    let mut findings = Vec::new();
    for (deep, shallow) in [(3, 1), (4, 2)] {
        let request = matches::Request {
            players: [deep, shallow].map(|depth| format!("minimax:depth={depth}")),
            game: GameName::Othello,
            games: GAMES,
            max_plies: 400,
            from: None,
            seed: Some(SEED),
            long: false,
        };
        let won = matches::answer(&request, &lab.quiet())?.results.win;
        lab.watch.check()?;
        let Some(won) = won else { continue };
        let key = format!("othello/{deep}-{shallow}");
        let text = format!("{:.3} ({:.3}-{:.3})", won.share, won.low, won.high);
        findings.push(Finding::new(key.clone(), Computed::yes(won.low > 0.5)));
        findings.push(Finding::new(format!("{key}/share"), Computed::Text(text)));
    }
    Ok(findings)
}

/// Pairs of a good and a bad move for which deeper search is harmful.
fn harmful_pairs() -> [Lookahead; 4] {
    let pair = |good: &[u32], bad: &[u32], shallow| Lookahead {
        good: LevelRegular(good.to_vec()),
        bad: LevelRegular(bad.to_vec()),
        shallow,
        alpha: Alpha::CONTINUOUS,
    };
    [
        pair(&[2, 2], &[3, 3], 2),
        pair(&[2, 3, 4], &[3, 2, 1], 3),
        pair(&[2, 3, 4, 1], &[3, 2, 1, 2], 3),
        pair(&[2, 2, 2, 1], &[3, 3, 1, 2], 3),
    ]
}

fn thresholds(pair: &Lookahead, product: Product) -> Vec<u32> {
    pair.thresholds(product)
        .iter()
        .filter_map(|threshold| threshold.least)
        .collect()
}

fn theorem_7_1(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let pairs = harmful_pairs();
    let found = pairs.iter().filter(|pair| {
        [Product::M, Product::Q]
            .into_iter()
            .any(|product| !thresholds(pair, product).is_empty())
    });
    Ok(vec![Finding::new("", Computed::count(found.count()))])
}

fn open_question_1(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let [one_ply, ..] = harmful_pairs();
    let found = |pair: &Lookahead, product| {
        let least = thresholds(pair, product);
        least
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let pairs = harmful_pairs();
    let text = format!(
        "one ply more: M alone from {}; two plies more: M alone from {}, Q alone from {}",
        found(&one_ply, Product::M),
        found(&pairs[2], Product::M),
        found(&pairs[2], Product::Q),
    );
    Ok(vec![Finding::new("", Computed::Text(text))])
}

/// How often the ratio of the products of m and q, and the nested logarithms, identify the likelier of two moves.
fn open_question_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let counts: Vec<[u32; 2]> = (2..=8).flat_map(|q| (2..=8).map(move |m| [q, m])).collect();
    let product = |&[q, m]: &[u32; 2]| f64::from(m) / f64::from(q);
    let nested = |&[q, m]: &[u32; 2]| f64::from(m) / (f64::from(q) / 2_f64.ln()).ln();
    let (mut pairs, mut by_product, mut by_nested) = (0, 0, 0);
    for (i, a) in counts.iter().enumerate() {
        lab.watch.check()?;
        for b in &counts[i + 1..] {
            let both = exact_probabilities(&pair(a, b), scores(60), Ties::All);
            let a_is_likelier = both[0] > both[1];
            pairs += 1;
            by_product += usize::from((product(a) > product(b)) == a_is_likelier);
            by_nested += usize::from((nested(a) > nested(b)) == a_is_likelier);
        }
    }
    let percent = |right: usize| 100.0 * right as f64 / f64::from(pairs);
    let text = format!(
        "of {pairs} pairs at depth 3 the ratio of products names the likelier move in {:.1} %, nested logarithms in {:.1} %",
        percent(by_product),
        percent(by_nested),
    );
    Ok(vec![Finding::new("", Computed::Text(text))])
}
