//! Screening by agents: each player is compared with the agent of the same rating.
//!
//! Adjusted z are assumed to be normal, which no sample of honest players confirms.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::{
    AgentCalibration, FULL_TEST_CHANCE, Label, Projection, Sample, Screened, Screening, Thresholds,
    WATCH_CHANCE,
    screening::{Adjusted, LEAST_FULL_TEST, LEAST_WATCH, can_be_tested},
};

/// Tests per player: mm and ad.
const TESTS: usize = 2;

/// A player to screen.
#[derive(Clone, Debug)]
pub struct AgentScreenee {
    /// The name.
    pub name: String,
    /// The player's rating; without one there is nothing to compare with.
    pub elo: Option<f64>,
    /// Games.
    pub games: usize,
    /// The player's turns.
    pub sample: Sample,
}

impl AgentCalibration {
    /// Screens players, each against the agent of the same rating.
    ///
    /// ```
    /// use errare_rating::{AgentCalibration, AgentScreenee, Label, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for _ in 0..10 {
    ///     sample.push(&[0.5, 0.4, 0.1, -1.0], 0);
    /// }
    /// let player = AgentScreenee { name: "White".to_owned(), elo: Some(2000.0), games: 1, sample };
    /// let calibration = AgentCalibration::all_shipped().next().ok_or("none is shipped")?;
    /// let screening = calibration.screen(&[player]);
    /// assert_eq!(screening.players[0].label, Label::TooFewTurns, "whatever its z");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn screen(&self, players: &[AgentScreenee]) -> Screening {
        let calibrated = self.mileposts().map(f64::from);
        let can = |player: &&AgentScreenee| {
            let tested = |elo| can_be_tested(player.sample.turns(), elo, calibrated);
            player.elo.is_some_and(tested)
        };
        let thresholds = thresholds(players.iter().filter(can).count());
        let (mut screened, mut unscreened) = (Vec::new(), Vec::new());
        for player in players {
            match player.elo {
                Some(elo) if !player.sample.is_empty() => {
                    screened.push(self.screen_one(player, elo, &thresholds));
                }
                _ => unscreened.push(player.name.clone()),
            }
        }
        Screening::new(screened, thresholds, unscreened)
    }

    fn screen_one(&self, player: &AgentScreenee, elo: f64, thresholds: &Thresholds) -> Screened {
        let projection = Projection::new(&player.sample, &self.agent(elo));
        let (mm, turns) = (projection.mm, projection.turns as f64);
        let (z_mm, z_equal, z_ad) = (mm.z(), projection.equal.z(), -projection.ad.z());
        let mut one = Screened {
            player: player.name.clone(),
            elo,
            games: player.games,
            turns: projection.turns,
            mm,
            equal: projection.equal,
            ad: projection.ad,
            z_mm: Some(z_mm),
            z_equal: Some(z_equal),
            z_ad: Some(z_ad),
            adjusted: Some(Adjusted {
                z_mm: z_mm / self.inflation.mm,
                z_equal: z_equal / self.inflation.equal,
                z_ad: z_ad / self.inflation.ad,
            }),
            chance: None,
            label: Label::Normal,
            smallest_effect: thresholds.smallest_effect(
                turns * mm.sd * self.inflation.mm,
                turns * (1.0 - mm.projected),
                0.0,
                0.0,
            ),
            warnings: Vec::new(),
        };
        one.judge(thresholds, self.mileposts().map(f64::from));
        one
    }
}

/// The thresholds for this many players, by Šidák's rule.
fn thresholds(players: usize) -> Thresholds {
    let tests = (TESTS * players.max(1)) as f64;
    let threshold = |chance: f64| {
        let single = -((-chance).ln_1p() / tests).exp_m1();
        -Normal::standard().inverse_cdf(single)
    };
    Thresholds {
        players,
        watch: threshold(WATCH_CHANCE).max(LEAST_WATCH),
        full_test: threshold(FULL_TEST_CHANCE).max(LEAST_FULL_TEST),
        chances: [None, None],
        by_tail: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_rise_with_the_number_of_players() {
        let [one, ten, thousand] = [1, 10, 1000].map(thresholds);
        assert_eq!((one.watch, one.full_test), (LEAST_WATCH, LEAST_FULL_TEST));
        // 1 - 0.95^(1/20) = 0.00256, one-sided.
        assert!((ten.watch - 2.799).abs() < 0.001, "{ten:?}");
        // 1 - 0.999^(1/2000) = 5.0e-7.
        assert!(
            thousand.watch > 4.0 && (thousand.full_test - 4.8915).abs() < 0.001,
            "{thousand:?}"
        );
    }

    #[test]
    fn labels_are_by_thresholds() {
        let thresholds = thresholds(10);
        assert_eq!(thresholds.label(1.0), Label::Normal);
        assert_eq!(thresholds.label(3.0), Label::Watch);
        assert_eq!(thresholds.label(5.0), Label::FullTest);
    }
}
