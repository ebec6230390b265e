//! Calibrations shipped with the program; `docs/calibration.md` says how they were made.

use errare_engine::EngineKey;

use crate::{AgentCalibration, continuous};

/// The calibration files.
const SHIPPED: [&str; 2] = [
    include_str!("shipped/stockfish-15.1-depth-8.json"),
    include_str!("shipped/stockfish-15.1-depth-10.json"),
];

impl AgentCalibration {
    /// The shipped calibrations.
    pub fn all_shipped() -> impl Iterator<Item = AgentCalibration> {
        let read =
            |text: &str| AgentCalibration::from_json(text).expect("what is shipped is sound");
        SHIPPED.into_iter().map(read)
    }

    /// The shipped calibration for this engine, if any.
    #[must_use]
    pub fn shipped(engine: &EngineKey) -> Option<AgentCalibration> {
        AgentCalibration::all_shipped().find(|calibration| calibration.must_fit(engine).is_ok())
    }
}

/// Calibrations of the continuous family.
const CONTINUOUS: [&str; 2] = [
    include_str!("shipped/continuous-stockfish-15.1-depth-8.json"),
    include_str!("shipped/continuous-stockfish-15.1-depth-10.json"),
];

impl continuous::Calibration {
    /// The shipped calibrations.
    pub fn all_shipped() -> impl Iterator<Item = continuous::Calibration> {
        let read = |text: &str| {
            continuous::Calibration::from_json(text).expect("what is shipped is sound")
        };
        CONTINUOUS.into_iter().map(read)
    }

    /// The shipped calibration for this engine, if any.
    #[must_use]
    pub fn shipped(engine: &EngineKey) -> Option<continuous::Calibration> {
        let fits = |calibration: &continuous::Calibration| calibration.must_fit(engine).is_ok();
        continuous::Calibration::all_shipped().find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_depth(depth: u8) -> Option<AgentCalibration> {
        AgentCalibration::shipped(&EngineKey::new(
            "Stockfish 15.1",
            "nn-ad9b42354671.nnue",
            depth,
        ))
    }

    #[test]
    fn they_are_for_one_engine_and_two_depths() {
        for depth in [8, 10] {
            assert_eq!(of_depth(depth).unwrap().engine.depth, depth);
        }
        assert!(of_depth(9).is_none());
        let other = EngineKey::new("Stockfish 16", "nn-ad9b42354671.nnue", 10);
        assert!(AgentCalibration::shipped(&other).is_none());
    }

    /// Better players have smaller s, within its errors: both the players themselves and the agents made
    /// from them.
    #[test]
    fn s_falls_as_ratings_rise() {
        for calibration in [8, 10].map(|depth| of_depth(depth).unwrap()) {
            let mut classes = calibration.classes.clone();
            classes.sort_by_key(|class| class.milepost);
            let large: Vec<_> = classes.iter().filter(|it| it.turns >= 1000).collect();
            assert!(large.len() >= 4, "{} mileposts", large.len());
            for (i, lower) in large.iter().enumerate() {
                for higher in &large[i + 1..] {
                    let [a, b] = [lower, higher].map(|class| class.s_fit_error.expect("an error"));
                    let error = a.hypot(b);
                    assert!(
                        higher.s_fit < lower.s_fit + 2.0 * error,
                        "{} and {}",
                        lower.milepost,
                        higher.milepost
                    );
                }
            }
            let [lowest, highest] = [large[0], large[large.len() - 1]];
            assert!(highest.s_fit + 2.0 * highest.s_fit_error.expect("an error") < lowest.s_fit);
            let table = &calibration.table;
            assert!(table.windows(2).all(|pair| pair[1].s < pair[0].s));
            assert!(table.windows(2).all(|pair| pair[1].ad < pair[0].ad));
        }
    }

    /// The requirements on continuous calibrations, in held-out games and players: docs/calibration.md.
    #[test]
    fn continuous_calibrations_keep_what_they_promise() {
        for depth in [8, 10] {
            let engine = EngineKey::new("Stockfish 15.1", "nn-ad9b42354671.nnue", depth);
            let calibration = continuous::Calibration::shipped(&engine).unwrap();
            let quality = &calibration.quality;
            let loss = quality.log_loss;
            assert!(
                loss.lines < loss.blend - 0.15 && loss.lines < loss.paper - 0.2,
                "{loss:?}"
            );
            let rms_z = quality.rms_z.expect("classes have games enough");
            assert!(rms_z.iter().all(|z| *z <= 1.3), "{rms_z:?}");
            let coverage = quality.coverage;
            assert!((0.92..=0.98).contains(&coverage.single), "{coverage:?}");
            assert!(coverage.aggregate >= 0.9, "{coverage:?}");
            let many = coverage.fewest_games >= 8 && coverage.aggregates >= 50;
            assert!(many, "{coverage:?}");
        }
    }
}
