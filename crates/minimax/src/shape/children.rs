//! The mean numbers of children below each move, as input for measures of mobility.

use super::{DUMMIES, Level, Shape, mobility};
use crate::Scores;

impl Shape {
    /// For each move at the root, the mean numbers of children at levels 1, 2, ... below it, over the
    /// nodes of the tree in which the game is not over.
    pub fn mean_children(&self) -> Vec<Vec<f64>> {
        (0..self.moves())
            .map(|chosen| self.mean_children_of(chosen))
            .collect()
    }

    fn mean_children_of(&self, chosen: usize) -> Vec<f64> {
        let mut means = Vec::new();
        let Some((root, between)) = self.upper.split_first() else {
            let row = self.lowest.children[chosen] as usize;
            means.extend(mobility(row));
            return means;
        };
        // How many times each node of a level occurs in the tree below the move.
        let mut times = vec![0.0; root.children.iter().max().map_or(0, |&row| row as usize) + 1];
        times[root.children[chosen] as usize] = 1.0;
        for level in between {
            let (mean, below) = level.descend(&times);
            means.extend(mean);
            times = below;
        }
        let (mean, below) = self.lowest.descend(&times);
        means.extend(mean);
        let parents = || below.iter().enumerate().skip(DUMMIES);
        let nodes: f64 = parents().map(|(_, times)| times).sum();
        let leaves: f64 = parents()
            .map(|(row, times)| times * mobility(row).unwrap_or(0.0))
            .sum();
        means.extend((nodes > 0.0).then(|| leaves / nodes));
        means
    }
}

impl<Index: Copy + Into<u32> + Sync> Level<Index> {
    /// From the number of occurrences of each row of this level: the mean number of children of its
    /// nodes, excluding dummies, and the number of occurrences of each row of the level below.
    fn descend(&self, times: &[f64]) -> (Option<f64>, Vec<f64>) {
        let most = self.children.iter().map(|&row| row.into() as usize).max();
        let mut below = vec![0.0; most.map_or(0, |most| most + 1)];
        let (mut nodes, mut children) = (0.0, 0.0);
        for (family, &times) in self
            .nodes()
            .zip(times.iter().skip(DUMMIES))
            .filter(|(_, times)| **times > 0.0)
        {
            for &child in family {
                below[child.into() as usize] += times;
            }
            if family
                .first()
                .is_some_and(|&child| child.into() as usize >= DUMMIES || family.len() > 1)
            {
                nodes += times;
                children += times * family.len() as f64;
            }
        }
        ((nodes > 0.0).then(|| children / nodes), below)
    }
}
