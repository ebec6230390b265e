//! Every number printed in Levene & Fenner, by recursion and by enumeration.

mod common;

use common::{enumerate, fraction};
use errare_minimax::{
    Alpha, LevelRegular, Lookahead, Product, Ties, Tree, at_most, exact_probabilities,
};
use num_rational::BigRational;
use num_traits::ToPrimitive;

const EXAMPLE_1: &str = "((3 3)(2 2 2))";
const EXAMPLE_2: &str = "((3 3)(2))";

fn printed(text: &str, alpha: u32) -> Vec<String> {
    let tree: Tree = text.parse().unwrap();
    let recursion = exact_probabilities(&tree, Alpha::finite(alpha).unwrap(), Ties::All);
    assert_eq!(recursion, enumerate(&tree, alpha, Ties::All));
    recursion.iter().map(BigRational::to_string).collect()
}

/// Section 6, example 1.
#[test]
fn example_1() {
    assert_eq!(printed(EXAMPLE_1, 2), ["3691/4096", "2283/4096"]);
}

/// Section 6, example 2.
#[test]
fn example_2() {
    assert_eq!(printed(EXAMPLE_2, 2), ["211/256", "207/256"]);
    assert_eq!(printed(EXAMPLE_2, 3), ["4562/6561", "4802/6561"]);
}

/// Section 6, example 2: "for 3 <= alpha <= 100, prob(a)/prob(b) is monotonically decreasing".
#[test]
fn example_2_for_alpha_up_to_100() {
    let tree: Tree = EXAMPLE_2.parse().unwrap();
    let ratio = |alpha| {
        let moves = exact_probabilities(&tree, Alpha::finite(alpha).unwrap(), Ties::All);
        &moves[0] / &moves[1]
    };
    let ratios: Vec<BigRational> = (3..=100).map(ratio).collect();
    assert!(ratios.is_sorted_by(|a, b| a > b));
    assert!(ratios[0] < fraction(1, 1));
    let limit = exact_probabilities(&tree, Alpha::CONTINUOUS, Ties::All);
    assert_eq!(limit, [fraction(9, 20), fraction(11, 20)]);
    assert!(*ratios.last().unwrap() > fraction(9, 11));
}

/// The remark after lemma 5.2: prob(a) < prob(b) in example 2 with alpha = 3, though (6) fails at
/// i = 2: EQ/LE is 315/368 for a, 3/4 for b; at i = 3 it is 361/729 and 5/9.
#[test]
fn the_converse_of_lemma_5_2_is_false() {
    let tree: Tree = EXAMPLE_2.parse().unwrap();
    let share = |node: &Tree, i: usize| {
        let le = at_most(node, 3);
        BigRational::new((&le[i] - &le[i - 1]).into(), le[i].clone().into())
    };
    let [a, b] = tree.moves()[..] else {
        panic!("two moves")
    };
    assert_eq!(
        [share(a, 2), share(b, 2)],
        [fraction(315, 368), fraction(3, 4)]
    );
    assert_eq!(
        [share(a, 3), share(b, 3)],
        [fraction(361, 729), fraction(5, 9)]
    );
}

fn two(good: &[u32], bad: &[u32], shallow: usize) -> Lookahead {
    let [good, bad] = [good, bad].map(|counts| LevelRegular(counts.to_vec()));
    Lookahead {
        good,
        bad,
        shallow,
        alpha: Alpha::CONTINUOUS,
    }
}

/// Inequality (24) in exact arithmetic.
fn beneficial_exactly(pair: &Lookahead) -> bool {
    let ratio = |depth| {
        let moves = [&pair.good, &pair.bad].map(|each| each.truncated(depth));
        let both = exact_probabilities(&LevelRegular::root(&moves), pair.alpha, Ties::All);
        &both[0] / &both[1]
    };
    ratio(pair.deep()) > ratio(pair.shallow)
}

/// Section 7: deeper search is not always beneficial. The good move restricts the opponent at once,
/// but two plies later leaves the opponent more choice, or the player less.
#[test]
fn deeper_search_can_be_harmful() {
    for (good, bad, shallow) in [
        (&[2, 2][..], &[3, 3][..], 2),
        (&[2, 3, 4][..], &[3, 2, 1][..], 3),
        (&[2, 3, 4, 1][..], &[3, 2, 1, 2][..], 3),
    ] {
        let pair = two(good, bad, shallow);
        assert!(
            pair.ratio(shallow) > 1.0,
            "the good move is the likelier one before"
        );
        assert!(
            !pair.is_beneficial() && !beneficial_exactly(&pair),
            "{good:?} {bad:?}"
        );
    }
}

/// Theorem 7.1: the thresholds exist, one product alone is enough, also with one ply more, and each
/// is sharp in exact arithmetic.
#[test]
fn thresholds_of_increased_lookahead() {
    let cases = [
        (two(&[2, 2], &[3, 3], 2), Product::M, 2),
        (two(&[2, 3, 4], &[3, 2, 1], 3), Product::Q, 3),
        (two(&[2, 3, 4, 1], &[3, 2, 1, 2], 3), Product::M, 4),
        (two(&[2, 3, 4, 1], &[3, 2, 1, 2], 3), Product::Q, 3),
    ];
    for (pair, product, level) in cases {
        let found = pair.thresholds(product);
        let threshold = found.iter().find(|each| each.level == level).unwrap();
        let least = threshold.least.expect("one product is enough");
        assert!(least > threshold.given);
        let with = |count| {
            let mut changed = pair.clone();
            let counts = match product {
                Product::M => &mut changed.good,
                Product::Q => &mut changed.bad,
            };
            counts.0[level - 1] = count;
            beneficial_exactly(&changed)
        };
        assert!(with(least) && !with(least - 1), "{threshold:?}");
    }
}

/// The note before theorem 7.1: with few scores the ratio is bounded, and no threshold need exist.
#[test]
fn small_alpha_has_no_threshold() {
    let mut pair = two(&[1, 1], &[2, 2], 2);
    pair.alpha = Alpha::finite(1).unwrap();
    assert_eq!(pair.thresholds(Product::M)[0].least, None);
}

/// Section 5: the probabilities tend to those of continuous scores as alpha grows.
#[test]
fn large_alpha_approaches_the_continuum() {
    let tree: Tree = EXAMPLE_1.parse().unwrap();
    let [limit, large] = [Alpha::CONTINUOUS, Alpha::finite(3000).unwrap()].map(|alpha| {
        exact_probabilities(&tree, alpha, Ties::Uniform)[0]
            .to_f64()
            .unwrap()
    });
    assert!((limit - large).abs() < 1e-5, "{limit} {large}");
}
