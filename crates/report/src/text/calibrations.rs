//! Existing calibrations: compared with each other, or checked against other games.

use std::io::{self, Write};

use errare_core::grouped;
use errare_rating::continuous::{CalibrationCheck, Coverage, FEWEST_CHECKED_TURNS};
use errare_service::{
    check::{self, Period},
    compare::{self, CalibrationSummary, LISTED, Shipped},
};

use super::{Text, or_dash, table};
use crate::coverage::{self, percent};

impl Text for Shipped {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.calibrations.iter().map(|it| {
            let [lowest, highest] = it.about.mileposts;
            vec![
                it.name.clone(),
                it.about.family.clone(),
                grouped(it.about.turns as u64),
                format!("{lowest} to {highest}"),
            ]
        });
        table(out, ["name", "family", "turns", "Elo"], 2, rows)
    }
}

impl Text for compare::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let numbered = |place: usize| format!("[{}]", place + 1);
        for (place, one) in self.calibrations.iter().enumerate() {
            writeln!(out, "{}  {}: {}", numbered(place), one.name, one.engine)?;
        }
        writeln!(out)?;
        let columns = 0..self.calibrations.len();
        let head = |title: &str| -> Vec<String> {
            let names = columns.clone().map(numbered);
            [title.to_owned()].into_iter().chain(names).collect()
        };
        let rows = facts().into_iter().map(|(name, of)| {
            let values = self.calibrations.iter().map(of);
            [name].into_iter().chain(values).collect::<Vec<String>>()
        });
        table(out, head(""), 1, rows)?;
        writeln!(out)?;
        let mut weights = head("weight at 2250, ± its error");
        if !self.differences.is_empty() {
            weights.push("z [1]-[2]".to_owned());
        }
        table(out, weights, 1, self.weight_rows(false))?;
        writeln!(out)?;
        let mut slopes = head("slope in 450 Elo, ± its error");
        if !self.differences.is_empty() {
            slopes.push("z [1]-[2]".to_owned());
        }
        table(out, slopes, 1, self.weight_rows(true))?;
        if !self.differences.is_empty() {
            let note = "z: the difference of the first two in standard errors, as if their games were different ones. \
                        Weights of different engines or depths need not agree.";
            writeln!(out, "\n{note}")?;
        }
        Ok(())
    }
}

/// The rows of a comparison, each with its name.
fn facts() -> Vec<(String, fn(&CalibrationSummary) -> String)> {
    let rows: [(&str, fn(&CalibrationSummary) -> String); 18] = [
        ("games", |it| grouped(it.origin.games as u64)),
        ("players", |it| grouped(it.origin.players as u64)),
        ("turns", |it| grouped(it.origin.turns as u64)),
        ("Elo", |it| {
            format!("{:.0} to {:.0}", it.origin.elo[0], it.origin.elo[1])
        }),
        ("log-loss, games left out", |it| {
            format!("{:.4}", it.log_loss.lines)
        }),
        ("of the blend", |it| format!("{:.4}", it.log_loss.blend)),
        ("of the paper's model", |it| {
            format!("{:.4}", it.log_loss.paper)
        }),
        ("rms z of mm, ad by class", |it| {
            or_dash(it.rms_z, |[mm, ad]| format!("{mm:.2}, {ad:.2}"))
        }),
        ("one game: covered %", |it| {
            let Coverage {
                single, singles, ..
            } = it.coverage;
            or_dash((singles > 0).then_some(single), percent)
        }),
        ("half width", |it| {
            or_dash(it.coverage.single_half_width, |half| format!("{half:.0}"))
        }),
        ("open %", |it| or_dash(it.coverage.single_open, percent)),
        ("several games: covered %", |it| {
            let Coverage {
                aggregate,
                aggregates,
                fewest_games,
                ..
            } = it.coverage;
            or_dash((aggregates > 0).then_some(aggregate), |share| {
                format!("{} ({fewest_games} or more)", percent(share))
            })
        }),
        ("half width", |it| {
            or_dash(it.coverage.aggregate_half_width, |half| {
                format!("{half:.0}")
            })
        }),
        ("open %", |it| or_dash(it.coverage.aggregate_open, percent)),
        ("effect of a player, Elo", |it| {
            format!("{:.0}", it.effects[0])
        }),
        ("added by a game, Elo", |it| format!("{:.0}", it.effects[1])),
        ("honest z scatter: mm, ad", |it| {
            format!("{:.2}, {:.2}", it.scatter[0], it.scatter[1])
        }),
        ("watch, full test from", |it| {
            format!("{:.2}, {:.2}", it.thresholds[0], it.thresholds[1])
        }),
    ];
    rows.map(|(name, of)| match name {
        "watch, full test from" => (format!("{name}, of {LISTED}"), of),
        name => (name.to_owned(), of),
    })
    .into()
}

trait WeightRows {
    /// One row for each feature of any of the calibrations.
    fn weight_rows(&self, slopes: bool) -> Vec<Vec<String>>;
}

impl WeightRows for compare::Answer {
    fn weight_rows(&self, slopes: bool) -> Vec<Vec<String>> {
        let mut features: Vec<&str> = Vec::new();
        let all = self.calibrations.iter().flat_map(|it| &it.weights);
        for weight in all.filter(|it| !slopes || it.slope.is_some()) {
            if !features.contains(&&*weight.feature) {
                features.push(&weight.feature);
            }
        }
        let row = |feature: &&str| {
            let mut row = vec![(*feature).to_owned()];
            row.extend(self.calibrations.iter().map(|it| {
                let weight = it.weights.iter().find(|it| it.feature == **feature);
                let value = weight.and_then(|it| match slopes {
                    true => it.slope,
                    false => Some(it.at_origin),
                });
                or_dash(value, |[value, error]| format!("{value:.3} ± {error:.3}"))
            }));
            if !self.differences.is_empty() {
                let same = self.differences.iter().find(|it| it.feature == **feature);
                let z = same.and_then(|it| match slopes {
                    true => it.z_slope,
                    false => Some(it.z_at_origin),
                });
                row.push(or_dash(z, |z| format!("{z:+.1}")));
            }
            row
        };
        features.iter().map(row).collect()
    }
}

impl Text for check::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.calibration.engine)?;
        for period in &self.periods {
            writeln!(out)?;
            write_period(out, period, self.own_log_loss)?;
        }
        let note = "Offset: by how many Elo these people play better than people of the same ratings do in the games of \
                    the calibration. Its interval allows for turns, games, players and the errors of the calibration.";
        writeln!(out, "\n{} {note}", coverage::LEGEND)
    }

    fn remarks(&self) -> Vec<String> {
        self.warnings.clone()
    }
}

fn write_period(out: &mut dyn Write, period: &Period, own: f64) -> io::Result<()> {
    let CalibrationCheck {
        games,
        players,
        turns,
        log_loss,
        coverage,
        rms_z,
        ..
    } = &period.check;
    let title = match period.years {
        Some([from, to]) if from == to => format!("{from}: "),
        Some([from, to]) => format!("{from} to {to}: "),
        None => String::new(),
    };
    writeln!(
        out,
        "{title}{} games, {} players, {} turns",
        grouped(*games as u64),
        grouped(*players as u64),
        grouped(*turns as u64)
    )?;
    writeln!(
        out,
        "log-loss {log_loss:.4} (of the calibration's own games, left out: {own:.4})"
    )?;
    if let Some([mm, ad]) = rms_z {
        writeln!(
            out,
            "root mean square of z by class: {mm:.2} (mm), {ad:.2} (ad)"
        )?;
    }
    writeln!(out)?;
    table(out, coverage::HEAD, 1, coverage::rows(coverage))?;
    writeln!(out)?;
    if period.check.offsets.is_empty() {
        let why = match *turns {
            ..FEWEST_CHECKED_TURNS => format!("there are fewer than {FEWEST_CHECKED_TURNS} turns"),
            _ => "these games point to ratings beyond those of the calibration".to_owned(),
        };
        return writeln!(out, "There is no offset: {why}.");
    }
    let rows = period.check.offsets.iter().map(|it| {
        vec![
            it.elo.map_or("all".to_owned(), |elo| elo.to_string()),
            it.games.to_string(),
            grouped(it.turns as u64),
            format!("{:+.0}", it.offset),
            format!("{:+.0} to {:+.0}", it.low, it.high),
        ]
    });
    table(
        out,
        ["Elo", "games", "turns", "offset", "95 % interval"],
        1,
        rows,
    )
}
