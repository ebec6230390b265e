//! The results of a calibration, class by class.

use std::io::{self, Write};

use errare_core::grouped;
use errare_rating::{AgentCalibration, continuous};
use errare_service::AnyCalibration;

use super::{Text, or_dash, table};

impl Text for AnyCalibration {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            AnyCalibration::Continuous(calibration) => calibration.write(out),
            AnyCalibration::Paper(calibration) => calibration.write(out),
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
                format!("{:+.2}", class.z_mm),
                format!("{:.4}", class.ad[0]),
                format!("{:.4}", class.ad[1]),
                // Positive z: more agreement with the engine, so smaller costs.
                format!("{:+.2}", -class.z_ad),
                format!("{:.3}", class.log_loss),
            ]
        });
        let head = [
            "Elo", "turns", "mm %", "proj.", "z", "ad", "proj.", "z", "log-loss",
        ];
        table(out, head, 1, rows)?;
        let (loss, coverage) = (&quality.log_loss, &quality.coverage);
        writeln!(
            out,
            "\nroot mean square of z: {:.2} (mm), {:.2} (ad)",
            quality.rms_z[0], quality.rms_z[1]
        )?;
        writeln!(
            out,
            "log-loss in left-out games {:.4}; of the blend {:.4}, of the paper's model {:.4}",
            loss.lines, loss.blend, loss.paper
        )?;
        writeln!(
            out,
            "95 % intervals cover the Elo of left-out players in {:.1} % of {} single games",
            100.0 * coverage.single,
            coverage.singles
        )?;
        writeln!(
            out,
            "and {:.1} % of {} players with {} games or more",
            100.0 * coverage.aggregate,
            coverage.aggregates,
            coverage.fewest_games
        )
    }
}

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
                format!("{:.1}", 100.0 * class.mm[0]),
                format!("{:.1}", 100.0 * class.mm[1]),
                format!("{:.4}", class.ad[0]),
                format!("{:.4}", class.ad[1]),
                format!("{:.3}", class.q_fit),
                format!("{:.4}", class.reference_ad),
            ]
        });
        let head = [
            "Elo", "turns", "s", "c", "c fit", "s fit", "±", "mm %", "proj.", "ad", "proj.",
            "Q_fit", "ad ref.",
        ];
        table(out, head, 1, rows)?;
        writeln!(out)?;
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
