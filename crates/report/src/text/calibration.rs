//! The results of a calibration, class by class.

use std::io::{self, Write};

use errare_core::grouped;
use errare_rating::{AgentCalibration, continuous};
use errare_service::AnyCalibration;

use super::{Text, or_dash, table};
use crate::coverage;

impl Text for AnyCalibration {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            AnyCalibration::Continuous(calibration) => calibration.write(out),
            AnyCalibration::Agents(calibration) => calibration.write(out),
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.warnings().to_vec()
    }
}

impl Text for continuous::Calibration {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let continuous::Calibration {
            origin, quality, ..
        } = self;
        writeln!(out, "{}", self.engine)?;
        writeln!(
            out,
            "{} games, {} players, {} turns, Elo {:.0} to {:.0}\n",
            grouped(origin.games as u64),
            grouped(origin.players as u64),
            grouped(origin.turns as u64),
            origin.elo[0],
            origin.elo[1]
        )?;
        let rows = quality.classes.iter().map(|class| {
            vec![
                class.elo.to_string(),
                grouped(class.turns as u64),
                format!("{:.1}", 100.0 * class.mm[0]),
                format!("{:.1}", 100.0 * class.mm[1]),
                or_dash(class.z_mm, |z| format!("{z:+.2}")),
                format!("{:.4}", class.ad[0]),
                format!("{:.4}", class.ad[1]),
                or_dash(class.z_ad, |z| format!("{z:+.2}")),
                format!("{:.3}", class.log_loss),
            ]
        });
        let head = [
            "Elo", "turns", "mm %", "proj.", "z", "ad", "proj.", "z", "log-loss",
        ];
        table(out, head, 1, rows)?;
        let loss = &quality.log_loss;
        writeln!(out)?;
        if let Some([mm, ad]) = quality.rms_z {
            writeln!(out, "root mean square of z: {mm:.2} (mm), {ad:.2} (ad)")?;
        }
        writeln!(
            out,
            "log-loss in left-out games: {:.4}; blend {:.4}, the paper's model {:.4}",
            loss.lines, loss.blend, loss.paper
        )?;
        writeln!(out)?;
        table(out, coverage::HEAD, 1, coverage::rows(&quality.coverage))?;
        let note = format!("Of players who were left out. {}", coverage::LEGEND);
        writeln!(out, "{note}")
    }
}

/// The meaning of the columns.
const LEGEND: &str = "\
s, c: fitted together. c line: c by the line below; s fit: s with that c, ± its
error. mm: the engine's first move was played; ad: what moves cost on average,
scaled; proj.: what the fitted agent would do. Q_fit: how far it is off at moves
of all ranks, 0 is best. ad ref.: its ad on the reference turns.";

impl Text for AgentCalibration {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.engine)?;
        let AgentCalibration {
            curve,
            link,
            estimator,
            ..
        } = self;
        writeln!(out, "{curve}, {link}, {estimator}\n")?;
        let rows = self.classes.iter().map(|class| {
            vec![
                class.milepost.to_string(),
                grouped(class.turns as u64),
                format!("{:.4}", class.s),
                format!("{:.3}", class.c),
                format!("{:.3}", class.c_fit),
                format!("{:.4}", class.s_fit),
                or_dash(class.s_fit_error, |error| format!("{error:.4}")),
            ]
        });
        let head = ["Elo", "turns", "s", "c", "c line", "s fit", "±"];
        table(out, head, 1, rows)?;
        writeln!(out)?;
        let rows = self.classes.iter().map(|class| {
            vec![
                class.milepost.to_string(),
                format!("{:.1}", 100.0 * class.mm[0]),
                format!("{:.1}", 100.0 * class.mm[1]),
                format!("{:.4}", class.ad[0]),
                format!("{:.4}", class.ad[1]),
                format!("{:.3}", class.q_fit),
                format!("{:.4}", class.reference_ad),
            ]
        });
        let head = ["Elo", "mm %", "proj.", "ad", "proj.", "Q_fit", "ad ref."];
        table(out, head, 1, rows)?;
        writeln!(out, "\n{LEGEND}\n")?;
        let line = self.reference_line;
        writeln!(
            out,
            "Elo = {:.0} {:+.0} ad, rms {:.0}; c = {:.4} {:+.5} Elo / 100",
            line.intercept,
            line.slope,
            line.rms,
            self.c_line.intercept,
            100.0 * self.c_line.slope
        )?;
        let inflation = self.inflation;
        writeln!(
            out,
            "z scatter by {:.2} (mm), {:.2} (equal value), {:.2} (ad), from {} players",
            inflation.mm, inflation.equal, inflation.ad, inflation.players
        )
    }
}
