//! Level-regular moves: all nodes at the same level have the same number of children.
//!
//! `[2 3]` is a move to a min-node with 2 children (q_1 = 2) that have 3 leaves each (m_2 = 3);
//! `[2 3][3 2]` are two such moves.
//!
//! Reference: Levene & Fenner, sections 3 and 5.

use std::fmt;

use crate::tree::{ParseTreeError, Token, Tree, TreeProblem, tokens};

/// A move by the numbers of children at levels 1, 2, ...: q_1, m_2, q_3, m_4, ...
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LevelRegular(pub Vec<u32>);

impl LevelRegular {
    /// Parses one list per move, all of the same length.
    pub fn parse_moves(text: &str) -> Result<Vec<LevelRegular>, ParseTreeError> {
        let mut moves: Vec<LevelRegular> = Vec::new();
        let mut open: Option<(usize, Vec<u32>)> = None;
        for (position, token) in tokens(text, ['[', ']'])? {
            let fail = |problem| Err(ParseTreeError { position, problem });
            match (token, open.take()) {
                (Token::Open, None) => open = Some((position, Vec::new())),
                (Token::Count(count), Some((start, mut counts))) => {
                    counts.push(count);
                    open = Some((start, counts));
                }
                (Token::Close, Some((_, counts))) => {
                    if counts.is_empty() {
                        return fail(TreeProblem::Empty);
                    }
                    if moves
                        .first()
                        .is_some_and(|first| first.0.len() != counts.len())
                    {
                        return fail(TreeProblem::Ragged);
                    }
                    moves.push(LevelRegular(counts));
                }
                (Token::Close, None) => return fail(TreeProblem::Unopened(']')),
                (Token::Count(_), None) | (Token::Open, Some(_)) => {
                    return fail(TreeProblem::NotLevelRegular);
                }
            }
        }
        match open {
            Some((position, _)) => Err(ParseTreeError {
                position,
                problem: TreeProblem::Unclosed('['),
            }),
            None => Ok(moves),
        }
    }

    /// δ of a tree in which this is a move: the leaves are at this level.
    pub fn depth(&self) -> usize {
        self.0.len() + 1
    }

    /// The same move in the first `depth` plies of its tree.
    pub fn truncated(&self, depth: usize) -> LevelRegular {
        LevelRegular(self.0[..(depth - 1).min(self.0.len())].to_vec())
    }

    /// The move as a tree.
    pub fn tree(&self) -> Tree {
        let grow = |child, &count| Tree::node(vec![(child, count)]);
        self.0.iter().rev().fold(Tree::LEAF, grow)
    }

    /// The tree whose root has these moves.
    pub fn root(moves: &[LevelRegular]) -> Tree {
        Tree::node(moves.iter().map(|each| (each.tree(), 1)).collect())
    }
}

impl fmt::Display for LevelRegular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.0.iter().map(u32::to_string).collect();
        write!(f, "[{}]", counts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_1_in_both_notations() {
        let moves = LevelRegular::parse_moves("[2 3][3 2]").unwrap();
        assert_eq!(moves[1].to_string(), "[3 2]");
        let root = LevelRegular::root(&moves);
        assert_eq!(root.leaves(), 12);
        assert_eq!(moves[0].truncated(1).tree(), Tree::LEAF);
    }

    #[test]
    fn errors_say_where() {
        let cases = [
            ("[2 3][3]", 8, TreeProblem::Ragged),
            ("[2 3", 1, TreeProblem::Unclosed('[')),
            ("[2 [3]]", 4, TreeProblem::NotLevelRegular),
            ("2 3", 1, TreeProblem::NotLevelRegular),
            ("[2 3]]", 6, TreeProblem::Unopened(']')),
            ("[]", 2, TreeProblem::Empty),
            ("(2 3)", 1, TreeProblem::Unexpected('(')),
            (" ", 2, TreeProblem::Ends('[')),
        ];
        for (text, position, problem) in cases {
            let error = LevelRegular::parse_moves(text).unwrap_err();
            assert_eq!(error, ParseTreeError { position, problem }, "{text}");
        }
    }
}
