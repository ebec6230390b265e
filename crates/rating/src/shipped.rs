//! Calibrations that come with the program.

use errare_engine::EngineKey;

use crate::Calibration;

/// Their texts.
const SHIPPED: &[&str] = &[];

impl Calibration {
    /// The calibration for this engine that comes with the program, if there is one.
    #[must_use]
    pub fn shipped(engine: &EngineKey) -> Option<Calibration> {
        let read = |text: &&str| Calibration::from_json(text).expect("what is shipped is sound");
        let fits = |calibration: &Calibration| calibration.must_fit(engine).is_ok();
        SHIPPED.iter().map(read).find(fits)
    }
}
