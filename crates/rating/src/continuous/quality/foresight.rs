//! Predictions of turns by lines that leave out their games: matches and differences by class, offsets
//! by situation.

use std::collections::BTreeMap;

use super::{
    super::{
        choices::{Choices, Circumstance, Stretch},
        lines::{Lines, UNIT},
        measure::Measures,
    },
    ClassQuality, Situation, hundred,
};
use crate::ClockRange;

/// Classes with fewer turns are not reported.
const FEWEST_CLASS_TURNS: usize = 100;
/// Classes with fewer games have no z: the scatter of n games bounds it by the root of n.
const FEWEST_CLASS_GAMES: usize = 10;
/// Situations with fewer games have no error, and are not reported.
const FEWEST_SITUATION_GAMES: usize = 2;

/// A turn of a rated player, beside what lines predict.
pub(in super::super) struct Seer<'a> {
    stretch: &'a Stretch,
    elo: f64,
    turn: usize,
    measures: Measures,
}

/// All turns of rated players. `lines` are those to predict a stretch with, such as lines that leave out its game.
pub(in super::super) fn foresee<'a, 'l>(
    choices: &'a Choices,
    lines: impl Fn(&Stretch) -> &'l Lines,
) -> Vec<Seer<'a>> {
    let mut all = Vec::with_capacity(choices.turns());
    for stretch in choices.stretches() {
        let Some(elo) = stretch.elo else { continue };
        let lines = lines(stretch);
        for turn in stretch.turns.clone() {
            all.push(Seer {
                stretch,
                elo,
                turn,
                measures: Measures::new(choices, turn..turn + 1, lines, elo),
            });
        }
    }
    all
}

/// Sums by game, from which a z follows.
#[derive(Default)]
struct ByGame {
    sum: f64,
    games: BTreeMap<i64, f64>,
}

impl ByGame {
    fn add(&mut self, game: i64, value: f64) {
        self.sum += value;
        *self.games.entry(game).or_default() += value;
    }

    fn sd(&self) -> f64 {
        let squares: f64 = self.games.values().map(|value| value * value).sum();
        squares.sqrt()
    }

    fn z(&self) -> Option<f64> {
        let sd = self.sd();
        (self.games.len() >= FEWEST_CLASS_GAMES && sd > 0.0).then(|| self.sum / sd)
    }
}

/// Classes of a hundred Elo.
pub(in super::super) fn classes(seen: &[Seer]) -> Vec<ClassQuality> {
    let mut groups: BTreeMap<u16, Vec<&Seer>> = BTreeMap::new();
    for one in seen {
        groups.entry(hundred(one.elo)).or_default().push(one);
    }
    let large = groups
        .into_iter()
        .filter(|(_, group)| group.len() >= FEWEST_CLASS_TURNS);
    large
        .map(|(elo, group)| {
            let turns = group.len();
            let mean = |of: &dyn Fn(&Measures) -> f64| {
                group.iter().map(|one| of(&one.measures)).sum::<f64>() / turns as f64
            };
            let (mut mm, mut ad) = (ByGame::default(), ByGame::default());
            for one in &group {
                mm.add(one.stretch.game.0, one.measures.mm.surplus());
                ad.add(one.stretch.game.0, -one.measures.ad.surplus());
            }
            ClassQuality {
                elo,
                games: mm.games.len(),
                turns,
                log_loss: mean(&|it| it.loss),
                mm: [mean(&|it| it.mm.actual), mean(&|it| it.mm.projected)],
                z_mm: mm.z(),
                ad: [mean(&|it| it.ad.actual), mean(&|it| it.ad.projected)],
                z_ad: ad.z(),
            }
        })
        .collect()
}

/// The root mean squares of the classes' z for mm and ad.
pub(in super::super) fn rms_z(classes: &[ClassQuality]) -> Option<[f64; 2]> {
    let both = classes.iter().filter_map(|it| Some([it.z_mm?, it.z_ad?]));
    let both: Vec<[f64; 2]> = both.collect();
    let rms = |i: usize| {
        let squares: f64 = both.iter().map(|z| z[i].powi(2)).sum();
        (squares / both.len() as f64).sqrt()
    };
    (!both.is_empty()).then(|| [rms(0), rms(1)])
}

/// The mean -ln p of these lines.
pub(in super::super) fn mean_loss(seen: &[Seer]) -> f64 {
    seen.iter().map(|one| one.measures.loss).sum::<f64>() / seen.len().max(1) as f64
}

/// The situations in which play may be overrated or underrated.
pub(in super::super) fn situations(choices: &Choices, seen: &[Seer]) -> Vec<Situation> {
    type Test = fn(&Circumstance) -> bool;
    let tests: [(&str, Test); 12] = [
        ("behind by more than 1.5 pawns", |it| it.ahead < -1.5),
        ("behind by 0.5 to 1.5", |it| {
            (-1.5..-0.5).contains(&it.ahead)
        }),
        ("level within 0.5", |it| it.ahead.abs() <= 0.5),
        ("ahead by 0.5 to 1.5", |it| {
            it.ahead > 0.5 && it.ahead <= 1.5
        }),
        ("ahead by more than 1.5", |it| it.ahead > 1.5),
        ("moves 9 to 12", |it| (9..=12).contains(&it.move_number)),
        ("moves 13 to 20", |it| (13..=20).contains(&it.move_number)),
        ("moves 21 to 40", |it| (21..=40).contains(&it.move_number)),
        ("after move 40", |it| it.move_number > 40),
        ("less than a minute on the clock", |it| {
            it.clock.map(ClockRange::of) == Some(ClockRange::Short)
        }),
        (ClockRange::Middling.name(), |it| {
            it.clock.map(ClockRange::of) == Some(ClockRange::Middling)
        }),
        (ClockRange::Long.name(), |it| {
            it.clock.map(ClockRange::of) == Some(ClockRange::Long)
        }),
    ];
    let situation = |&(name, test): &(&str, Test)| {
        let (mut score, mut information, mut turns) = (ByGame::default(), 0.0, 0);
        for one in seen
            .iter()
            .filter(|one| test(&choices.circumstance(one.turn)))
        {
            score.add(one.stretch.game.0, one.measures.quality.surplus());
            information += one.measures.quality.variance;
            turns += 1;
        }
        let enough = score.games.len() >= FEWEST_SITUATION_GAMES;
        (enough && information > 0.0).then(|| Situation {
            name: name.to_owned(),
            turns,
            offset: UNIT * score.sum / information,
            error: UNIT * score.sd() / information,
        })
    };
    tests.iter().filter_map(situation).collect()
}
