//! Haworth (2001), *Depth by The Rule*.

use std::collections::HashMap;

use errare_core::{Metric, Outcome, Plies};
use errare_endgame::Oracle;
use errare_tables::{Layer, ProbeError, Prober, Scan};
use shakmaty::{Board, Chess, Color, Position};

use super::{
    Computed, Experiment, Finding,
    lab::{Lab, material, position},
};
use crate::Error;

mod one_pass;

/// Plies without a capture or pawn move after which a draw can be claimed.
const FIFTY_MOVES: usize = 100;

pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "haworth-2001/example-1",
        short: false,
        run: example_1,
    },
    Experiment {
        id: "haworth-2001/example-2",
        short: true,
        run: example_2,
    },
    Experiment {
        id: "haworth-2001/shamkovich-wirthensohn",
        short: true,
        run: shamkovich_wirthensohn,
    },
    Experiment {
        id: "haworth-2001/inequality",
        short: false,
        run: inequality,
    },
    Experiment {
        id: "haworth-2001/one-pass",
        short: false,
        run: one_pass,
    },
];

fn plies(outcome: Outcome) -> Computed {
    Computed::Text(
        outcome
            .plies()
            .map_or("draw".to_owned(), |plies| plies.to_string()),
    )
}

fn example_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let rule = lab.oracle("KRRKB", Metric::Dtr)?;
    let zeroing = lab.oracle("KRRKB", Metric::Dtz)?;
    let start = position("8/8/8/8/8/8/R7/KRbk4 w - - 0 1");
    let mut successors = Vec::new();
    for m in start.legal_moves() {
        let mut after = start.clone();
        after.play_unchecked(m);
        if let Outcome::Loss(plies) = rule.outcome(&after)? {
            successors.push(plies);
        }
    }
    let least = successors.into_iter().min();
    let dz = zeroing.outcome(&start)?;
    let retracted = dz.plies().max(least);
    Ok(vec![
        Finding::new("dz", plies(dz)),
        Finding::new("dr", plies(rule.outcome(&start)?)),
        Finding::new(
            "al1",
            Computed::Text(retracted.map_or("none".to_owned(), |plies| plies.to_string())),
        ),
        Finding::new(
            "successor",
            Computed::Text(least.map_or("none".to_owned(), |plies| plies.to_string())),
        ),
    ])
}

/// In DTR the best defence is a capture that Black need not make; by DTZ it would be the worst.
fn example_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let start = position("8/8/8/8/8/R7/5Q2/K5k1 b - - 0 1");
    let captures_best = |oracle: &Oracle| -> Result<bool, Error> {
        let turn = oracle.turn(&start)?;
        let mut optimal = turn
            .choices()
            .iter()
            .filter(|choice| turn.is_optimal(choice));
        Ok(optimal.any(|choice| choice.r#move.is_capture()))
    };
    let rule = lab.oracle("KQRK", Metric::Dtr)?;
    let zeroing = lab.oracle("KQRK", Metric::Dtz)?;
    let only_by_rule = captures_best(&rule)? && !captures_best(&zeroing)?;
    let [dr, dz] = [&rule, &zeroing].map(|oracle| oracle.outcome(&start));
    let depth = |outcome: Outcome| outcome.plies().map_or(0, |plies| plies.0);
    let depths = format!("dz = {}, dr = {} plies", depth(dz?), depth(dr?));
    Ok(vec![
        Finding::new("voluntary-capture", Computed::yes(only_by_rule)),
        Finding::new("depths", Computed::Text(depths)),
    ])
}

/// All best play in DTZ and in DTC until a capture or promotion, by the tables of KQPKQ if they exist: they are not
/// built for one entry.
fn shamkovich_wirthensohn(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let start = position("8/2k1K3/5Q2/8/7P/6q1/8/8 w - - 0 1");
    let mut found = Vec::new();
    for metric in [Metric::Dtz, Metric::Dtc] {
        let oracle = Oracle::new(Prober::new(lab.service.tables.store().clone()), metric);
        if let Err(ProbeError::Missing { .. }) = oracle.turn(&start) {
            return Ok(Vec::new());
        }
        let [_, plies] = stretches(lab, &oracle, &start, &mut HashMap::new())?;
        found.push(plies);
    }
    let holds = found[0] >= FIFTY_MOVES && found[1] < FIFTY_MOVES;
    let why = format!(
        "By the tables of KQPKQ: until a capture or promotion there are at most {} plies without a pawn \
         move where both sides minimax dz, and {} where they minimax dc, whichever of several best moves they choose.",
        found[0], found[1]
    );
    Ok(vec![
        Finding::new("", Computed::yes(holds)).because(Some(why)),
    ])
}

/// The most plies of best play until a pawn move, from a position and anywhere after it, as long as nothing is captured and no
/// pawn promotes.
fn stretches(
    lab: &Lab<'_>,
    oracle: &Oracle,
    start: &Chess,
    known: &mut HashMap<(Board, Color), [usize; 2]>,
) -> Result<[usize; 2], Error> {
    let key = (start.board().clone(), start.turn());
    if let Some(found) = known.get(&key) {
        return Ok(*found);
    }
    lab.watch.check()?;
    let turn = oracle.turn(start)?;
    let [mut first, mut most] = [0, 0];
    for choice in turn.choices().iter().filter(|it| turn.is_optimal(it)) {
        let m = choice.r#move;
        if m.is_capture() || m.is_promotion() {
            continue;
        }
        let mut after = start.clone();
        after.play_unchecked(m);
        let below = stretches(lab, oracle, &after, known)?;
        if !m.is_zeroing() {
            first = first.max(1 + below[0]);
        }
        most = most.max(below[1]);
    }
    known.insert(key, [first, most.max(first)]);
    Ok([first, most.max(first)])
}

/// dm >= dr >= dz, and dr = dz where dz is at least as deep as anything that follows.
fn inequality(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    /// The deepest dz of KQK and KRK in plies, which are all that follows KQKR with a win.
    const DEEPEST_SUBGAME: Plies = Plies(32);
    let oracle = lab.oracle("KQKR", Metric::Dtr)?;
    let oracle_dtz = lab.oracle("KQKR", Metric::Dtz)?;
    let store = oracle.prober().store();
    let scan = Scan::new(store, material("KQKR"), Layer::Metric(Metric::Dtr))?;
    let (mut exceptions, mut unequal) = (0, 0);
    for entry in scan.positions() {
        let (position, rule) = entry?;
        if rule == Outcome::Draw || position.legal_moves().is_empty() {
            continue;
        }
        lab.watch.check()?;
        let zeroing = oracle_dtz.outcome(&position)?;
        let mate = oracle.prober().outcome(&position, Metric::Dtm)?;
        let [mate, rule, zeroing] = [mate, rule, zeroing].map(Outcome::plies);
        exceptions += usize::from(!(mate >= rule && rule >= zeroing));
        unequal += usize::from(zeroing >= Some(DEEPEST_SUBGAME) && rule != zeroing);
    }
    Ok(vec![
        Finding::new("order", Computed::count(exceptions)),
        Finding::new("deep", Computed::count(unequal)),
    ])
}

fn one_pass(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtr)?;
    let store = oracle.prober().store();
    let compared = one_pass::compare(store, material("KQKR"), Color::White, &lab.quiet())?;
    Ok(vec![
        Finding::new("wrong", Computed::Text(compared.wrong.to_string())),
        Finding::new(
            "deepest",
            Computed::Text(format!(
                "{} and {}",
                compared.deepest[0], compared.deepest[1]
            )),
        ),
    ])
}
