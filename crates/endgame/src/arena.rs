//! The arena of matches: the positions met so far, with the move probabilities of memoryless players.
//!
//! A position is probed once, whatever its halfmove clock: players do not see the clock, since their choice must not
//! depend on the game in which the position was met first. From then on a move of a memoryless player is one random
//! number and a walk along the cumulative probabilities of its moves.

use errare_choice::{Kappa, Profile};
use rand::{Rng, RngExt};
use rustc_hash::FxHashMap;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, Setup,
};

use crate::{Oracle, TablePlayError, TablePlayer, Turn, Weighting, agent::TableView, exits};

/// A position of the arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node(u32);

const UNKNOWN: u32 = u32::MAX;

/// A move of a position: the cumulative probability up to it, and the position it leads to.
#[derive(Debug, Clone, Copy)]
struct Edge {
    cumulated: f64,
    to: u32,
}

/// The data needed at every visit to a position.
#[derive(Debug, Clone, Copy)]
struct Head {
    first: u32,
    len: u16,
    white_moves: bool,
    /// The value for White if the game is over here.
    end: Option<i8>,
}

/// The data needed only now and then.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) position: Chess,
    pub(crate) turn: Turn,
    /// The Analyser's view.
    pub(crate) profile: Profile,
}

/// The positions met so far in games of two players.
pub(crate) struct Arena<'a, P> {
    oracle: &'a Oracle,
    /// White and Black.
    players: [&'a P; 2],
    kappa: Kappa,
    /// Does a game end with the metric's phase?
    until_conversion: bool,
    numbers: FxHashMap<(Chess, bool), u32>,
    heads: Vec<Head>,
    bodies: Vec<Body>,
    edges: Vec<Edge>,
}

impl<'a, P: TablePlayer> Arena<'a, P> {
    pub(crate) fn new(
        oracle: &'a Oracle,
        players: [&'a P; 2],
        kappa: Kappa,
        until_conversion: bool,
    ) -> Arena<'a, P> {
        Arena {
            oracle,
            players,
            kappa,
            until_conversion,
            numbers: FxHashMap::default(),
            heads: Vec::new(),
            bodies: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// White and Black.
    pub(crate) fn players(&self) -> [&'a P; 2] {
        self.players
    }

    /// The node of a starting position.
    pub(crate) fn start(&mut self, position: &Chess) -> Result<Node, TablePlayError> {
        self.node(position.clone(), None)
    }

    /// The value for White if the game is over.
    #[inline]
    pub(crate) fn end(&self, node: Node) -> Option<i8> {
        self.heads[node.0 as usize].end
    }

    /// The side to move.
    #[inline]
    pub(crate) fn mover(&self, node: Node) -> Color {
        Color::from_white(self.heads[node.0 as usize].white_moves)
    }

    /// The position and its moves.
    #[inline]
    pub(crate) fn body(&self, node: Node) -> &Body {
        &self.bodies[node.0 as usize]
    }

    /// The agent's view.
    pub(crate) fn view(&self, node: Node) -> TableView<'_> {
        let body = self.body(node);
        TableView {
            oracle: self.oracle,
            position: &body.position,
            turn: &body.turn,
        }
    }

    /// Draws the index of a move with its probability, if the player has fixed probabilities.
    #[inline]
    pub(crate) fn draw(&self, node: Node, rng: &mut impl Rng) -> Option<usize> {
        let head = self.heads[node.0 as usize];
        let edges = &self.edges[head.first as usize..][..usize::from(head.len)];
        if edges.first().is_none_or(|edge| edge.cumulated.is_nan()) {
            return None;
        }
        let drawn = rng.random::<f64>();
        let number = edges.iter().position(|edge| drawn < edge.cumulated);
        // The probabilities may sum to slightly less than 1.
        Some(number.unwrap_or_else(|| last_possible(edges)))
    }

    /// The position after a move.
    #[inline]
    pub(crate) fn after(&mut self, node: Node, number: usize) -> Result<Node, TablePlayError> {
        let edge = self.heads[node.0 as usize].first as usize + number;
        match self.edges[edge].to {
            UNKNOWN => {
                let to = self.expand(node, number)?;
                self.edges[edge].to = to.0;
                Ok(to)
            }
            to => Ok(Node(to)),
        }
    }

    fn expand(&mut self, node: Node, number: usize) -> Result<Node, TablePlayError> {
        let body = self.body(node);
        let choice = body.turn.choices()[number];
        let mut after = body.position.clone();
        after.play_unchecked(choice.r#move);
        let is_over = self.until_conversion && exits(choice.r#move, self.oracle.metric());
        let value = choice.state.value() as i8;
        let for_white = if self.mover(node).is_white() {
            value
        } else {
            -value
        };
        self.node(after, is_over.then_some(for_white))
    }

    /// The node of a position, in which the game may have ended by conversion.
    fn node(&mut self, position: Chess, converted: Option<i8>) -> Result<Node, TablePlayError> {
        let mut key = (position, converted.is_some());
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(Node(number));
        }
        key.0 = without_clock(&key.0);
        let (position, _) = &key;
        let turn = self.oracle.turn(position)?;
        let mover = position.turn();
        let end = converted.or_else(|| self.end_on_board(position, &turn));
        let first = self.edges.len() as u32;
        if end.is_none() {
            let view = TableView {
                oracle: self.oracle,
                position,
                turn: &turn,
            };
            let player = self.players[mover.fold_wb(0, 1)];
            // NaN: no fixed chances, so ask the agent.
            let unknown = || vec![f64::NAN; turn.choices().len()];
            let chances = player.chances(view)?.unwrap_or_else(unknown);
            let mut cumulated = 0.0;
            for chance in chances {
                cumulated += chance;
                self.edges.push(Edge {
                    cumulated,
                    to: UNKNOWN,
                });
            }
        }
        self.heads.push(Head {
            first,
            len: (self.edges.len() - first as usize) as u16,
            white_moves: mover.is_white(),
            end,
        });
        self.bodies.push(Body {
            position: position.clone(),
            profile: Weighting::keeping_value().profile(&turn, self.kappa),
            turn,
        });
        let number = (self.heads.len() - 1) as u32;
        self.numbers.insert(key, number);
        Ok(Node(number))
    }

    /// The value for White if the side to move has no move, or mate is no longer possible.
    fn end_on_board(&self, position: &Chess, turn: &Turn) -> Option<i8> {
        if position.is_checkmate() {
            Some(position.turn().fold_wb(-1, 1))
        } else if turn.choices().is_empty() || position.is_insufficient_material() {
            Some(0)
        } else {
            None
        }
    }
}

/// The same position with the clock at zero.
fn without_clock(position: &Chess) -> Chess {
    let setup = Setup {
        halfmoves: 0,
        ..position.to_setup(EnPassantMode::Legal)
    };
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .expect("it was a position")
}

fn last_possible(edges: &[Edge]) -> usize {
    let all = edges.last().map_or(0.0, |edge| edge.cumulated);
    edges
        .iter()
        .position(|edge| edge.cumulated == all)
        .unwrap_or(0)
}
