//! Exact move probabilities in trees of any shape, by counting assignments of scores to leaves.
//!
//! With scores 1..α, LE(n, i) is the number of assignments below *n* that give it a score of at most
//! *i*, GT(n, i) that of the others (equations 1-4, lemmas 4.3-4.5), and
//!
//! > #\[n\](i) = EQ(n, i) ∏ LE(n*, i) over the siblings n* (lemma 5.1).
//!
//! With α → ∞ the scores become continuous, LE(n, i) / α^#T\[n\] a polynomial, and the sum an integral.
//!
//! Reference: Levene & Fenner, sections 4 and 5.

use std::str::FromStr;

use num_bigint::BigUint;
use num_rational::BigRational;
use num_traits::{One, Zero};
use serde::{Deserialize, Serialize};

use crate::Alpha;
use crate::polynomial::{Polynomial, greatest, products_of_others};
use crate::tree::{Propagated, Tree};

/// What counts as choosing a move when several have the best score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ties {
    /// Every best move counts, as in the paper: the probabilities may sum to more than 1.
    All,
    /// One of the best moves is taken at random, as a player must: they sum to 1.
    Uniform,
}

impl FromStr for Ties {
    type Err = ParseTiesError;

    fn from_str(text: &str) -> Result<Ties, ParseTiesError> {
        match text {
            "all" => Ok(Ties::All),
            "uniform" => Ok(Ties::Uniform),
            _ => Err(ParseTiesError(text.to_owned())),
        }
    }
}

/// Returned when a name is not a rule for ties.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule for ties '{0}'; the rules are all and uniform")]
pub struct ParseTiesError(String);

/// The number of assignments of scores to the leaves below a node that satisfy a condition.
#[derive(Debug, Clone)]
struct Count {
    favourable: BigUint,
    all: BigUint,
}

impl Propagated for Count {
    fn times(self, other: Count) -> Count {
        Count {
            favourable: self.favourable * other.favourable,
            all: self.all * other.all,
        }
    }

    fn power(self, copies: u32) -> Count {
        Count {
            favourable: self.favourable.pow(copies),
            all: self.all.pow(copies),
        }
    }

    fn complement(self) -> Count {
        Count {
            favourable: &self.all - self.favourable,
            all: self.all,
        }
    }
}

/// LE(n, i) of a move *n*, for i = 0..=α.
pub fn at_most(node: &Tree, alpha: u32) -> Vec<BigUint> {
    let count = |i: u32| {
        node.propagate(1, &|level| Count {
            favourable: if level % 2 == 1 { i } else { alpha - i }.into(),
            all: alpha.into(),
        })
    };
    (0..=alpha).map(|i| count(i).favourable).collect()
}

/// The probability of each move at the root of `tree`, exactly.
///
/// ```
/// use errare_minimax::{Alpha, Ties, exact_probabilities};
///
/// // Example 1 of the paper.
/// let tree = "((3 3)(2 2 2))".parse()?;
/// let moves = exact_probabilities(&tree, Alpha::finite(2)?, Ties::All);
/// assert_eq!(moves[0].to_string(), "3691/4096");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_probabilities(tree: &Tree, alpha: Alpha, ties: Ties) -> Vec<BigRational> {
    let moves = tree.moves();
    let Some(alpha) = alpha.scores() else {
        let uniform = |level| match level % 2 {
            1 => Polynomial::linear(0, 1),
            _ => Polynomial::linear(1, -1),
        };
        let distributions: Vec<_> = moves
            .iter()
            .map(|each| each.propagate(1, &uniform))
            .collect();
        return greatest(&distributions);
    };
    let le: Vec<Vec<BigUint>> = moves.iter().map(|each| at_most(each, alpha)).collect();
    let mut sums = vec![BigRational::zero(); moves.len()];
    for i in 1..=alpha as usize {
        let counts: Vec<_> = match ties {
            Ties::All => {
                let column: Vec<BigUint> = le.iter().map(|le| le[i].clone()).collect();
                let others = products_of_others(&column, BigUint::one(), |a, b| a * b);
                let each = le.iter().zip(others);
                each.map(|(le, others)| whole((&le[i] - &le[i - 1]) * others))
                    .collect()
            }
            // A tie shared equally is a race of continuous scores within the step.
            Ties::Uniform => {
                let step =
                    |le: &Vec<BigUint>| Polynomial::linear(le[i - 1].clone(), &le[i] - &le[i - 1]);
                greatest(&le.iter().map(step).collect::<Vec<_>>())
            }
        };
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let assignments = whole(le.iter().map(|le| &le[alpha as usize]).product());
    sums.into_iter().map(|sum| sum / &assignments).collect()
}

fn whole(number: BigUint) -> BigRational {
    BigRational::from_integer(number.into())
}
