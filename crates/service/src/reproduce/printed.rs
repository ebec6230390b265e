//! The papers' numbers, one per line: `printed.tsv`.

use super::PaperVerdict;

/// A line of the data file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Printed {
    pub(super) id: &'static str,
    pub(super) place: &'static str,
    pub(super) claim: &'static str,
    pub(super) printed: &'static str,
    pub(super) expected: PaperVerdict,
    pub(super) why: Option<&'static str>,
}

const FILE: &str = include_str!("printed.tsv");

/// Every line, in the order of the papers.
pub(super) fn printed() -> Vec<Printed> {
    FILE.lines().skip(1).map(line).collect()
}

fn line(line: &'static str) -> Printed {
    let mut fields = line.split('\t');
    let mut next = || fields.next().expect("every line has six fields");
    Printed {
        id: next(),
        place: next(),
        claim: next(),
        printed: next(),
        expected: match next() {
            "equal" => PaperVerdict::Equal,
            "within-error" => PaperVerdict::WithinError,
            "differs" => PaperVerdict::Differs,
            "not-computable" => PaperVerdict::NotComputable,
            "beyond" => PaperVerdict::Beyond,
            other => unreachable!("{other} is no verdict"),
        },
        why: Some(next()).filter(|why| !why.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn lines_are_distinct_and_differences_are_explained() {
        let printed = printed();
        let ids: HashSet<_> = printed.iter().map(|line| line.id).collect();
        assert_eq!(ids.len(), printed.len());
        for line in printed {
            let plain = matches!(
                line.expected,
                PaperVerdict::Equal | PaperVerdict::WithinError
            );
            assert!(plain || line.why.is_some(), "{} needs a reason", line.id);
        }
    }
}
