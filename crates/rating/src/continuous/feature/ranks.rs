//! The rank of a move at several depths.

use std::str::FromStr;

use super::{Feature, Seen};

/// Minus the mean, over some depths, of ln(1 + b), where b is the number of moves with a strictly higher
/// score at that depth.
///
/// Ranks are the main reason why this family predicts better than costs alone: a move that looks good at
/// depth 1 is played more often than its cost at the greatest depth explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    first: u8,
    last: u8,
}

impl Ranks {
    /// The usual groups of depths: 1 alone, and the others in three parts of similar size.
    ///
    /// ```
    /// use errare_rating::continuous::{Feature, Ranks};
    ///
    /// let names: Vec<String> = Ranks::groups(10).iter().map(|it| it.name()).collect();
    /// assert_eq!(names, ["ranks:1-1", "ranks:2-4", "ranks:5-7", "ranks:8-10"]);
    /// ```
    #[must_use]
    pub fn groups(depth: u8) -> Vec<Ranks> {
        let rest = f64::from(depth.saturating_sub(1));
        let cut = |part: f64| 1 + (rest * part / 3.0).round() as u8;
        let ends = [1, cut(1.0), cut(2.0), depth];
        let starts = [1, 2, cut(1.0) + 1, cut(2.0) + 1];
        let groups = starts.into_iter().zip(ends);
        groups
            .filter(|(first, last)| first <= last)
            .map(|(first, last)| Ranks { first, last })
            .collect()
    }
}

impl FromStr for Ranks {
    type Err = ();

    /// `2-4`.
    fn from_str(text: &str) -> Result<Ranks, ()> {
        let (first, last) = text.split_once('-').ok_or(())?;
        let (first, last) = (first.parse().map_err(drop)?, last.parse().map_err(drop)?);
        (1 <= first && first <= last)
            .then_some(Ranks { first, last })
            .ok_or(())
    }
}

impl Feature for Ranks {
    fn name(&self) -> String {
        format!("ranks:{}-{}", self.first, self.last)
    }

    fn depth(&self) -> u8 {
        self.last
    }

    fn fill(&self, seen: &Seen, values: &mut [f64]) {
        values.fill(0.0);
        let mut sorted = Vec::with_capacity(values.len());
        let depths = usize::from(self.first) - 1..usize::from(self.last);
        let share = 1.0 / depths.len() as f64;
        let last = seen.by_depth.len() - 1;
        // An engine stops early where there is little to see: its last scores hold for the remaining
        // depths.
        for row in depths.map(|depth| &seen.by_depth[depth.min(last)]) {
            sorted.clear();
            sorted.extend(row.iter().copied().filter(|score| !score.is_nan()));
            sorted.sort_unstable_by(|a, b| b.total_cmp(a));
            for (value, score) in values.iter_mut().zip(row) {
                // A move without a score ranks after all that have one.
                let better = if score.is_nan() {
                    sorted.len()
                } else {
                    sorted.partition_point(|other| other > score)
                };
                *value -= share * (better as f64).ln_1p();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_strictly_better_moves() {
        let seen = Seen::new(vec![
            vec![0.1, 0.5, f64::NAN, 0.1],
            vec![0.3, 0.2, 0.2, -1.0],
        ]);
        let mut values = [0.0; 4];
        let values_of = |ranks: Ranks, values: &mut [f64; 4]| ranks.fill(&seen, values);
        values_of(Ranks { first: 1, last: 1 }, &mut values);
        assert_eq!(values, [1.0, 0.0, 3.0, 1.0].map(|b: f64| -b.ln_1p()));
        values_of(Ranks { first: 2, last: 2 }, &mut values);
        assert_eq!(values, [0.0, 1.0, 1.0, 3.0].map(|b: f64| -b.ln_1p()));
        let mut both = [0.0; 4];
        values_of(Ranks { first: 1, last: 2 }, &mut both);
        assert!((both[2] + 0.5 * (4_f64.ln() + 2_f64.ln())).abs() < 1e-15);
    }

    #[test]
    fn small_depths_have_fewer_groups() {
        for depth in 1..30 {
            let groups = Ranks::groups(depth);
            let depths: Vec<u8> = groups.iter().flat_map(|it| it.first..=it.last).collect();
            assert_eq!(depths, (1..=depth).collect::<Vec<u8>>());
        }
    }
}
