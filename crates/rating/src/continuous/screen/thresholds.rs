//! The thresholds that follow from the honest players of a calibration.

use super::super::calibration::Calibration;
use crate::screening::{FULL_TEST_CHANCE, LEAST_FULL_TEST, LEAST_WATCH, Thresholds, WATCH_CHANCE};

impl Calibration {
    /// The thresholds for this many players: the z that, according to the honest players of the calibration, any of
    /// them exceeds with the probabilities [`WATCH_CHANCE`] and [`FULL_TEST_CHANCE`].
    #[must_use]
    pub fn thresholds(&self, players: usize) -> Thresholds {
        let count = players.max(1) as f64;
        let single = |chance: f64| -((-chance).ln_1p() / count).exp_m1();
        let threshold =
            |chance: f64, least: f64| self.honest.z_of_chance(single(chance)).max(least);
        let watch = threshold(WATCH_CHANCE, LEAST_WATCH);
        let full_test = threshold(FULL_TEST_CHANCE, LEAST_FULL_TEST).max(watch);
        let together = |z: f64| -(count * (-self.honest.chance(z)).ln_1p()).exp_m1();
        let known = |z: f64| self.honest.known_chance(z).is_some();
        let limits = [watch, full_test];
        Thresholds {
            players,
            watch,
            full_test,
            chances: limits.map(|z| known(z).then(|| together(z))),
            by_tail: self.honest.tail.map(|_| limits.map(together)),
        }
    }
}
