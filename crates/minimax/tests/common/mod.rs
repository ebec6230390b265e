//! The slow, obvious twin of the exact recursion: every assignment of scores to leaves, one by one.

use errare_minimax::{Ties, Tree};
use num_rational::BigRational;
use num_traits::Zero;

pub(crate) fn fraction(numerator: u64, denominator: u64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// The score of a node, with the scores of the leaves taken in order.
fn minimax(node: &Tree, level: u32, leaves: &mut impl Iterator<Item = u32>) -> u32 {
    let children = node.moves();
    if children.is_empty() {
        return leaves.next().expect("a score for every leaf");
    }
    let scores = children
        .into_iter()
        .map(|child| minimax(child, level + 1, leaves));
    if level.is_multiple_of(2) {
        scores.max()
    } else {
        scores.min()
    }
    .expect("an internal node")
}

/// All assignments of scores 1..=alpha to a number of leaves.
fn assignments(alpha: u32, leaves: u64) -> impl Iterator<Item = Vec<u32>> {
    let total = u64::from(alpha).pow(leaves as u32);
    (0..total).map(move |number| {
        let digit = |place| (number / u64::from(alpha).pow(place as u32)) % u64::from(alpha);
        (0..leaves).map(|place| digit(place) as u32 + 1).collect()
    })
}

/// The number of assignments to the leaves below a node at a level, by the score they give it.
#[allow(dead_code, reason = "not every test binary counts by score")]
pub(crate) fn enumerate_scores(node: &Tree, level: u32, alpha: u32) -> Vec<u64> {
    let mut counts = vec![0; alpha as usize + 1];
    for scores in assignments(alpha, node.leaves()) {
        counts[minimax(node, level, &mut scores.into_iter()) as usize] += 1;
    }
    counts
}

/// The probabilities of the moves at the root by enumeration.
pub(crate) fn enumerate(tree: &Tree, alpha: u32, ties: Ties) -> Vec<BigRational> {
    let moves = tree.moves();
    let mut sums = vec![BigRational::zero(); moves.len()];
    for scores in assignments(alpha, tree.leaves()) {
        let mut leaves = scores.into_iter();
        let backed: Vec<u32> = moves
            .iter()
            .map(|each| minimax(each, 1, &mut leaves))
            .collect();
        let best = backed.iter().max().expect("a root with moves");
        let tied = backed.iter().filter(|score| *score == best).count() as u64;
        for (sum, _) in sums
            .iter_mut()
            .zip(&backed)
            .filter(|(_, score)| *score == best)
        {
            *sum += fraction(1, if ties == Ties::All { 1 } else { tied });
        }
    }
    let total = fraction(u64::from(alpha).pow(tree.leaves() as u32), 1);
    sums.into_iter().map(|sum| sum / &total).collect()
}
