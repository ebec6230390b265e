//! Sections 4 and 5: how many assignments of scores give a node each score, counted one by one and by the lemmas.

use super::{Computed, Error, Finding, Lab};

/// Trees small enough to go through all assignments: the numbers of children, level by level.
const TREES: [&[usize]; 7] = [&[2], &[3], &[5], &[2, 2], &[2, 3], &[3, 2], &[2, 2, 2]];
/// Scores that a leaf can have: 1 to α.
const ALPHAS: [usize; 3] = [2, 3, 4];

/// A node of a level-regular tree, and whether it is a max-node.
#[derive(Clone, Copy)]
struct Node {
    counts: &'static [usize],
    max: bool,
}

impl Node {
    fn child(self) -> Node {
        Node {
            counts: &self.counts[1..],
            max: !self.max,
        }
    }

    fn leaves(self) -> u32 {
        self.counts.iter().product::<usize>() as u32
    }

    /// Its score, with the leaves' scores as the digits of a number.
    fn score(self, digits: &mut usize, alpha: usize) -> usize {
        if self.counts.is_empty() {
            let score = *digits % alpha + 1;
            *digits /= alpha;
            return score;
        }
        let children = (0..self.counts[0]).map(|_| self.child().score(digits, alpha));
        let (least, most) = children.fold((alpha, 1), |(least, most), score| {
            (least.min(score), most.max(score))
        });
        if self.max { most } else { least }
    }
}

/// EQ(n, i) of a node, for i from 1 to α, by going through all assignments.
struct Counts(Vec<usize>);

impl Counts {
    fn of(node: Node, alpha: usize) -> Counts {
        let mut equal = vec![0; alpha];
        for assignment in 0..alpha.pow(node.leaves()) {
            let mut digits = assignment;
            equal[node.score(&mut digits, alpha) - 1] += 1;
        }
        Counts(equal)
    }

    fn eq(&self, i: usize) -> usize {
        self.0[i - 1]
    }

    fn le(&self, i: usize) -> usize {
        self.0[..i].iter().sum()
    }

    fn gt(&self, i: usize) -> usize {
        self.0[i..].iter().sum()
    }

    fn lt(&self, i: usize) -> usize {
        self.le(i - 1)
    }

    fn ge(&self, i: usize) -> usize {
        self.gt(i - 1)
    }
}

/// How many of the cases below a lemma fail, over all trees, both kinds of root, and all α.
fn exceptions(cases: impl Fn(Node, usize) -> Vec<bool>) -> Computed {
    let roots = TREES
        .into_iter()
        .flat_map(|counts| [true, false].map(|max| Node { counts, max }));
    let failed = roots.flat_map(|root| ALPHAS.map(|alpha| (root, alpha)));
    let failed = failed.flat_map(|(root, alpha)| cases(root, alpha));
    Computed::count(failed.filter(|holds| !holds).count())
}

/// Lemmas 4.1 to 4.5.
pub(super) fn section_4(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let least = exceptions(|node, alpha| {
        let n = Counts::of(node, alpha);
        let holds = |i| (n.eq(i) == n.le(i) && n.le(i) == n.lt(i + 1)) == (i == 1);
        (1..=alpha).map(holds).collect()
    });
    let greatest = exceptions(|node, alpha| {
        let n = Counts::of(node, alpha);
        let holds = |i| (n.eq(i) == n.ge(i) && n.ge(i) == n.gt(i - 1)) == (i == alpha);
        (1..=alpha).map(holds).collect()
    });
    let all = exceptions(|node, alpha| {
        let n = Counts::of(node, alpha);
        let assignments = alpha.pow(node.leaves());
        (0..=alpha)
            .map(|i| n.le(i) + n.gt(i) == assignments)
            .collect()
    });
    let power = |node: Node| node.counts[0] as u32;
    let of_min = exceptions(|node, alpha| {
        let (n, child) = (Counts::of(node, alpha), Counts::of(node.child(), alpha));
        let raised = |i| child.gt(i).pow(power(node));
        let holds = |i| node.max || n.le(i) == raised(0) - raised(i);
        (0..=alpha).map(holds).collect()
    });
    let of_max = exceptions(|node, alpha| {
        let (n, child) = (Counts::of(node, alpha), Counts::of(node.child(), alpha));
        let raised = |i| child.le(i).pow(power(node));
        let holds = |i| !node.max || n.gt(i) == raised(alpha) - raised(i);
        (0..=alpha).map(holds).collect()
    });
    Ok(vec![
        Finding::new("lemma-4.1", least),
        Finding::new("lemma-4.2", greatest),
        Finding::new("lemma-4.3", all),
        Finding::new("lemma-4.4", of_min),
        Finding::new("lemma-4.5", of_max),
    ])
}

/// Both recurrences over two levels.
pub(super) fn lemma_5_3(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let failed = exceptions(|node, alpha| {
        let &[count, below, ..] = node.counts else {
            return Vec::new();
        };
        let (n, lower) = (
            Counts::of(node, alpha),
            Counts::of(node.child().child(), alpha),
        );
        let [count, below] = [count, below].map(|children| children as u32);
        let two_levels = |whole: usize, part: usize| {
            whole.pow(below * count) - (whole.pow(below) - part.pow(below)).pow(count)
        };
        let holds = |i| match node.max {
            false => n.le(i) == two_levels(lower.le(alpha), lower.le(i)),
            true => n.gt(i) == two_levels(lower.gt(0), lower.gt(i)),
        };
        (0..=alpha).map(holds).collect()
    });
    Ok(vec![Finding::new("", failed)])
}
