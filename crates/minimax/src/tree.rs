//! Game trees of any shape, and their text form.
//!
//! A number is a node with that many leaves, a list in round brackets a node with those children:
//! `((3 3)(2 2 2))` is figure 1 of the paper, a root with two moves. The outermost brackets may be
//! omitted. Identical children are stored once, with their number.
//!
//! Reference: Levene & Fenner, section 3.

use std::str::FromStr;

/// A node of a game tree with all that is below it; a leaf has no children.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tree {
    children: Vec<(Tree, u32)>,
}

impl Tree {
    /// A leaf.
    pub const LEAF: Tree = Tree {
        children: Vec::new(),
    };

    /// A node with these children, each with the number of its copies.
    pub fn node(children: Vec<(Tree, u32)>) -> Tree {
        Tree { children }
    }

    /// The children, each with the number of its copies.
    pub fn children(&self) -> &[(Tree, u32)] {
        &self.children
    }

    /// The moves at this node one by one, copies repeated.
    pub fn moves(&self) -> Vec<&Tree> {
        let repeat = |(child, copies)| std::iter::repeat_n(child, copies as usize);
        self.children
            .iter()
            .map(|(c, n)| (c, *n))
            .flat_map(repeat)
            .collect()
    }

    /// #T\[n\], the number of leaves below; saturates.
    pub fn leaves(&self) -> u64 {
        if self.children.is_empty() {
            return 1;
        }
        let below = |(child, copies): &(Tree, u32)| child.leaves().saturating_mul((*copies).into());
        self.children.iter().map(below).fold(0, u64::saturating_add)
    }

    /// The propagation function f of section 5: what `leaf` (by level, odd or even) becomes at this
    /// node of level `level`, where 1 minus the product of the children's f is the f of a node.
    ///
    /// f is the distribution function of the score at odd levels (min-nodes), and its complement at
    /// even ones. Equation (9), without level-regularity.
    pub(crate) fn propagate<T: Propagated>(&self, level: u32, leaf: &impl Fn(u32) -> T) -> T {
        if self.children.is_empty() {
            return leaf(level);
        }
        let powers = self.children.iter().map(|(child, copies)| {
            let below = child.propagate(level + 1, leaf);
            below.power(*copies)
        });
        powers
            .reduce(T::times)
            .expect("an internal node has children")
            .complement()
    }
}

/// Values that [`Tree::propagate`] can carry up a tree: numbers, counts, polynomials.
pub(crate) trait Propagated: Sized {
    /// The product of two.
    fn times(self, other: Self) -> Self;
    /// The product of `copies` times itself.
    fn power(self, copies: u32) -> Self;
    /// One minus it.
    fn complement(self) -> Self;
}

/// Why a text is not a tree, and the position of the error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("malformed tree at character {position}: {problem}")]
pub struct ParseTreeError {
    /// The character at which reading stopped, from 1.
    pub position: usize,
    /// What is wrong there.
    pub problem: TreeProblem,
}

/// What can be wrong with the text of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TreeProblem {
    /// The text ends where a node was expected.
    #[error("the text ends where a number or '{0}' was expected")]
    Ends(char),
    /// A bracket was opened and never closed.
    #[error("'{0}' is never closed")]
    Unclosed(char),
    /// A bracket was closed and never opened.
    #[error("'{0}' closes nothing")]
    Unopened(char),
    /// A node without children.
    #[error("a list needs at least one entry")]
    Empty,
    /// A node with no leaves.
    #[error("a node needs at least one child; write 1 or more")]
    Zero,
    /// A number beyond 32 bits.
    #[error("the number is above {}", u32::MAX)]
    TooLarge,
    /// A list inside a list, or a number outside one, of a level-regular tree.
    #[error("a level-regular tree is one list of numbers a move, as in [2 3][3 2]")]
    NotLevelRegular,
    /// Lists of different lengths in one level-regular tree.
    #[error("all moves of a level-regular tree need lists of the same length")]
    Ragged,
    /// Anything else.
    #[error("unexpected '{0}'; a tree is made of numbers, brackets and spaces")]
    Unexpected(char),
}

/// A token of the text of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Open,
    Close,
    Count(u32),
}

/// Splits the text of a tree, written with this pair of brackets, into tokens with their positions.
pub(crate) fn tokens(
    text: &str,
    [open, close]: [char; 2],
) -> Result<Vec<(usize, Token)>, ParseTreeError> {
    let mut found = Vec::new();
    let mut characters = text.chars().zip(1..).peekable();
    while let Some((character, position)) = characters.next() {
        let fail = |problem| ParseTreeError { position, problem };
        match character {
            _ if character == open => found.push((position, Token::Open)),
            _ if character == close => found.push((position, Token::Close)),
            _ if character.is_whitespace() || character == ',' => {}
            '0'..='9' => {
                let mut digits = String::from(character);
                while let Some((digit, _)) = characters.next_if(|(c, _)| c.is_ascii_digit()) {
                    digits.push(digit);
                }
                match digits.parse() {
                    Ok(0) => return Err(fail(TreeProblem::Zero)),
                    Ok(count) => found.push((position, Token::Count(count))),
                    Err(_) => return Err(fail(TreeProblem::TooLarge)),
                }
            }
            _ => return Err(fail(TreeProblem::Unexpected(character))),
        }
    }
    if found.is_empty() {
        let position = text.chars().count() + 1;
        return Err(ParseTreeError {
            position,
            problem: TreeProblem::Ends(open),
        });
    }
    Ok(found)
}

impl FromStr for Tree {
    type Err = ParseTreeError;

    fn from_str(text: &str) -> Result<Tree, ParseTreeError> {
        // The open lists, outermost first, each with the position of its bracket.
        let mut open: Vec<(usize, Vec<(Tree, u32)>)> = vec![(0, Vec::new())];
        for (position, token) in tokens(text, ['(', ')'])? {
            let fail = |problem| Err(ParseTreeError { position, problem });
            match token {
                Token::Open => open.push((position, Vec::new())),
                Token::Count(leaves) => {
                    let (_, list) = open.last_mut().expect("the outermost list stays open");
                    list.push((Tree::node(vec![(Tree::LEAF, leaves)]), 1));
                }
                Token::Close => {
                    let (_, list) = open.pop().expect("the outermost list stays open");
                    match open.last_mut() {
                        None => return fail(TreeProblem::Unopened(')')),
                        Some(_) if list.is_empty() => return fail(TreeProblem::Empty),
                        Some((_, parent)) => parent.push((Tree::node(list), 1)),
                    }
                }
            }
        }
        let (position, mut list) = open.pop().expect("the outermost list stays open");
        if position > 0 {
            return Err(ParseTreeError {
                position,
                problem: TreeProblem::Unclosed('('),
            });
        }
        // A single node is the root itself; several are its moves.
        Ok(if list.len() == 1 {
            list.remove(0).0
        } else {
            Tree::node(list)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outermost_brackets_are_optional() {
        let tree: Tree = "((3 3)(2 2 2))".parse().unwrap();
        assert_eq!(tree, "(3 3) (2, 2, 2)".parse().unwrap());
        assert_eq!(tree.moves().len(), 2);
        assert_eq!(tree.leaves(), 12);
        assert_eq!("5".parse::<Tree>().unwrap().moves(), [&Tree::LEAF; 5]);
    }

    #[test]
    fn errors_say_where() {
        let cases = [
            ("", 1, TreeProblem::Ends('(')),
            ("((3 3)(2 2 2)", 1, TreeProblem::Unclosed('(')),
            ("(3 3))", 6, TreeProblem::Unopened(')')),
            ("((3 3)())", 8, TreeProblem::Empty),
            ("((3 0))", 5, TreeProblem::Zero),
            ("((3 x))", 5, TreeProblem::Unexpected('x')),
            ("(3 99999999999)", 4, TreeProblem::TooLarge),
        ];
        for (text, position, problem) in cases {
            let error = text.parse::<Tree>().unwrap_err();
            assert_eq!(error, ParseTreeError { position, problem }, "{text}");
        }
    }
}
