//! Makes a calibration from all turns of all rated players of a study.

use std::collections::{BTreeMap, BTreeSet};

use errare_choice::Link;
use errare_core::{Fault, FaultKind, Stopped, Watch};
use errare_engine::EngineKey;

use super::{
    calibration::{Calibration, Origin, VERSION},
    choices::{Choices, Stretch},
    effects::Effects,
    feature::{Feature, standard},
    fit::{ContinuousFit, FitError},
    honest::Honest,
    lines::Lines,
    quality::{self, FOLDS, LogLoss, Quality, left_out, part_of_game, part_of_player},
};

/// Minimum requirements of a calibration.
const FEWEST_TURNS: usize = 1500;
const FEWEST_GAMES: usize = 30;
const NARROWEST: f64 = 300.0;
/// The minimum number of turns for a player's z to be informative.
const FEWEST_HONEST_TURNS: usize = 30;
/// The minimum number of players for estimating the scatter of honest z.
const FEWEST_HONEST: usize = 50;
/// The minimum number of players with several games for estimating the player effect.
const FEWEST_PLAYERS: usize = 20;
/// Ratings must show in the moves: as they rise, costs must fall by at least this many standard errors.
const LEAST_Z: f64 = 3.0;

/// How to make a calibration.
#[derive(Debug)]
pub struct Recipe {
    /// The engine of the evaluations.
    pub engine: EngineKey,
    /// The features.
    pub features: Vec<Box<dyn Feature>>,
}

/// Why a calibration could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The sample is too small.
    #[error(
        "{games} games with {turns} turns of rated players are too few for a calibration, which takes \
         {FEWEST_GAMES} games and {FEWEST_TURNS} turns; evaluate more games"
    )]
    TooFew {
        /// Games of rated players.
        games: usize,
        /// Their turns.
        turns: usize,
    },
    /// The players' ratings are too close together.
    #[error(
        "the players are rated {lowest:.0} to {highest:.0}, and a calibration needs {NARROWEST} Elo between \
         the lowest and the highest; add games of other players"
    )]
    TooNarrow {
        /// The lowest rating.
        lowest: f64,
        /// The highest.
        highest: f64,
    },
    /// Higher ratings do not show in the moves.
    #[error(
        "in these games higher-rated players do not choose better moves than lower-rated ones (z {0:.1}), so they \
         cannot be used to rate anybody"
    )]
    NoSlope(f64),
    /// The fit failed.
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl From<Stopped> for CalibrateError {
    fn from(stopped: Stopped) -> CalibrateError {
        FitError::from(stopped).into()
    }
}

impl Fault for CalibrateError {
    fn kind(&self) -> FaultKind {
        match self {
            CalibrateError::Fit(error) => error.kind(),
            _ => FaultKind::BadRequest,
        }
    }
}

impl Recipe {
    /// The default: the features that predict best.
    #[must_use]
    pub fn new(engine: EngineKey) -> Recipe {
        Recipe {
            features: standard(engine.depth),
            engine,
        }
    }

    /// Makes a calibration, and cross-validates it by leaving out games and players.
    ///
    /// ```
    /// use errare_rating::{Contestant, GameId, continuous::{CalibrateError, Choices, Recipe, Seen}};
    ///
    /// use errare_engine::EngineKey;
    ///
    /// let recipe = Recipe::new(EngineKey::new("Stockfish 15.1", "nn-ad9b42354671.nnue", 2));
    /// let player = Contestant { elo: Some(2200), ..Contestant::default() };
    /// let mut choices = Choices::new(recipe.features.len());
    /// choices.begin(GameId(1), &player);
    /// choices.push(&Seen::new(vec![vec![0.4, 0.3, -1.0]; 2]), &recipe.features, 1);
    /// let made = recipe.calibrate(&choices, &());
    /// assert!(matches!(made, Err(CalibrateError::TooFew { games: 1, turns: 1 })));
    /// ```
    pub fn calibrate(
        self,
        choices: &Choices,
        watch: &dyn Watch,
    ) -> Result<Calibration, CalibrateError> {
        let origin = origin(choices)?;
        watch.begin("fitting weights", None);
        let start = Lines::new(self.features);
        let fit = ContinuousFit::new(choices, &start, |_| true, watch)?;
        let mut calibration = Calibration {
            version: VERSION,
            engine: self.engine,
            origin,
            covariance: rows(&fit),
            effects: Effects::new(choices, &fit.lines),
            honest: Honest::default(),
            quality: Quality::default(),
            warnings: Vec::new(),
            lines: fit.lines,
        };
        calibration.must_rise(choices)?;
        let without = calibration.without_players(choices, watch)?;
        calibration.honest = honest(choices, &without);
        calibration.quality = calibration.check_quality(choices, &without, fit.log_loss, watch)?;
        calibration.warnings = calibration.warn();
        Ok(calibration)
    }
}

fn rows(fit: &ContinuousFit) -> Vec<Vec<f64>> {
    let rows = fit.covariance.row_iter();
    rows.map(|row| row.iter().copied().collect()).collect()
}

/// Describes the sample, or says why it is too small for a calibration.
fn origin(choices: &Choices) -> Result<Origin, CalibrateError> {
    let rated = || choices.stretches().iter().filter(|it| it.elo.is_some());
    let games: BTreeSet<i64> = rated().map(|it| it.game.0).collect();
    let players: BTreeSet<usize> = rated().filter_map(|it| it.player).collect();
    let turns: usize = rated().map(|it| it.turns.len()).sum();
    if turns < FEWEST_TURNS || games.len() < FEWEST_GAMES {
        return Err(CalibrateError::TooFew {
            games: games.len(),
            turns,
        });
    }
    let mut elos: Vec<(f64, usize)> = rated()
        .filter_map(|it| Some((it.elo?, it.turns.len())))
        .collect();
    elos.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| {
        let mut left = share * turns as f64;
        let found = elos.iter().find(|(_, count)| {
            left -= *count as f64;
            left <= 0.0
        });
        found.or(elos.last()).map_or(0.0, |it| it.0)
    };
    let elo = [at(0.01), at(0.99)];
    if elo[1] - elo[0] < NARROWEST {
        return Err(CalibrateError::TooNarrow {
            lowest: elo[0],
            highest: elo[1],
        });
    }
    Ok(Origin {
        games: games.len(),
        players: players.len(),
        turns,
        elo,
        years: choices.years(),
    })
}

/// The z of all players, from calibrations that leave them out.
fn honest(choices: &Choices, without: &[Calibration]) -> Honest {
    let mut players: BTreeMap<usize, Vec<&Stretch>> = BTreeMap::new();
    for stretch in choices.stretches() {
        if let (Some(player), Some(_)) = (stretch.player, stretch.elo) {
            players.entry(player).or_default().push(stretch);
        }
    }
    let mut all = Vec::new();
    for stretches in players.values() {
        let turns: usize = stretches.iter().map(|it| it.turns.len()).sum();
        if turns < FEWEST_HONEST_TURNS {
            continue;
        }
        let calibration = &without[part_of_player(stretches[0])];
        all.push(calibration.adjusted(choices, stretches, quality::mean_elo(stretches)));
    }
    let count = all.len().max(1) as f64;
    let scatter = |i: usize| {
        let squares: f64 = all.iter().map(|z: &[f64; 3]| z[i].powi(2)).sum();
        (squares / count).sqrt()
    };
    let greater = |z: &[f64; 3]| z[0].max(z[2]);
    Honest::new(
        all.iter().map(greater).collect(),
        std::array::from_fn(scatter),
    )
}

impl Calibration {
    /// Checks that play improves significantly with Elo: in the middle of the ratings, the slope by Elo of what moves
    /// are expected to cost, in standard errors.
    fn must_rise(&self, choices: &Choices) -> Result<(), CalibrateError> {
        let [lowest, highest] = self.origin.elo;
        let ad = self.measures(choices, 0.5 * (lowest + highest)).ad;
        let error = self.variance_of_slope(&ad.by_weight).sqrt();
        let slope = ad.slope(&self.lines);
        let z = if error > 0.0 { -slope / error } else { 0.0 };
        if z < LEAST_Z {
            return Err(CalibrateError::NoSlope(z));
        }
        Ok(())
    }

    /// For each fold of players, a calibration without them.
    fn without_players(
        &self,
        choices: &Choices,
        watch: &dyn Watch,
    ) -> Result<Vec<Calibration>, FitError> {
        watch.begin("leaving out players", Some(FOLDS as u64));
        (0..FOLDS)
            .map(|fold| {
                let others = |it: &Stretch| part_of_player(it) != fold;
                let fit = ContinuousFit::new(choices, &self.lines, others, watch)?;
                watch.advance(1);
                Ok(Calibration {
                    covariance: rows(&fit),
                    effects: Effects::of(choices, &fit.lines, others),
                    lines: fit.lines,
                    ..self.clone()
                })
            })
            .collect()
    }

    fn check_quality(
        &self,
        choices: &Choices,
        without: &[Calibration],
        fitted: f64,
        watch: &dyn Watch,
    ) -> Result<Quality, FitError> {
        watch.begin("leaving out games", Some(FOLDS as u64));
        let by_game = left_out(choices, &self.lines, part_of_game, watch)?;
        let seen = quality::foresee(choices, |it| &by_game[part_of_game(it)]);
        let classes = quality::classes(&seen);
        let blend = Link::Blend {
            lambda: Link::USUAL_LAMBDA,
        };
        let [paper, blend] = quality::agents_losses(choices, [Link::LogLog, blend], watch)?;
        Ok(Quality {
            curves: quality::curves(self),
            log_loss: LogLoss {
                turns: seen.len(),
                lines: quality::mean_loss(&seen),
                fitted,
                paper,
                blend,
            },
            rms_z: quality::rms_z(&classes),
            classes,
            reliability: quality::reliability(choices, &by_game),
            coverage: quality::coverage(choices, |it| &without[part_of_player(it)]),
            situations: quality::situations(choices, &seen),
        })
    }

    fn warn(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let honest = self.honest.players();
        if honest < FEWEST_HONEST {
            warnings.push(format!(
                "only {honest} players have {FEWEST_HONEST_TURNS} turns: how rare high z are is not known"
            ));
        }
        let players = self.effects.player.count;
        if players < FEWEST_PLAYERS {
            warnings.push(format!(
                "only {players} players have several games: how much players differ from their Elo permanently \
                 is not known"
            ));
        }
        warnings
    }
}
