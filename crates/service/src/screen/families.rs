//! Screening with either family of calibrations.

use std::collections::HashMap;

use errare_rating::{Calibration, FEWEST_SCREENED_TURNS, PlayerTurns, Screenee, continuous};

use super::{Adjusted, Label, Scatter, Screened, Screening, SmallestEffect, Thresholds, events};
use crate::calibration::AnyCalibration;

/// The power of the smallest effect reported.
const POWER: f64 = continuous::POWER;
const POWER_Z: f64 = 0.841_621_2;
/// Labels are given up to this far outside the calibrated ratings.
const MARGIN: f64 = 50.0;

pub(super) fn screen(calibration: &AnyCalibration, players: &[PlayerTurns]) -> Screening {
    match calibration {
        AnyCalibration::Continuous(it) => continuously(it, players),
        AnyCalibration::Paper(it) => by_agents(it, players),
    }
}

fn continuously(calibration: &continuous::Calibration, players: &[PlayerTurns]) -> Screening {
    let features = calibration.lines.features();
    let screenee = |player: &PlayerTurns| continuous::Screenee {
        name: player.name.clone(),
        elo: player.elo(),
        choices: continuous::Choices::of_turns(&player.turns, features),
    };
    let screenees: Vec<_> = players.iter().map(screenee).collect();
    let screening = calibration.screen(&screenees);
    let by_name: HashMap<&str, &PlayerTurns> =
        players.iter().map(|it| (it.name.as_str(), it)).collect();
    let one = |one: continuous::Screened| {
        let player = by_name.get(one.player.as_str());
        let events = player.map_or_else(Vec::new, |player| events::of(calibration, player));
        match calibration.combine(&events, &screening.thresholds) {
            Some(together) if events.len() > 1 => Screened {
                events: events.into_iter().map(events::result).collect(),
                ..screened(continuous::Screened {
                    player: one.player,
                    ..together
                })
            },
            _ => screened(one),
        }
    };
    let mut listed: Vec<Screened> = screening.players.into_iter().map(one).collect();
    listed.sort_by(|a, b| {
        let last = b.label.is_tested().cmp(&a.label.is_tested());
        last.then(b.z().total_cmp(&a.z()))
    });
    let honest = &calibration.honest;
    let thresholds = screening.thresholds;
    let chance = |i: usize| thresholds.known[i].then_some(thresholds.chances[i]);
    Screening {
        players: listed,
        thresholds: Thresholds {
            players: thresholds.players,
            watch: thresholds.watch,
            full_test: thresholds.full_test,
            chances: [chance(0), chance(1)],
            by_tail: honest.tail.map(|_| thresholds.chances),
        },
        unscreened: screening.unscreened,
        scatter: Scatter {
            mm: honest.scatter[0],
            ad: honest.scatter[2],
            players: honest.players(),
            honest: honest.z.clone(),
        },
    }
}

fn screened(one: continuous::Screened) -> Screened {
    Screened {
        player: one.player,
        elo: one.elo,
        games: one.games,
        turns: one.turns,
        mm: one.mm,
        equal: one.equal,
        ad: one.ad,
        z_mm: one.z_mm,
        z_equal: one.z_equal,
        z_ad: one.z_ad,
        adjusted: Adjusted {
            z_mm: one.adjusted.z_mm,
            z_equal: one.adjusted.z_equal,
            z_ad: one.adjusted.z_ad,
        },
        chance: one.chance_is_known.then_some(one.chance),
        label: match one.label {
            continuous::Label::Normal => Label::Normal,
            continuous::Label::Watch => Label::Watch,
            continuous::Label::FullTest => Label::FullTest,
            continuous::Label::TooFewTurns => Label::TooFewTurns,
            continuous::Label::OutsideCalibration => Label::OutsideCalibration,
        },
        smallest_effect: SmallestEffect {
            engine_share: one.smallest_effect.engine_share,
            elo: one.smallest_effect.elo,
            power: one.smallest_effect.power,
        },
        events: Vec::new(),
        warnings: one.warnings,
    }
}

fn by_agents(calibration: &Calibration, players: &[PlayerTurns]) -> Screening {
    let screenee = |player: &PlayerTurns| Screenee {
        name: player.name.clone(),
        elo: player.elo(),
        games: player.games_used(),
        sample: player.sample(|_| true),
    };
    let screening = calibration.screen(&players.iter().map(screenee).collect::<Vec<_>>());
    let inflation = calibration.inflation;
    let thresholds = Thresholds {
        players: screening.thresholds.players,
        watch: screening.thresholds.watch,
        full_test: screening.thresholds.full_test,
        // Adjusted z are assumed normal, which no sample of honest players confirms.
        chances: [None, None],
        by_tail: None,
    };
    let one = |one| by_agent(one, &thresholds, calibration);
    let mut players: Vec<Screened> = screening.players.into_iter().map(one).collect();
    players.sort_by_key(|one| !one.label.is_tested());
    Screening {
        players,
        thresholds,
        unscreened: screening.unscreened,
        scatter: Scatter {
            mm: inflation.mm,
            ad: inflation.ad,
            players: inflation.players,
            honest: Vec::new(),
        },
    }
}

fn by_agent(
    one: errare_rating::Screened,
    thresholds: &Thresholds,
    calibration: &Calibration,
) -> Screened {
    let [lowest, highest] = calibration.mileposts().map(f64::from);
    let label = match one.label {
        _ if one.turns < FEWEST_SCREENED_TURNS => Label::TooFewTurns,
        _ if one.elo < lowest - MARGIN || one.elo > highest + MARGIN => Label::OutsideCalibration,
        errare_rating::Label::Normal => Label::Normal,
        errare_rating::Label::Watch => Label::Watch,
        errare_rating::Label::FullTest => Label::FullTest,
    };
    // In shares of turns: the excess of matches needed for detection, and the excess available.
    let needed = (thresholds.watch + POWER_Z) * one.mm.sd * calibration.inflation.mm;
    let share = needed / (1.0 - one.mm.projected);
    Screened {
        adjusted: Adjusted {
            z_mm: one.adjusted.z_mm,
            z_equal: one.adjusted.z_equal,
            z_ad: one.adjusted.z_ad,
        },
        chance: None,
        label,
        smallest_effect: SmallestEffect {
            engine_share: (share <= 1.0).then_some(share),
            elo: None,
            power: POWER,
        },
        events: Vec::new(),
        player: one.player,
        elo: one.elo,
        games: one.games,
        turns: one.turns,
        mm: one.mm,
        equal: one.equal,
        ad: one.ad,
        z_mm: one.z_mm,
        z_equal: one.z_equal,
        z_ad: one.z_ad,
        warnings: one.warnings,
    }
}
