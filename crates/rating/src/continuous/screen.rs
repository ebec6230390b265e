//! Screening: finds players whose moves agree with the engine more than their ratings explain.
//!
//! Each player is compared with people of the same rating. Raw z assume independent turns; the variance of adjusted z
//! includes the effects of games and of the player, and the errors of the calibration. The distribution of adjusted z among
//! honest players is known from those of the calibration, and determines the thresholds.

mod evidence;
mod thresholds;

use evidence::At;
pub use evidence::EvidenceSum;

use super::{
    calibration::Calibration,
    choices::{Choices, Stretch},
    lines::UNIT,
    measure::Measures,
};
use crate::{
    Compared,
    screening::{Adjusted, Label, Screened, Screening, Thresholds, can_be_tested},
};

/// A player to screen.
#[derive(Clone, Debug)]
pub struct Screenee {
    /// The name.
    pub name: String,
    /// The player's rating; without one there is nothing to compare with.
    pub elo: Option<f64>,
    /// The player's choices.
    pub choices: Choices,
}

/// The result of screening a player, with the sums behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The result.
    pub screened: Screened,
    /// The sums behind the z of mm, equal value, ad.
    pub evidence: [EvidenceSum; 3],
}

impl Calibration {
    /// Screens players, each against people of the same rating.
    ///
    /// ```
    /// use errare_rating::{Contestant, GameId, Label, continuous::{Calibration, Choices, Screenee, Seen}};
    ///
    /// let calibration = Calibration::all_shipped().next().ok_or("none is shipped")?;
    /// let features = calibration.lines.features();
    /// let player = Contestant { name: "White".to_owned(), elo: Some(2200), ..Contestant::default() };
    /// let mut choices = Choices::new(features.len());
    /// for game in [1, 2] {
    ///     choices.begin(GameId(game), &player);
    ///     for played in [0, 1, 0, 0, 2, 0, 1, 0, 0, 3] {
    ///         let seen = Seen::new(vec![vec![0.4, 0.3, 0.1, -1.0]; 8]);
    ///         choices.push(&seen, features, played);
    ///     }
    /// }
    /// let player = Screenee { name: player.name.clone(), elo: player.rating(), choices };
    /// let screening = calibration.screen(&[player]);
    /// assert_eq!(screening.players[0].label, Label::TooFewTurns, "twenty turns say nothing");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn screen(&self, players: &[Screenee]) -> Screening {
        let can = |player: &&Screenee| {
            let turns = player.choices.turns();
            let tested = |elo| can_be_tested(turns, elo, self.calibrated());
            player.elo.is_some_and(tested)
        };
        let thresholds = self.thresholds(players.iter().filter(can).count());
        let (mut screened, mut unscreened) = (Vec::new(), Vec::new());
        for player in players {
            match self.weigh(player, &thresholds) {
                Some(weighed) => screened.push(weighed.screened),
                None => unscreened.push(player.name.clone()),
            }
        }
        Screening::new(screened, thresholds, unscreened)
    }

    /// Screens a player, or a player's event; none without a rating or turns.
    #[must_use]
    pub fn weigh(&self, player: &Screenee, thresholds: &Thresholds) -> Option<Weighed> {
        let elo = player.elo.filter(|_| !player.choices.is_empty())?;
        let choices = &player.choices;
        let [lowest, highest] = self.range();
        let inside = elo.clamp(lowest, highest);
        let at = At {
            calibration: self,
            elo: inside,
            game: self.effects.in_x()[0],
        };
        let stretches: Vec<Measures> = choices
            .stretches()
            .iter()
            .map(|it| Measures::new(choices, it.turns.clone(), &self.lines, inside))
            .collect();
        let mut whole = Measures::none(choices.features());
        for stretch in &stretches {
            whole.add(stretch);
        }
        let turns = choices.turns();
        let total = Total {
            player: player.name.clone(),
            elo,
            games: choices.games(),
            turns,
            mm: whole.mm.compared(turns),
            equal: whole.equal.compared(turns),
            ad: whole.ad.compared(turns),
        };
        Some(self.judged(total, at.evidence(&stretches), thresholds))
    }

    /// Combines the results of one player in several events, each screened with this calibration.
    #[must_use]
    pub fn combine(&self, events: &[Weighed], thresholds: &Thresholds) -> Option<Weighed> {
        let all = || events.iter().map(|event| &event.screened);
        let turns: usize = all().map(|event| event.turns).sum();
        let share = |event: &Screened| event.turns as f64 / turns.max(1) as f64;
        let mean = |of: &dyn Fn(&Screened) -> f64| -> f64 {
            all().map(|event| share(event) * of(event)).sum()
        };
        let compared = |of: fn(&Screened) -> Compared| {
            let variance: f64 = all().map(|it| (share(it) * of(it).sd).powi(2)).sum();
            Compared {
                actual: mean(&|event| of(event).actual),
                projected: mean(&|event| of(event).projected),
                sd: variance.sqrt(),
            }
        };
        let add = |i: usize| {
            let all = events.iter().map(|event| event.evidence[i]);
            all.reduce(EvidenceSum::and).unwrap_or_default()
        };
        let total = Total {
            player: all().next()?.player.clone(),
            elo: mean(&|event| event.elo),
            games: all().map(|event| event.games).sum(),
            turns,
            mm: compared(|event| event.mm),
            equal: compared(|event| event.equal),
            ad: compared(|event| event.ad),
        };
        Some(self.judged(total, std::array::from_fn(add), thresholds))
    }

    /// The adjusted z of mm, equal value and ad for some stretches.
    pub(super) fn adjusted(&self, choices: &Choices, which: &[&Stretch], elo: f64) -> [f64; 3] {
        let [game, player] = self.effects.in_x();
        let at = At {
            calibration: self,
            elo,
            game,
        };
        let measures = which
            .iter()
            .map(|it| Measures::new(choices, it.turns.clone(), &self.lines, elo));
        let evidence = at.evidence(&measures.collect::<Vec<_>>());
        evidence.map(|one| one.adjusted(player))
    }

    /// Everything that follows from the evidence.
    fn judged(&self, total: Total, evidence: [EvidenceSum; 3], thresholds: &Thresholds) -> Weighed {
        let player = self.effects.in_x()[1];
        let [mm, equal, ad] = evidence;
        let misses = total.turns as f64 * (1.0 - total.mm.projected);
        let mut screened = Screened {
            player: total.player,
            elo: total.elo,
            games: total.games,
            turns: total.turns,
            mm: total.mm,
            equal: total.equal,
            ad: total.ad,
            z_mm: Some(mm.raw()),
            z_equal: Some(equal.raw()),
            z_ad: Some(ad.raw()),
            adjusted: Some(Adjusted {
                z_mm: mm.adjusted(player),
                z_equal: equal.adjusted(player),
                z_ad: ad.adjusted(player),
            }),
            chance: None,
            label: Label::Normal,
            smallest_effect: thresholds.smallest_effect(
                mm.sd(player),
                misses,
                mm.slope / UNIT,
                self.range()[1] - total.elo,
            ),
            warnings: Vec::new(),
        };
        screened.chance = screened.z().and_then(|z| self.honest.known_chance(z));
        screened.judge(thresholds, self.calibrated());
        Weighed { screened, evidence }
    }
}

/// A player's games, counted and compared.
struct Total {
    player: String,
    elo: f64,
    games: usize,
    turns: usize,
    mm: Compared,
    equal: Compared,
    ad: Compared,
}
