//! The integer polynomials that exact probabilities need.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::tree::Propagated;

/// A polynomial by its coefficients, constant term first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<BigInt>);

impl Polynomial {
    /// `constant + slope x`.
    pub(crate) fn linear(constant: impl Into<BigInt>, slope: impl Into<BigInt>) -> Polynomial {
        Polynomial(vec![constant.into(), slope.into()])
    }

    fn one() -> Polynomial {
        Polynomial(vec![BigInt::one()])
    }

    fn product(&self, other: &Polynomial) -> Polynomial {
        let mut coefficients = vec![BigInt::zero(); self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (j, b) in other.0.iter().enumerate() {
                coefficients[i + j] += a * b;
            }
        }
        Polynomial(coefficients)
    }

    fn derivative(&self) -> Polynomial {
        let terms = self.0.iter().enumerate().skip(1);
        Polynomial(
            terms
                .map(|(power, coefficient)| coefficient * power)
                .collect(),
        )
    }

    /// The integral from 0 to 1.
    fn integral(&self) -> BigRational {
        let terms = self.0.iter().zip(1usize..);
        terms
            .map(|(coefficient, next)| BigRational::new(coefficient.clone(), next.into()))
            .sum()
    }
}

impl Propagated for Polynomial {
    fn times(self, other: Polynomial) -> Polynomial {
        self.product(&other)
    }

    fn power(self, copies: u32) -> Polynomial {
        let (mut result, mut square, mut left) = (Polynomial::one(), self, copies);
        while left > 0 {
            if left % 2 == 1 {
                result = result.product(&square);
            }
            left /= 2;
            if left > 0 {
                square = square.product(&square);
            }
        }
        result
    }

    fn complement(mut self) -> Polynomial {
        for coefficient in &mut self.0 {
            *coefficient = -&*coefficient;
        }
        self.0[0] += 1;
        self
    }
}

/// For each of several independent scores, whose distribution functions are these polynomials on
/// \[0, 1\], the probability that it is the greatest: the integral of its density times the product
/// of the others.
pub(crate) fn greatest(distributions: &[Polynomial]) -> Vec<BigRational> {
    let others = products_of_others(distributions, Polynomial::one(), Polynomial::product);
    let each = distributions.iter().zip(others);
    each.map(|(own, others)| own.derivative().product(&others).integral())
        .collect()
}

/// For each factor, the product of all the others, without division.
pub(crate) fn products_of_others<T: Clone>(
    factors: &[T],
    one: T,
    product: impl Fn(&T, &T) -> T,
) -> Vec<T> {
    let mut before = Vec::with_capacity(factors.len());
    let mut running = one.clone();
    for factor in factors {
        before.push(running.clone());
        running = product(&running, factor);
    }
    let mut after = one;
    for (own, factor) in before.iter_mut().zip(factors).rev() {
        *own = product(own, &after);
        after = product(&after, factor);
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_equally() {
        let shares = greatest(&vec![Polynomial::linear(0, 1); 4]);
        assert_eq!(shares, vec![BigRational::new(1.into(), 4.into()); 4]);
    }

    #[test]
    fn powers_by_squaring_are_repeated_products() {
        let base = Polynomial::linear(2, -3);
        let slow = (0..7).fold(Polynomial::one(), |power, _| power.product(&base));
        assert_eq!(base.power(7), slow);
    }

    #[test]
    fn products_of_others_leave_one_out() {
        assert_eq!(products_of_others(&[2, 0, 5], 1, |a, b| a * b), [0, 10, 0]);
    }
}
