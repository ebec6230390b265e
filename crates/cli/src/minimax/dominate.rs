//! `errare minimax dominate`: domination and the thresholds of increased lookahead.

use std::cmp::Ordering;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use errare_minimax::{Alpha, LevelRegular, Lookahead, Product, Threshold, compare_at, domination};
use serde::Serialize;

use super::search;
use crate::output;

#[derive(Args)]
pub(super) struct Arguments {
    /// The good move, by its child counts at levels 1, 2, ...: "[2 3]".
    good: String,
    /// The bad move, of the same depth: "[3 2]".
    bad: String,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// The smaller depth to compare with, by default two plies less than the moves have, or 1.
    #[arg(long, value_parser = search::depth)]
    shallow: Option<std::num::NonZeroU32>,
}

#[derive(Serialize)]
struct Answer {
    /// Which move dominates the other: `good`, `bad`, `equal`, or null.
    domination: Option<&'static str>,
    levels: Vec<LevelAnswer>,
    alpha: Alpha,
    shallow: DepthAnswer,
    deep: DepthAnswer,
    beneficial: bool,
    #[serde(rename = "M")]
    m: Vec<Threshold>,
    #[serde(rename = "Q")]
    q: Vec<Threshold>,
}

#[derive(Serialize)]
struct LevelAnswer {
    level: usize,
    good: u32,
    bad: u32,
    better: &'static str,
}

#[derive(Serialize)]
struct DepthAnswer {
    depth: usize,
    /// prob(good) / prob(bad).
    ratio: f64,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let [good, bad] = [one_move(&arguments.good)?, one_move(&arguments.bad)?];
    if good.depth() != bad.depth() {
        bail!("{good} and {bad} have different depths; give both lists the same length");
    }
    let deep = good.depth();
    let shallow = match arguments.shallow {
        None => deep.saturating_sub(2).max(1),
        Some(shallow) if (shallow.get() as usize) < deep => shallow.get() as usize,
        Some(shallow) => {
            bail!("--shallow {shallow} is not below the depth of the moves, which is {deep}")
        }
    };
    let order = domination(&good, &bad);
    let levels = good.0.iter().zip(&bad.0).zip(1..);
    let levels = levels
        .map(|((&good, &bad), level)| LevelAnswer {
            level,
            good,
            bad,
            better: name(compare_at(level, good, bad)),
        })
        .collect();
    let pair = Lookahead {
        good,
        bad,
        shallow,
        alpha: arguments.alpha,
    };
    let at = |depth| DepthAnswer {
        depth,
        ratio: pair.ratio(depth),
    };
    let answer = Answer {
        domination: order.map(name),
        levels,
        alpha: arguments.alpha,
        shallow: at(shallow),
        deep: at(deep),
        beneficial: pair.is_beneficial(),
        m: pair.thresholds(Product::M),
        q: pair.thresholds(Product::Q),
    };
    if json {
        output::json(&answer)?;
    } else {
        print(&pair, &answer)?;
    }
    Ok(match order {
        Some(_) => ExitCode::SUCCESS,
        None => ExitCode::from(1),
    })
}

fn one_move(text: &str) -> Result<LevelRegular> {
    match &LevelRegular::parse_moves(text)?[..] {
        [only] => Ok(only.clone()),
        moves => bail!(
            "'{text}' has {} moves where one was expected, as in \"[2 3]\"",
            moves.len()
        ),
    }
}

fn name(order: Ordering) -> &'static str {
    match order {
        Ordering::Greater => "good",
        Ordering::Equal => "equal",
        Ordering::Less => "bad",
    }
}

fn print(pair: &Lookahead, answer: &Answer) -> Result<()> {
    let (good, bad) = (&pair.good, &pair.bad);
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{}",
        match answer.domination {
            Some("good") => format!("{good} strictly dominates {bad}"),
            Some("bad") => format!("{bad} strictly dominates {good}"),
            Some(_) => format!("{good} and {bad} are alike"),
            None => format!("neither of {good} and {bad} dominates the other"),
        }
    )?;
    let rows = answer.levels.iter().map(|each| {
        let symbol = if each.level % 2 == 1 { "q" } else { "m" };
        vec![
            format!("{symbol}{}", each.level),
            each.good.to_string(),
            each.bad.to_string(),
            each.better.to_owned(),
        ]
    });
    output::rows(&mut out, ["count", "good", "bad", "better"], 1, rows)?;
    for DepthAnswer { depth, ratio } in [&answer.shallow, &answer.deep] {
        writeln!(out, "prob(good) / prob(bad) at depth {depth}: {ratio:.6}")?;
    }
    let verdict = if answer.beneficial { "is" } else { "is not" };
    writeln!(
        out,
        "searching {} plies instead of {} {verdict} beneficial",
        answer.deep.depth, answer.shallow.depth
    )?;
    for (product, owner, thresholds) in [("M", good, &answer.m), ("Q", bad, &answer.q)] {
        for Threshold {
            level,
            given,
            least,
            product: reached,
        } in thresholds
        {
            let symbol = if product == "M" { "m" } else { "q" };
            match least.zip(*reached) {
                Some((least, reached)) => writeln!(
                    out,
                    "it is whenever {symbol}{level} of {owner} is at least {least} (now {given}), {product} >= {reached}"
                ),
                None => writeln!(
                    out,
                    "no {symbol}{level} of {owner} is enough with alpha = {}",
                    answer.alpha
                ),
            }?;
        }
    }
    Ok(())
}
