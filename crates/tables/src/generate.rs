//! Generates tables by set-wise retrograde analysis.
//!
//! An endgame is solved pawn slice by pawn slice, in the order in which pawns can be pushed. In a
//! slice the [exits](exits) come first: captures and promotions into subgames, pushes into slices
//! solved before. Then the positions are settled ply by ply ([`solve`]), 64 positions of a
//! [row](crate::Layout) at a time ([`moves`]). DTR follows from DTZ and the exits ([`rule`]).
//!
//! Threads share the work by slices and pairs of kings; each result is written by one task, from
//! the results of earlier steps, so it does not depend on the number of threads.

mod conversions;
mod exits;
mod family;
mod frontier;
mod half;
mod moves;
mod pushes;
mod rule;
mod solve;
mod subgames;

use std::ops::ControlFlow;

use errare_core::{Metric, Watch};
use rayon::prelude::*;
use shakmaty::Color;

pub(crate) use self::{
    conversions::Conversions,
    family::Family,
    moves::QuietMoves,
    pushes::{Push, RowAt},
    subgames::{LoadedSlice, SubgameSlice, Subgames},
};
use self::{exits::Exits, half::Half};
use crate::{Layer, Layout, Value, layout::side};

/// The 50-move rule, in plies.
pub(crate) const FIFTY_MOVES: u8 = 100;

/// Why a solution was abandoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abort {
    /// A depth of more than 255 plies.
    TooDeep,
    /// The watcher stopped the work.
    Stopped,
}

/// Receives the values of a layer in stored order, for each side to move.
pub(crate) trait Sink {
    /// Why the values cannot be stored.
    type Error: Send;

    /// The next values of one layer and side to move.
    fn take(&mut self, layer: Layer, turn: Color, values: &[Value]) -> Result<(), Self::Error>;

    /// Some DTZ50 differs from DTZ. If this is never called, DTZ50 may be incomplete.
    fn dtz50_differs(&mut self) {}
}

/// Why an endgame could not be generated.
#[derive(Debug)]
pub(crate) enum Failure<L, S> {
    /// The solution was abandoned.
    Aborted(Abort),
    /// A subgame could not be read.
    Subgame(L),
    /// The values could not be stored.
    Sink(S),
}

/// A solved slice.
struct Solved {
    /// With the depths needed by pushes into it.
    halves: [Half; 2],
    /// The depths that [`Family::Rule`] solves besides DTR.
    zeroing: Option<Zeroing>,
}

/// Depths to the next zeroing move.
struct Zeroing {
    /// DTZ.
    plain: [Half; 2],
    /// DTZ50 where it differs.
    under_rule: Option<[Half; 2]>,
}

/// Generates the layers of a family, several slices at a time.
pub(crate) fn generate<L: Subgames, S: Sink>(
    layout: &Layout,
    family: Family,
    subgames: &L,
    slices_at_a_time: usize,
    watch: &dyn Watch,
    sink: &mut S,
) -> Result<(), Failure<L::Error, S::Error>> {
    let mut slices: Vec<Option<[Half; 2]>> = Vec::new();
    slices.resize_with(layout.pawns.slices.len(), || None);
    for (number, stage) in layout.pawns.stages.iter().enumerate() {
        let all: Vec<usize> = stage.clone().collect();
        for some in all.chunks(slices_at_a_time) {
            // Subgames are read here, one by one, so that no two threads read the same one.
            let tasks: Vec<SliceTask<'_>> = some
                .iter()
                .map(|&slice| SliceTask::new(layout, slice, subgames).map_err(Failure::Subgame))
                .collect::<Result<_, _>>()?;
            let solved: Vec<Solved> = tasks
                .into_par_iter()
                .map(|task| task.solve(family, watch, &slices).map_err(Failure::Aborted))
                .collect::<Result<_, _>>()?;
            for (&slice, solved) in some.iter().zip(solved) {
                solved.emit(layout, family, sink).map_err(Failure::Sink)?;
                slices[slice] = Some(solved.halves);
            }
        }
        // A push advances by one stage or two; slices further on are no longer needed.
        if let Some(old) = number.checked_sub(2) {
            for slice in layout.pawns.stages[old].clone() {
                slices[slice] = None;
            }
        }
    }
    Ok(())
}

/// Enough slices at a time to keep all threads busy, few enough to hold their subgames in memory.
pub(crate) fn slices_at_a_time(layout: &Layout) -> usize {
    const POSITIONS: usize = 1 << 18;
    (POSITIONS / layout.slice_len()).max(2 * rayon::current_num_threads())
}

impl Solved {
    /// Passes all layers to the sink.
    fn emit<S: Sink>(&self, layout: &Layout, family: Family, sink: &mut S) -> Result<(), S::Error> {
        emit(layout, family.layer(), &self.halves, sink)?;
        if let Some(Zeroing { plain, under_rule }) = &self.zeroing {
            emit(layout, Layer::Metric(Metric::Dtz), plain, sink)?;
            if under_rule.is_some() {
                sink.dtz50_differs();
            }
            // For a single slice it is now known whether DTZ50 is needed.
            if under_rule.is_some() || layout.pawns.slices.len() > 1 {
                let under_rule = under_rule.as_ref().unwrap_or(plain);
                emit(layout, Layer::Dtz50, under_rule, sink)?;
            }
        }
        Ok(())
    }
}

/// Passes the values of one layer of a slice to the sink, some pairs of kings at a time.
fn emit<S: Sink>(
    layout: &Layout,
    layer: Layer,
    halves: &[Half; 2],
    sink: &mut S,
) -> Result<(), S::Error> {
    const VALUES_AT_A_TIME: usize = 1 << 24;
    let pairs = layout.kings.pairs.len();
    let step = (VALUES_AT_A_TIME / layout.pair_len()).clamp(1, pairs);
    for turn in Color::ALL {
        for first in (0..pairs).step_by(step) {
            let some_pairs = first..(first + step).min(pairs);
            let values = halves[side(turn)].values(layout, some_pairs);
            sink.take(layer, turn, &values)?;
        }
    }
    Ok(())
}

/// A slice to solve, with the moves that leave it.
struct SliceTask<'a> {
    layout: &'a Layout,
    slice: usize,
    /// By side to move.
    conversions: [Conversions<'a>; 2],
    pushes: [Vec<Push>; 2],
}

impl<'a> SliceTask<'a> {
    fn new<L: Subgames>(
        layout: &'a Layout,
        slice: usize,
        subgames: &L,
    ) -> Result<SliceTask<'a>, L::Error> {
        let pawns = &layout.pawns.slices[slice];
        let conversions = |turn| Conversions::new(layout, turn, pawns, subgames);
        let pushes = |turn| Push::all(layout, turn, slice, subgames);
        Ok(SliceTask {
            layout,
            slice,
            conversions: [conversions(Color::White)?, conversions(Color::Black)?],
            pushes: [pushes(Color::White)?, pushes(Color::Black)?],
        })
    }

    fn solve(
        self,
        family: Family,
        watch: &dyn Watch,
        slices: &[Option<[Half; 2]>],
    ) -> Result<Solved, Abort> {
        let (layout, slice) = (self.layout, self.slice);
        let moves = QuietMoves::new(layout, &layout.pawns.slices[slice]);
        let mut halves = fresh_halves(layout, slice);
        let mut exits = Color::ALL.map(|turn| {
            let half = &halves[side(turn)];
            let mut exits = Exits::none(layout);
            self.conversions[side(turn)].add_to(&mut exits, family, &moves, half);
            for push in &self.pushes[side(turn)] {
                let reached = slices[push.slice]
                    .as_ref()
                    .expect("slices come in push order");
                push.add_to(&mut exits, family, layout, half, &reached[side(!turn)]);
            }
            exits
        });
        // The subgames are no longer needed.
        drop(self);

        let material = layout.material();
        let each_ply = |layer: Layer| {
            move |ply| {
                watch.detail(&format!("{material} {layer}, ply {ply}"));
                match watch.is_stopped() {
                    true => ControlFlow::Break(Abort::Stopped),
                    false => ControlFlow::Continue(()),
                }
            }
        };
        let mut zeroing = None;
        let end = if family == Family::Rule {
            let fresh = || fresh_halves(layout, slice);
            solve_by_the_rule(&moves, &mut halves, &exits, fresh, each_ply)
                .map_continue(|solved| zeroing = Some(solved))
        } else {
            for (half, exits) in halves.iter_mut().zip(&mut exits) {
                half.depth = std::mem::take(&mut exits.cost);
            }
            solve::solve(&moves, &mut halves, &exits, each_ply(family.layer()))
        };
        match end {
            ControlFlow::Continue(()) => Ok(Solved { halves, zeroing }),
            ControlFlow::Break(abort) => Err(abort),
        }
    }
}

fn fresh_halves(layout: &Layout, slice: usize) -> [Half; 2] {
    Color::ALL.map(|turn| Half::new(layout, slice, turn))
}

/// Solves DTZ, DTZ50 and DTR; leaves the depths of DTR in the halves.
fn solve_by_the_rule<F: FnMut(u16) -> ControlFlow<Abort>>(
    moves: &QuietMoves<'_>,
    halves: &mut [Half; 2],
    exits: &[Exits; 2],
    fresh: impl Fn() -> [Half; 2],
    each_ply: impl Fn(Layer) -> F,
) -> ControlFlow<Abort, Zeroing> {
    solve::solve(moves, halves, exits, each_ply(Layer::Metric(Metric::Dtz)))?;

    let mut under_rule = None;
    let ruled = exits
        .each_ref()
        .map(|exits| exits.under_rule(moves.layout(), FIFTY_MOVES));
    if ruled
        .iter()
        .zip(exits)
        .any(|(ruled, exits)| ruled.draw != exits.draw)
    {
        let mut halves = fresh();
        solve::solve(moves, &mut halves, &ruled, each_ply(Layer::Dtz50))?;
        under_rule = Some(halves);
    }
    drop(ruled);

    let dtr = Layer::Metric(Metric::Dtr);
    let [white, black] = rule::depth_by_the_rule(moves, halves, exits, each_ply(dtr))?;
    let by_rule = [halves[0].with_depth(white), halves[1].with_depth(black)];
    let plain = std::mem::replace(halves, by_rule);
    ControlFlow::Continue(Zeroing { plain, under_rule })
}
