//! The laws of Levene & Fenner in exact arithmetic, on random trees and numbers.

mod common;

use std::cmp::Ordering;

use common::{enumerate, enumerate_scores, fraction};
use errare_minimax::{
    Alpha, LevelRegular, Ties, Tree, at_most, domination, exact_probabilities, probabilities,
};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, pow};
use proptest::prelude::*;

/// A tree small enough to enumerate with a small alpha.
const FEW_LEAVES: u64 = 9;

fn irregular() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::LEAF);
    let node = leaf.prop_recursive(4, 16, 3, |inner| {
        prop::collection::vec((inner, 1..3u32), 1..=3).prop_map(Tree::node)
    });
    let root = prop::collection::vec((node, Just(1)), 1..=4).prop_map(Tree::node);
    root.prop_filter("few leaves", |tree| tree.leaves() <= FEW_LEAVES)
}

/// Moves of a level-regular tree of some depth.
fn level_regular(moves: usize, most: u32) -> impl Strategy<Value = Vec<LevelRegular>> {
    (0..=4usize).prop_flat_map(move |levels| {
        let counts = prop::collection::vec(1..=most, levels).prop_map(LevelRegular);
        prop::collection::vec(counts, moves)
    })
}

fn small_move() -> impl Strategy<Value = LevelRegular> {
    let counts = prop::collection::vec(1..=3u32, 1..=4).prop_map(LevelRegular);
    counts.prop_filter("few leaves", |counts| counts.tree().leaves() <= FEW_LEAVES)
}

/// A number between 0 and 1, both excluded.
fn proper() -> impl Strategy<Value = BigRational> {
    (2..200u64).prop_flat_map(|below| (1..below).prop_map(move |above| fraction(above, below)))
}

/// Two such numbers, the smaller first.
fn ordered() -> impl Strategy<Value = (BigRational, BigRational)> {
    let different = (proper(), proper()).prop_filter("different", |(x, y)| x != y);
    different.prop_map(|(x, y)| if x < y { (x, y) } else { (y, x) })
}

fn rest(x: &BigRational) -> BigRational {
    BigRational::one() - x
}

/// 1 - x^t
fn missing(x: &BigRational, t: usize) -> BigRational {
    rest(&pow(x.clone(), t))
}

/// The function bounded in corollaries A.4 and A.5: 1 - (1 - x^m)^q.
fn two_plies(x: &BigRational, m: usize, q: usize) -> BigRational {
    missing(&missing(x, m), q)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Lemma 5.1 needs no level-regularity, and ties can be shared.
    #[test]
    fn recursion_equals_enumeration(tree in irregular(), alpha in 1..=3u32) {
        for ties in [Ties::All, Ties::Uniform] {
            let recursion = exact_probabilities(&tree, Alpha::finite(alpha).unwrap(), ties);
            prop_assert_eq!(recursion, enumerate(&tree, alpha, ties));
        }
    }

    /// Shared ties sum to 1, as continuous scores do; counted ties to at least 1 (section 5).
    #[test]
    fn sums(tree in irregular(), alpha in 1..=6u32) {
        let sum = |alpha, ties| exact_probabilities(&tree, alpha, ties).iter().sum::<BigRational>();
        let alpha = Alpha::finite(alpha).unwrap();
        prop_assert_eq!(sum(alpha, Ties::Uniform), BigRational::one());
        prop_assert_eq!(sum(Alpha::CONTINUOUS, Ties::All), BigRational::one());
        prop_assert!(sum(alpha, Ties::All) >= BigRational::one());
    }

    /// Equations (7) to (14) against counts by enumeration.
    #[test]
    fn propagation(counts in small_move(), alpha in 2..=3u32) {
        let depth = counts.depth();
        let at = |level: usize| LevelRegular(counts.0[level - 1..].to_vec()).tree();
        // f_k^i from the counted scores of a node at level k: l = LE / all, g = GT / all.
        let counted = |level: usize, i: u32| {
            let scores = enumerate_scores(&at(level), level as u32, alpha);
            let all: u64 = scores.iter().sum();
            let at_most: u64 = scores[..=i as usize].iter().sum();
            fraction(if level % 2 == 1 { at_most } else { all - at_most }, all)
        };
        let f: Vec<Vec<BigRational>> =
            (1..=depth).map(|level| (0..=alpha).map(|i| counted(level, i)).collect()).collect();
        let f = |level: usize, i: u32| &f[level - 1][i as usize];
        for i in 0..=alpha {
            // (10)
            let leaf = if depth % 2 == 1 { i } else { alpha - i };
            prop_assert_eq!(f(depth, i), &fraction(leaf.into(), alpha.into()));
            // (9) and (11)
            for level in 1..depth {
                let t = counts.0[level - 1] as usize;
                prop_assert_eq!(f(level, i), &missing(f(level + 1, i), t));
            }
            // (7) and (8)
            for level in 1..depth - 1 {
                let [inner, outer] = [level, level - 1].map(|k| counts.0[k] as usize);
                prop_assert_eq!(f(level, i), &two_plies(f(level + 2, i), inner, outer));
            }
            // (12) and (13)
            for from in 1..=depth {
                let levels = counts.0[..from - 1].iter().rev();
                let iterated = levels.fold(f(from, i).clone(), |z, &t| missing(&z, t as usize));
                prop_assert_eq!(f(1, i), &iterated);
            }
        }
        // (14)
        let le = at_most(&counts.tree(), alpha);
        for i in 1..=alpha {
            let [now, before] = [i, i - 1].map(|i| BigRational::from_integer(le[i as usize].clone().into()));
            let share = (&now - &before) / &now;
            prop_assert_eq!(share, rest(&(f(1, i - 1) / f(1, i))));
        }
    }

    /// Theorem 6.2 and corollary 6.3, with other moves present.
    #[test]
    fn domination_theorem(moves in level_regular(4, 4), alpha in 2..=4u32) {
        prop_assume!(LevelRegular::root(&moves).leaves() <= 600);
        for alpha in [Alpha::finite(alpha).unwrap(), Alpha::CONTINUOUS] {
            let prob = exact_probabilities(&LevelRegular::root(&moves), alpha, Ties::All);
            for (i, j) in (0..moves.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
                if let Some(order) = domination(&moves[i], &moves[j]) {
                    prop_assert_eq!(prob[i].cmp(&prob[j]), order);
                }
            }
        }
    }

    /// Lemma 6.1: domination at one level only is enough.
    #[test]
    fn domination_at_one_level(
        moves in level_regular(1, 3).prop_filter("a level", |moves| !moves[0].0.is_empty()),
        level in any::<prop::sample::Index>(),
        more in 1..3u32,
    ) {
        let level = level.index(moves[0].0.len()) + 1;
        let mut other = moves[0].clone();
        other.0[level - 1] += more;
        let order = if level % 2 == 1 { Ordering::Greater } else { Ordering::Less };
        prop_assert_eq!(domination(&moves[0], &other), Some(order));
        let root = LevelRegular::root(&[moves[0].clone(), other]);
        prop_assume!(root.leaves() <= 600);
        let prob = exact_probabilities(&root, Alpha::finite(2).unwrap(), Ties::All);
        prop_assert_eq!(prob[0].cmp(&prob[1]), order);
    }

    /// Lemmas A.1 and A.2.
    #[test]
    fn lemmas_a_1_and_a_2((x, y) in ordered(), (e, d) in ordered(), t in 2..8usize) {
        prop_assert!(pow(rest(&x), t) + &x * fraction(t as u64, 1) > BigRational::one());
        let h1 = |epsilon: &BigRational, y: &BigRational| {
            missing(&rest(&(epsilon * y)), t) / missing(&rest(y), t)
        };
        prop_assert!(h1(&e, &x) < h1(&e, &y));
        prop_assert!(h1(&e, &x) < h1(&d, &x));
    }

    /// Corollaries A.3 and A.4.
    #[test]
    fn corollaries_a_3_and_a_4(
        (y1, y2) in ordered(), (e1, e2) in ordered(), m in 1..6usize, q in 1..6usize,
    ) {
        let (x1, x2) = (&e1 * &y1, &e2 * &y2);
        for m in [1, m] {
            let ratio = |x: &BigRational, y: &BigRational| two_plies(x, m, q) / two_plies(y, m, q);
            prop_assert!(ratio(&x1, &y1) < ratio(&x2, &y2));
        }
    }

    /// Corollary A.5.
    #[test]
    fn corollary_a_5((x, y) in ordered(), m in 1..6usize, more in 1..4usize, q in 1..6usize) {
        let ratio = |m| two_plies(&x, m, q) / two_plies(&y, m, q);
        prop_assert!(ratio(m + more) < ratio(m));
    }

    /// Lemma A.6 (with 0 < p < u, which the paper leaves out) and corollary A.7.
    #[test]
    fn lemma_a_6_and_corollary_a_7((x, y) in ordered(), t in 1..8usize, more in 1..8usize) {
        let j = |theta: &BigRational| missing(theta, t + more) / missing(theta, t);
        prop_assert!(j(&x) < j(&y));
        let h = |x: &BigRational, y: &BigRational, t| missing(x, t) / missing(y, t);
        prop_assert!(h(&x, &y, t + more) < h(&x, &y, t));
        prop_assert!(h(&y, &x, t + more) > h(&y, &x, t));
    }

    /// Quadrature against rational numbers, for continuous leaves and any alpha.
    #[test]
    fn quadrature_equals_exact(tree in irregular(), alpha in 1..=40u32) {
        let alphas = [Alpha::CONTINUOUS, Alpha::finite(alpha).unwrap()];
        for (alpha, ties) in alphas.into_iter().flat_map(|a| [(a, Ties::All), (a, Ties::Uniform)]) {
            let exact = exact_probabilities(&tree, alpha, ties);
            let numeric = probabilities(&tree, alpha, ties, 1e-9);
            prop_assert!(numeric.error <= 1e-9);
            let differences = numeric.probabilities.iter().zip(exact);
            let wrong: f64 = differences.map(|(p, e)| (p - e.to_f64().unwrap()).abs()).sum();
            prop_assert!(wrong <= numeric.error + 1e-12, "{wrong:e} {:e}", numeric.error);
        }
    }
}

/// Exact probabilities at large alpha approach those of the quadrature as alpha grows.
#[test]
fn quadrature_is_the_limit_of_large_alpha() {
    let tree: Tree = "((3 (2 1) 3)(2 2 (1 4))(4))".parse().unwrap();
    let continuous = probabilities(&tree, Alpha::CONTINUOUS, Ties::Uniform, 1e-10).probabilities;
    let distance = |alpha| {
        let exact = exact_probabilities(&tree, Alpha::finite(alpha).unwrap(), Ties::Uniform);
        let each = exact.iter().zip(&continuous);
        each.map(|(e, p)| (e.to_f64().unwrap() - p).abs())
            .sum::<f64>()
    };
    let distances = [10, 100, 1000].map(distance);
    assert!(
        distances.is_sorted_by(|near, far| near > far),
        "{distances:?}"
    );
    assert!(distances[2] < 1e-4, "{distances:?}");
}
