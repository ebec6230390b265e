//! Predictions of turns by lines that leave out their games: matches and differences by class, offsets
//! by situation.

use std::collections::BTreeMap;

use super::{
    super::{
        choices::{Choices, Circumstance, Stretch},
        lines::{Lines, UNIT},
        measure::Measures,
    },
    ClassQuality, Situation,
    folds::part_of_game,
    hundred,
};

/// Classes with fewer turns are not reported.
const FEWEST_CLASS_TURNS: usize = 100;

/// A turn of a rated player and the lines that leave out its game.
pub(in super::super) struct Seer<'a> {
    stretch: &'a Stretch,
    elo: f64,
    turn: usize,
    measures: Measures,
}

/// All turns of rated players, each with the lines that leave out its game.
pub(in super::super) fn foresee<'a>(choices: &'a Choices, by_game: &[Lines]) -> Vec<Seer<'a>> {
    let mut all = Vec::with_capacity(choices.turns());
    for stretch in choices.stretches() {
        let Some(elo) = stretch.elo else { continue };
        let lines = &by_game[part_of_game(stretch)];
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

    fn z(&self) -> f64 {
        let sd = self.sd();
        if sd > 0.0 { self.sum / sd } else { 0.0 }
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
                ad.add(one.stretch.game.0, one.measures.ad.surplus());
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

/// The root mean square of some property of classes.
pub(in super::super) fn rms(classes: &[ClassQuality], of: impl Fn(&ClassQuality) -> f64) -> f64 {
    let squares: f64 = classes.iter().map(|class| of(class).powi(2)).sum();
    (squares / classes.len().max(1) as f64).sqrt()
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
            it.clock.is_some_and(|clock| clock < 60.0)
        }),
        ("one to five minutes", |it| {
            it.clock.is_some_and(|clock| (60.0..300.0).contains(&clock))
        }),
        ("more than five minutes", |it| {
            it.clock.is_some_and(|clock| clock >= 300.0)
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
        (turns > 0 && information > 0.0).then(|| Situation {
            name: name.to_owned(),
            turns,
            offset: UNIT * score.sum / information,
            error: UNIT * score.sd() / information,
        })
    };
    tests.iter().filter_map(situation).collect()
}
