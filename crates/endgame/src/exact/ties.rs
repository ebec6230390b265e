//! The replies of an infallible opponent that breaks ties by the names of moves.

use errare_core::{Metric, Watch};
use errare_tables::{Census, Symmetry};
use rayon::prelude::*;
use shakmaty::{Chess, Move, Position, Square};

use super::{
    ExactError,
    graph::{Graph, packed},
    simulate::ACHIEVED,
};
use crate::{Oracle, TieBreak, player::rank_of};

/// Positions between checks of the watch.
const RANKS_BETWEEN_CHECKS: usize = 1 << 10;

/// By node of the opponent, rank * orientations + orientation: the player's node after the reply,
/// likewise.
pub(super) fn named_replies(
    oracle: &Oracle,
    graph: &Graph,
    ties: TieBreak,
    watch: &dyn Watch,
) -> Result<Vec<u32>, ExactError> {
    let census = graph.lost_census(oracle)?;
    let orientations = graph.orientations;
    let mut indices = vec![0; graph.lost.len()];
    for (index, &rank) in graph.lost.ranks.iter().enumerate() {
        if rank != ACHIEVED {
            indices[rank as usize] = index as u32;
        }
    }
    let mut replies = vec![ACHIEVED; graph.lost.len() * orientations];
    watch.begin("breaking ties", None);
    replies
        .par_chunks_mut(orientations)
        .enumerate()
        .try_for_each(|(rank, replies)| {
            if rank % RANKS_BETWEEN_CHECKS == 0 {
                watch.check()?;
            }
            let options = match graph.lost.moves(rank).0 {
                [] => return Ok(()),
                &[only] => vec![Reply {
                    role: 0,
                    squares: [Square::A1; 2],
                    promotion: None,
                    target: only,
                }],
                _ => options(oracle, graph, &census, indices[rank], ties)?,
            };
            for (orientation, reply) in replies.iter_mut().enumerate() {
                let from = Symmetry::ALL[orientation];
                let best = options
                    .iter()
                    .min_by_key(|option| option.key(from, graph.flipped()))
                    .expect("there are several");
                let onward = Symmetry::ALL[(best.target & 7) as usize];
                // Stored = onward(after); the board is from(stored), so from(onward^-1(stored)).
                let orientation = onward.inverse().then(from);
                *reply = (best.target >> 3) * orientations as u32 + orientation.number() as u32;
            }
            Ok::<(), ExactError>(())
        })?;
    Ok(replies)
}

/// One of the best replies.
struct Reply {
    /// Preferred before the name decides: less is better.
    role: i32,
    squares: [Square; 2],
    promotion: Option<char>,
    target: u32,
}

impl Reply {
    /// The sort key in an orientation of the board.
    fn key(&self, orientation: Symmetry, flipped: bool) -> impl Ord + use<> {
        let square = |square: Square| {
            let seen = orientation.image(square);
            let seen = if flipped { seen.flip_vertical() } else { seen };
            (seen.file(), seen.rank())
        };
        let [from, to] = self.squares.map(square);
        (self.role, from, to, self.promotion)
    }
}

/// The best replies in a stored position.
fn options(
    oracle: &Oracle,
    graph: &Graph,
    census: &Census<'_>,
    index: u32,
    ties: TieBreak,
) -> Result<Vec<Reply>, ExactError> {
    let position = census.position(index);
    let turn = oracle.turn(&position)?;
    let best = turn
        .choices()
        .iter()
        .filter(|choice| turn.is_optimal(choice));
    best.map(|choice| {
        let m = choice.r#move;
        let after = after(&position, m);
        let (index, symmetry) = census
            .locate(after.board(), false)
            .expect("the best replies stay in the endgame");
        let role = match ties {
            TieBreak::RookFirst => rank_of(m.role()) as i32,
            TieBreak::LongestDtm => oracle.prober().outcome(&after, Metric::Dtm)?.preference(),
            TieBreak::First | TieBreak::Uniform => 0,
        };
        Ok(Reply {
            role,
            squares: [m.from().unwrap_or(m.to()), m.to()],
            promotion: m.promotion().map(|role| role.char()),
            target: packed(graph.won.ranks[index as usize], symmetry),
        })
    })
    .collect()
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
