//! Sums over a player's choices, with the components of their variance.

use super::super::{
    calibration::Calibration,
    measure::{Measure, Measures},
};

/// A sum over turns with the components of its variance, so that several events can be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EvidenceSum {
    /// The actual minus the projected sum; positive if it agrees more with the engine.
    pub surplus: f64,
    /// Its variance from independent turns.
    pub turns: f64,
    /// Its variance from games.
    pub games: f64,
    /// Its change if the player is 450 Elo better.
    pub slope: f64,
    /// Its standard deviation from the errors of the calibration.
    pub calibration: f64,
}

impl EvidenceSum {
    fn new(
        stretches: &[Measures],
        of: impl Fn(&Measures) -> &Measure,
        sign: f64,
        at: &At,
    ) -> EvidenceSum {
        let features = at.calibration.lines.features().len();
        let mut by_weight = vec![0.0; features];
        let mut one = EvidenceSum::default();
        for measures in stretches {
            let measure = of(measures);
            let slope = measure.slope(&at.calibration.lines);
            one.surplus += sign * measure.surplus();
            one.turns += measure.variance;
            one.games += slope.powi(2) * at.game;
            one.slope += sign * slope;
            for (sum, by) in by_weight.iter_mut().zip(&measure.by_weight) {
                *sum += by;
            }
        }
        one.calibration = at.calibration.variance_of(&by_weight, at.elo).sqrt();
        one
    }

    /// The sum of both, for another event of the same player.
    #[must_use]
    pub fn and(self, other: EvidenceSum) -> EvidenceSum {
        EvidenceSum {
            surplus: self.surplus + other.surplus,
            turns: self.turns + other.turns,
            games: self.games + other.games,
            slope: self.slope + other.slope,
            // The errors of the calibration are the same in both.
            calibration: self.calibration + other.calibration,
        }
    }

    /// The standard deviation of an honest player's surplus; `player` is the variance of the player's effect
    /// in units of x.
    pub(super) fn sd(&self, player: f64) -> f64 {
        let variance =
            self.turns + self.games + self.slope.powi(2) * player + self.calibration.powi(2);
        variance.sqrt()
    }

    pub(super) fn raw(&self) -> f64 {
        divide(self.surplus, self.turns.sqrt())
    }

    pub(super) fn adjusted(&self, player: f64) -> f64 {
        divide(self.surplus, self.sd(player))
    }
}

fn divide(value: f64, sd: f64) -> f64 {
    if sd > 0.0 { value / sd } else { 0.0 }
}

/// The rating at which measures are taken, with the variance of a game's effect.
pub(super) struct At<'a> {
    pub(super) calibration: &'a Calibration,
    pub(super) elo: f64,
    pub(super) game: f64,
}

impl At<'_> {
    /// The sums of mm, equal value and ad.
    pub(super) fn evidence(&self, stretches: &[Measures]) -> [EvidenceSum; 3] {
        [
            EvidenceSum::new(stretches, |it| &it.mm, 1.0, self),
            EvidenceSum::new(stretches, |it| &it.equal, 1.0, self),
            EvidenceSum::new(stretches, |it| &it.ad, -1.0, self),
        ]
    }
}
