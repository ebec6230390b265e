//! Random minimaxing.

use std::io::{self, Write};

use errare_minimax::{MatchTally, Threshold, WilsonInterval};
use errare_service::minimax::{
    bench::Timing,
    dominate::{self, Better, DepthAnswer},
    matches,
    mobility::{self, Correlation},
    play, prob, rate, sweep, tree,
};

use super::{Text, or_dash, table};
use crate::minimax::varying;

impl Text for tree::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.moves.iter().zip(1..).map(|(each, number)| {
            let value = format!("{:.6}", each.value);
            vec![number.to_string(), each.probability.clone(), value]
        });
        table(out, ["move", "probability", "value"], 0, rows)
    }
}

impl Text for dominate::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let counts = |count: fn(&dominate::LevelAnswer) -> u32| {
            let counts: Vec<String> = self.levels.iter().map(|l| count(l).to_string()).collect();
            format!("[{}]", counts.join(" "))
        };
        let (good, bad) = (counts(|level| level.good), counts(|level| level.bad));
        match self.domination {
            Some(Better::Good) => writeln!(out, "{good} strictly dominates {bad}")?,
            Some(Better::Bad) => writeln!(out, "{bad} strictly dominates {good}")?,
            Some(Better::Equal) => writeln!(out, "{good} and {bad} are alike")?,
            None => writeln!(out, "neither of {good} and {bad} dominates the other")?,
        }
        let rows = self.levels.iter().map(|each| {
            let symbol = if each.level % 2 == 1 { "q" } else { "m" };
            vec![
                format!("{symbol}{}", each.level),
                each.good.to_string(),
                each.bad.to_string(),
                each.better.name().to_owned(),
            ]
        });
        table(out, ["count", "good", "bad", "better"], 1, rows)?;
        for DepthAnswer { depth, ratio } in [&self.shallow, &self.deep] {
            writeln!(out, "prob(good) / prob(bad) at depth {depth}: {ratio:.6}")?;
        }
        let verdict = if self.beneficial { "is" } else { "is not" };
        let (deep, shallow) = (self.deep.depth, self.shallow.depth);
        writeln!(
            out,
            "searching {deep} plies instead of {shallow} {verdict} beneficial"
        )?;
        for threshold in &self.m {
            write_threshold(out, threshold, ["m", "M"], &good, self)?;
        }
        for threshold in &self.q {
            write_threshold(out, threshold, ["q", "Q"], &bad, self)?;
        }
        Ok(())
    }
}

fn write_threshold(
    out: &mut dyn Write,
    threshold: &Threshold,
    [symbol, product]: [&str; 2],
    owner: &str,
    answer: &dominate::Answer,
) -> io::Result<()> {
    let Threshold { level, given, .. } = threshold;
    match threshold.least.zip(threshold.product) {
        Some((least, reached)) => writeln!(
            out,
            "it is whenever {symbol}{level} of {owner} is at least {least} (now {given}), {product} >= {reached}"
        ),
        None => writeln!(
            out,
            "no {symbol}{level} of {owner} is enough with alpha = {}",
            answer.alpha
        ),
    }
}

impl Text for prob::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.moves.iter();
        let rows = rows.map(|each| vec![each.san.clone(), format!("{:.6}", each.probability)]);
        table(out, ["move", "probability"], 1, rows)
    }

    fn aside(&self) -> Option<String> {
        Some(format!(
            "{} leaves, {} nodes kept; sum {:.9}, error below {:.1e}",
            self.leaves, self.nodes, self.certificate, self.error
        ))
    }
}

impl Text for sweep::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (axis, values) = varying(self);
        let labels = values.iter().map(|value| format!("{axis} {value}"));
        let head = std::iter::once("move".to_owned()).chain(labels);
        let rows = self.moves.iter().map(|each| {
            let probabilities = each.probabilities.iter().map(|value| format!("{value:.6}"));
            std::iter::once(each.san.clone())
                .chain(probabilities)
                .collect()
        });
        table::<_, String>(out, head, 1, rows)
    }
}

impl Text for play::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.uci)
    }

    fn aside(&self) -> Option<String> {
        Some(format!("{}, seed {}", self.player, self.seed))
    }
}

impl Text for matches::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let share = |interval: Option<WilsonInterval>| {
            or_dash(interval, |WilsonInterval { share, low, high }| {
                format!("{share:.3} ({low:.3}-{high:.3})")
            })
        };
        let MatchTally {
            wins,
            draws,
            losses,
            adjudicated,
            win,
            score,
            mean_plies,
        } = &self.results;
        let rows = [
            ("wins of the first", wins.to_string()),
            ("draws", draws.to_string()),
            ("wins of the second", losses.to_string()),
            ("adjudicated", adjudicated.to_string()),
            ("win, draws discounted", share(*win)),
            ("score, draws half", share(*score)),
            ("plies a game", format!("{mean_plies:.1}")),
        ];
        let [first, second] = &self.players;
        let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
        table(out, [format!("{first} - {second}"), String::new()], 2, rows)
    }

    fn aside(&self) -> Option<String> {
        let seed = self.seed;
        Some(format!("seed {seed}; intervals are Wilson's at 95 %"))
    }
}

impl Text for rate::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let depths = self.players.first().map_or(&[][..], |p| &p.rated.depths);
        let depths = depths.iter().map(|fit| format!("depth {}", fit.depth));
        let head = ["game", "player", "moves"].map(ToOwned::to_owned);
        let head = head.into_iter().chain(depths).chain(["best".to_owned()]);
        let rows = self
            .players
            .iter()
            .map(|rate::PlayerAnswer { rated, best }| {
                let mut row = vec![
                    rated.game.to_string(),
                    format!("{} ({})", rated.name, rated.color),
                    rated.moves.to_string(),
                ];
                row.extend(rated.depths.iter().map(|fit| match fit.log_likelihood {
                    Some(value) => format!("{value:.2}"),
                    None => "-inf".to_owned(),
                }));
                row.push(or_dash(*best, |depth| depth.to_string()));
                row
            });
        table(out, head, 2, rows)
    }

    fn aside(&self) -> Option<String> {
        let lapse = self.lapse;
        Some(format!(
            "log-likelihood of the moves with a lapse of {lapse}; the greatest is best"
        ))
    }
}

impl Text for mobility::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let number = |value, digits| or_dash(value, |value: f64| format!("{value:.digits$}"));
        let rows = self.moves.iter().map(|each| {
            let children: Vec<String> = each.children.iter().map(|n| format!("{n:.1}")).collect();
            vec![
                each.found.san.clone(),
                format!("{:.6}", each.found.probability),
                format!("{:.4}", each.median),
                number(each.index, 4),
                format!("{:.4}", each.product),
                children.join(" "),
            ]
        });
        let head = [
            "move",
            "probability",
            "median",
            "index",
            "product",
            "children a level",
        ];
        table(out, head, 1, rows)?;
        let Correlation {
            median,
            index,
            product,
        } = self.correlation;
        writeln!(
            out,
            "rank correlation with the probability: median {}, index {}, product {}",
            number(median, 3),
            number(index, 3),
            number(product, 3)
        )
    }
}

impl Text for Vec<Timing> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.iter().map(|timing| {
            vec![
                timing.position.clone(),
                timing.depth.to_string(),
                timing.leaves.to_string(),
                timing.threads.to_string(),
                milliseconds(timing.perft),
                milliseconds(timing.prob),
                format!("{:.2}", timing.ratio),
                format!("{:.1e}", timing.error),
            ]
        });
        let head = [
            "position", "depth", "leaves", "threads", "perft ms", "prob ms", "ratio", "error",
        ];
        table(out, head, 1, rows)
    }
}

/// Three digits after the point only where they matter.
fn milliseconds(seconds: f64) -> String {
    let decimals = if seconds < 0.1 { 3 } else { 0 };
    format!("{:.decimals$}", seconds * 1e3)
}
