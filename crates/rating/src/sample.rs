//! A sample of turns, laid out for fits: all costs in one array.

use std::ops::Range;

use crate::scale;

/// Turns with the cost of each option and the choice, grouped by game.
///
/// ```
/// use errare_rating::Sample;
///
/// let mut sample = Sample::default();
/// sample.begin_game();
/// sample.push(&[0.3, 0.3, -0.2], 1);
/// let turn = sample.turn(0);
/// assert_eq!((turn.played, turn.tops), (1, 2), "two moves share the best value");
/// assert!(turn.costs[2] > 0.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The end of each turn's options.
    ends: Vec<usize>,
    /// The cost of each option.
    costs: Vec<f64>,
    /// ln of the costs, one row per level; the first level is that of `costs`.
    levels: Vec<Vec<f64>>,
    /// The option chosen.
    played: Vec<u32>,
    /// How many options share the best value.
    tops: Vec<u32>,
    /// The end of each game's turns.
    games: Vec<usize>,
}

/// One turn of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The cost of each option.
    pub costs: &'a [f64],
    /// The option chosen.
    pub played: usize,
    /// How many options share the best value; they come first.
    pub tops: usize,
}

impl Observation<'_> {
    /// Does the chosen option have the best value?
    #[must_use]
    pub(crate) fn equals_best(&self) -> bool {
        self.played < self.tops
    }
}

impl Sample {
    /// Starts a new game; turns are added to the last game.
    pub fn begin_game(&mut self) {
        if self.games.last().copied().unwrap_or(0) < self.turns() {
            self.games.push(self.turns());
        }
    }

    /// Adds a turn: evaluations in pawns, in the engine's order, and the index of the move played.
    pub fn push(&mut self, pawns: &[f64], played: usize) {
        self.push_levels(pawns, &[], played);
    }

    /// Adds a turn with further levels: evaluations of the same moves at smaller depths.
    ///
    /// # Panics
    ///
    /// Panics if the number of levels differs from earlier turns.
    pub fn push_levels(&mut self, pawns: &[f64], shallow: &[Vec<f64>], played: usize) {
        let costs = scale::costs(pawns);
        let tops = pawns.iter().take_while(|&&value| value == pawns[0]).count();
        let shallow: Vec<Vec<f64>> = shallow
            .iter()
            .map(|level| scale::shallow_costs(level))
            .collect();
        self.push_costs(&costs, &shallow, played);
        *self.tops.last_mut().expect("a turn was pushed") = narrow(tops);
    }

    /// Adds a turn with known costs.
    ///
    /// # Panics
    ///
    /// Panics if the number of levels differs from earlier turns.
    pub(crate) fn push_costs(&mut self, costs: &[f64], shallow: &[Vec<f64>], played: usize) {
        assert!(played < costs.len(), "the move played is an option");
        if self.levels.is_empty() {
            self.levels = vec![Vec::new(); 1 + shallow.len()];
        }
        assert_eq!(
            self.levels.len(),
            1 + shallow.len(),
            "all turns have the same levels"
        );
        let rows = std::iter::once(costs).chain(shallow.iter().map(Vec::as_slice));
        for (level, row) in self.levels.iter_mut().zip(rows) {
            assert_eq!(
                row.len(),
                costs.len(),
                "a level has a value for each option"
            );
            level.extend(row.iter().map(|cost| cost.ln()));
        }
        self.costs.extend_from_slice(costs);
        self.ends.push(self.costs.len());
        self.played.push(narrow(played));
        let free = costs.iter().take_while(|&&cost| cost == 0.0).count();
        self.tops.push(narrow(free.max(1)));
    }

    /// The number of turns.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.ends.len()
    }

    /// Are there no turns?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The total number of options.
    #[must_use]
    pub fn options(&self) -> usize {
        self.costs.len()
    }

    /// The number of levels on which options are seen.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len().max(1)
    }

    /// The turns of each game.
    #[must_use]
    pub fn games(&self) -> Vec<Range<usize>> {
        let inner = self.games.iter().copied();
        let ends: Vec<usize> = inner.chain([self.turns()]).collect();
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges = starts.zip(&ends).map(|(start, &end)| start..end);
        ranges.filter(|range| !range.is_empty()).collect()
    }

    /// A turn.
    #[must_use]
    pub fn turn(&self, turn: usize) -> Observation<'_> {
        Observation {
            costs: &self.costs[self.range(turn)],
            played: self.played[turn] as usize,
            tops: self.tops[turn] as usize,
        }
    }

    /// ln of the costs of a turn's options on one level.
    #[must_use]
    pub fn log_costs(&self, turn: usize, level: usize) -> &[f64] {
        &self.levels[level][self.range(turn)]
    }

    /// The same turns with other choices, such as those of a simulated player.
    ///
    /// # Panics
    ///
    /// Panics if the number of choices differs from the number of turns.
    #[must_use]
    pub fn with_choices(&self, played: Vec<u32>) -> Sample {
        assert_eq!(played.len(), self.turns(), "a choice a turn");
        Sample {
            played,
            ..self.clone()
        }
    }

    /// Adds the turns of some games of another sample with the same levels.
    pub fn extend(&mut self, other: &Sample, games: &[Range<usize>]) {
        for game in games {
            self.begin_game();
            for turn in game.clone() {
                let one = other.turn(turn);
                let range = other.range(turn);
                self.costs.extend_from_slice(one.costs);
                self.levels.resize(other.levels.len(), Vec::new());
                for (level, row) in self.levels.iter_mut().zip(&other.levels) {
                    level.extend_from_slice(&row[range.clone()]);
                }
                self.ends.push(self.costs.len());
                self.played.push(other.played[turn]);
                self.tops.push(other.tops[turn]);
            }
        }
    }

    /// All data as one array of numbers, and the numbers of turns, options, levels and games.
    pub(crate) fn to_numbers(&self) -> (Vec<f64>, [usize; 4]) {
        let counts = [
            self.turns(),
            self.options(),
            self.levels.len(),
            self.games.len(),
        ];
        let whole = |numbers: &[usize]| -> Vec<f64> { numbers.iter().map(|&n| n as f64).collect() };
        let mut numbers = whole(&self.ends);
        numbers.extend(self.played.iter().map(|&n| f64::from(n)));
        numbers.extend(self.tops.iter().map(|&n| f64::from(n)));
        numbers.extend(whole(&self.games));
        numbers.extend(&self.costs);
        numbers.extend(self.levels.iter().flatten());
        (numbers, counts)
    }

    /// The inverse of `to_numbers`; `None` if the numbers are inconsistent.
    pub(crate) fn from_numbers(numbers: &[f64], counts: [usize; 4]) -> Option<Sample> {
        let [turns, options, levels, games] = counts;
        let mut rest = numbers;
        let mut take = |count: usize| -> Option<&[f64]> {
            let (head, tail) = rest.split_at_checked(count)?;
            rest = tail;
            Some(head)
        };
        let whole =
            |numbers: &[f64]| -> Vec<usize> { numbers.iter().map(|&n| n as usize).collect() };
        let small = |numbers: &[f64]| -> Vec<u32> { numbers.iter().map(|&n| n as u32).collect() };
        let sample = Sample {
            ends: whole(take(turns)?),
            played: small(take(turns)?),
            tops: small(take(turns)?),
            games: whole(take(games)?),
            costs: take(options)?.to_vec(),
            levels: (0..levels)
                .map(|_| Some(take(options)?.to_vec()))
                .collect::<Option<_>>()?,
        };
        let ascending = sample.ends.is_sorted() && sample.games.is_sorted();
        let ends = sample.ends.last().copied().unwrap_or(0) == options
            && sample.games.last().is_none_or(|&last| last <= turns);
        let sound = |turn: usize| {
            let options = sample.range(turn).len();
            let [played, tops] = [sample.played[turn], sample.tops[turn]].map(|n| n as usize);
            played < options && (1..=options).contains(&tops)
        };
        let sound = rest.is_empty() && levels > 0 && ascending && ends && (0..turns).all(sound);
        sound.then_some(sample)
    }

    fn range(&self, turn: usize) -> Range<usize> {
        let start = if turn == 0 { 0 } else { self.ends[turn - 1] };
        start..self.ends[turn]
    }
}

fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a turn has few options")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_games_are_given_back() {
        let mut sample = Sample::default();
        sample.begin_game();
        sample.push(&[0.3, 0.3, 0.1], 1);
        sample.push(&[0.0, -5.0], 0);
        sample.begin_game();
        sample.begin_game();
        sample.push(&[1.0, 0.5], 1);
        assert_eq!(sample.games(), [0..2, 2..3]);
        assert_eq!((sample.turns(), sample.options()), (3, 7));
        let first = sample.turn(0);
        assert_eq!((first.costs.len(), first.played, first.tops), (3, 1, 2));
        assert!(first.equals_best() && !sample.turn(2).equals_best());
        assert_eq!(sample.log_costs(1, 0)[0], f64::NEG_INFINITY);
    }

    #[test]
    fn games_can_be_taken_over() {
        let mut sample = Sample::default();
        sample.push(&[0.3, 0.1], 1);
        sample.begin_game();
        sample.push(&[0.0, -5.0], 0);
        let mut twice = Sample::default();
        twice.extend(&sample, &[1..2, 1..2]);
        assert_eq!(twice.games(), [0..1, 1..2]);
        assert_eq!(twice.turn(1).costs, sample.turn(1).costs);
    }
}
