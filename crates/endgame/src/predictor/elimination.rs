//! Elimination without subtraction, for absorbing Markov chains.
//!
//! (I - Q) x = r is solved by state reduction (Grassmann, Taksar and Heyman): states are removed from
//! the chain one by one, and their transitions are given to their predecessors. The pivot 1 - q_kk is
//! never computed as a difference: it is the sum of the probabilities of leaving k. As nothing is
//! subtracted, every number is accurate to nearly all its digits, where plain elimination loses them
//! all as soon as absorption takes more than some 10^13 steps.

/// A chain with its transient states removed.
#[derive(Debug, Clone)]
pub(crate) struct Elimination {
    len: usize,
    /// Below the diagonal, the transitions left when a state is removed; above it, what its
    /// predecessors received.
    entries: Vec<f64>,
    /// The probability of leaving each state for another one, at the time it was removed.
    leave: Vec<f64>,
    /// The part of it that leads to states without absorption.
    never: Vec<f64>,
}

impl Elimination {
    /// From the transitions among `len` transient states, row by row, and each state's probability of
    /// immediate absorption.
    pub(crate) fn new(mut transitions: Vec<f64>, mut absorbed: Vec<f64>) -> Elimination {
        let len = absorbed.len();
        assert_eq!(transitions.len(), len * len, "the matrix is square");
        let mut never = vec![0.0; len];
        let mut leave = vec![0.0; len];
        for last in (0..len).rev() {
            let (above, row) = transitions.split_at_mut(last * len);
            let row = &row[..last];
            let total: f64 = row.iter().sum::<f64>() + absorbed[last] + never[last];
            leave[last] = total;
            for (i, other) in above.chunks_mut(len).enumerate() {
                let into = other[last];
                if into == 0.0 {
                    continue;
                }
                if total == 0.0 {
                    never[i] += into;
                    other[last] = 0.0;
                    continue;
                }
                let share = into / total;
                other[last] = share;
                for (entry, onward) in other.iter_mut().zip(row) {
                    *entry += share * onward;
                }
                absorbed[i] += share * absorbed[last];
                never[i] += share * never[last];
            }
        }
        Elimination {
            len,
            entries: transitions,
            leave,
            never,
        }
    }

    /// The expected total until absorption, if each visit to a state adds this nonnegative gain.
    /// `endless` is returned where absorption is not certain.
    pub(crate) fn collect(&self, mut gain: Vec<f64>, endless: f64) -> Vec<f64> {
        let len = self.len;
        for last in (0..len).rev() {
            for i in 0..last {
                gain[i] += self.entries[i * len + last] * gain[last];
            }
        }
        let mut collected: Vec<f64> = Vec::with_capacity(len);
        for (state, gain) in gain.into_iter().enumerate() {
            let row = &self.entries[state * len..][..state];
            let sum: f64 = row
                .iter()
                .zip(&collected)
                .filter(|(entry, _)| **entry > 0.0)
                .map(|(entry, collected)| entry * collected)
                .sum();
            let total = match self.leave[state] {
                0.0 => endless,
                leave if self.never[state] > 0.0 => ((gain + sum) / leave).max(endless),
                leave => (gain + sum) / leave,
            };
            collected.push(total);
        }
        collected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A walk on 0..=n that goes down with probability p and otherwise up; n reflects.
    fn walk(n: usize, p: f64) -> Elimination {
        let mut transitions = vec![0.0; n * n];
        for i in 0..n {
            if i > 0 {
                transitions[i * n + i - 1] = p;
            }
            transitions[i * n + (i + 1).min(n - 1)] += 1.0 - p;
        }
        let mut absorbed = vec![0.0; n];
        absorbed[0] = p;
        Elimination::new(transitions, absorbed)
    }

    /// The first passage time of a walk has a closed form: from i it takes sum of h_k, k <= i, with
    /// h_n = 1 / p and h_k = (1 + q h_(k+1)) / p.
    #[test]
    fn a_walk_against_the_wind() {
        let (n, p) = (40, 0.25);
        let expected = walk(n, p).collect(vec![1.0; n], f64::INFINITY);
        let mut step = 1.0 / p;
        let mut steps = vec![step];
        for _ in 1..n {
            step = (1.0 + (1.0 - p) * step) / p;
            steps.push(step);
        }
        let mut total = 0.0;
        for (found, step) in expected.iter().zip(steps.iter().rev()) {
            total += step;
            assert!((found / total - 1.0).abs() < 1e-13, "{found} {total}");
        }
        assert!(total > 1e19);
    }

    #[test]
    fn what_never_ends_is_infinite() {
        // 0 is absorbed or stays; 1 and 2 go to each other; 3 goes to 0 or to 1.
        let transitions = vec![
            0.5, 0.0, 0.0, 0.0, //
            0.0, 0.0, 1.0, 0.0, //
            0.0, 1.0, 0.0, 0.0, //
            0.5, 0.5, 0.0, 0.0,
        ];
        let elimination = Elimination::new(transitions, vec![0.5, 0.0, 0.0, 0.0]);
        let endless = f64::INFINITY;
        let length = elimination.collect(vec![1.0; 4], endless);
        assert_eq!(length, [2.0, endless, endless, endless]);
        let chance = elimination.collect(vec![0.5, 0.0, 0.0, 0.0], 0.0);
        assert_eq!(chance, [1.0, 0.0, 0.0, 0.5]);
    }
}
