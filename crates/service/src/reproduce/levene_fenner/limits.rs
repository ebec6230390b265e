//! Section 7, equations (26) to (29): EQ/LE of a move as one level of its tree grows, in exact arithmetic.

use errare_minimax::{LevelRegular, at_most};
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::{Computed, Error, Finding, Lab};

/// The final number of children of the growing level's nodes.
const MOST: u32 = 24;
/// Two numbers are close if they differ by less than one part in this many.
const CLOSE: u32 = 100;

fn ratio(numerator: u32, denominator: u32) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn is_close(a: &BigRational, b: &BigRational) -> bool {
    (a - b).abs() < b * ratio(1, CLOSE)
}

/// EQ/LE of a move, for i from 2 to α.
fn shares(counts: Vec<u32>, alpha: u32) -> Vec<BigRational> {
    let le = at_most(&LevelRegular(counts).tree(), alpha).into_iter();
    let le: Vec<BigRational> = le.map(|le| BigRational::from_integer(le.into())).collect();
    let share = |pair: &[BigRational]| BigRational::one() - &pair[0] / &pair[1];
    le[1..].windows(2).map(share).collect()
}

/// For how many i and α, in moves that grow like these, does EQ/LE not rise (or fall) all the way to its limit?
fn exceptions(moves: [fn(u32) -> Vec<u32>; 3], rises: bool) -> Computed {
    let mut exceptions = 0;
    for (counts, alpha) in moves
        .iter()
        .flat_map(|counts| [2, 3, 4].map(|alpha| (counts, alpha)))
    {
        let grown: Vec<_> = (1..=MOST).map(|most| shares(counts(most), alpha)).collect();
        for i in 0..grown[0].len() {
            let towards = grown.is_sorted_by(|a, b| if rises { a[i] < b[i] } else { a[i] > b[i] });
            let last = &grown[grown.len() - 1][i];
            let left = if rises {
                BigRational::one() - last
            } else {
                last.clone()
            };
            exceptions += usize::from(!(towards && left < ratio(1, CLOSE)));
        }
    }
    Computed::count(exceptions)
}

pub(super) fn section_7(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let rising = exceptions([|m| vec![2, m], |m| vec![3, m], |m| vec![2, 2, 2, m]], true);
    let falling = exceptions(
        [|q| vec![2, 2, q], |q| vec![3, 2, q], |q| vec![2, 3, q]],
        false,
    );
    let small = || [2, 3].into_iter().flat_map(|q| [2, 3].map(|m| (q, m)));
    let (mut off_28, mut off_29, mut off_as_printed) = (0, 0, 0);
    for (q_1, m_2) in small() {
        for alpha in [2, 3, 4] {
            // l_(k+2) of leaves is i/α, and g_(k+2) the rest.
            let leaf = |i| ratio(i, alpha);
            for q_3 in [2, 3] {
                let shares = shares(vec![q_1, m_2, q_3, MOST], alpha);
                // The case i = α is left out.
                for (i, share) in (2..alpha).zip(&shares) {
                    let quotient = (leaf(i - 1) / leaf(i)).pow((MOST * m_2) as i32);
                    off_28 += usize::from(!is_close(&(BigRational::one() - share), &quotient));
                }
            }
            let shares = shares(vec![q_1, m_2, MOST], alpha);
            for (i, share) in (2..=alpha).zip(&shares) {
                let epsilon = |i| (BigRational::one() - leaf(i)).pow(MOST as i32);
                let mu = ratio(m_2, 1).pow(q_1 as i32);
                let term = |i| BigRational::one() - &mu * epsilon(i).pow(q_1 as i32);
                let [corrected, printed] = [i, i - 1].map(|below| term(i - 1) / term(below));
                let is_off = |quotient| !is_close(share, &(BigRational::one() - quotient));
                off_29 += usize::from(is_off(corrected));
                off_as_printed += usize::from(is_off(printed));
            }
        }
    }
    Ok(vec![
        Finding::new("equation-26", rising),
        Finding::new("equation-27", falling),
        Finding::new("equation-28", Computed::count(off_28)),
        Finding::new("equation-29", Computed::count(off_29)),
        Finding::new("equation-29/as-printed", Computed::count(off_as_printed)),
    ])
}
