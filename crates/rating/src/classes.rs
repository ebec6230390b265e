//! Classes of turns: games between players of about the same rating, like the paper's mileposts.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 5.

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::{
    EvaluatedTurn, EvaluationView, Exclusion, Sample, Study, StudyError, StudyGame, TurnEntry,
};

/// How turns are classified.
#[derive(Clone, Debug)]
pub struct Classing {
    /// The criterion.
    pub by: By,
    /// The years of the games, inclusive; `None` for all.
    pub years: Option<RangeInclusive<u16>>,
    /// Depths besides that of the view, as further levels of the samples.
    pub shallow: Vec<u8>,
}

/// The criterion of a class.
#[derive(Clone, Debug)]
pub enum By {
    /// Both players' ratings are near a milepost.
    Elo {
        /// The mileposts; empty for every hundred that has games.
        mileposts: Vec<u16>,
        /// The maximum distance of a rating from its milepost.
        width: u16,
    },
    /// All turns are one class.
    All,
}

/// A class of turns.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// The rating of the players, if classes are by rating.
    pub milepost: Option<u16>,
    /// The turns.
    pub sample: Sample,
    /// Turns that are not used, by reason.
    pub excluded: BTreeMap<Exclusion, usize>,
}

impl Classing {
    /// Reads the classes of a view. Requested classes are present even if empty, in the order
    /// requested; others from the highest down.
    ///
    /// ```
    /// use errare_rating::{By, Classing, Study};
    ///
    /// # let directory = errare_testing::scratch_directory();
    /// # let (file, lines) = (directory.join("study.db"), errare_testing::TURNS);
    /// let mut study = Study::open_or_create(&file)?;
    /// study.import(lines.as_bytes())?;
    /// let view = study.view(None, None)?;
    /// let by = By::Elo { mileposts: vec![2700, 2400], width: 50 };
    /// let classing = Classing { by, years: Some(2000..=2020), shallow: Vec::new() };
    /// let classes = classing.read(&study, &view)?;
    /// assert_eq!((classes[0].sample.turns(), classes[1].sample.turns()), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(&self, study: &Study, view: &EvaluationView) -> Result<Vec<Class>, StudyError> {
        let mut classes: BTreeMap<Option<u16>, Class> = BTreeMap::new();
        let mut last = None;
        study.visit(view, |entry| {
            let game = &entry.place().game;
            let Some(milepost) = self.milepost(game) else {
                return;
            };
            let class = classes.entry(milepost).or_insert_with(|| Class {
                milepost,
                ..Class::default()
            });
            if last != Some(game.id) {
                class.sample.begin_game();
                last = Some(game.id);
            }
            let reason = match &entry {
                TurnEntry::Used(turn) if class.sample.push_turn(turn, &self.shallow) => None,
                TurnEntry::Used(_) => Some(Exclusion::NotEvaluated),
                other => other.exclusion(),
            };
            if let Some(reason) = reason {
                *class.excluded.entry(reason).or_default() += 1;
            }
        })?;
        let wanted = match &self.by {
            By::Elo { mileposts, .. } => mileposts.clone(),
            By::All => Vec::new(),
        };
        if wanted.is_empty() {
            return Ok(classes.into_values().rev().collect());
        }
        let class = |milepost: &u16| {
            let milepost = Some(*milepost);
            classes.remove(&milepost).unwrap_or_else(|| Class {
                milepost,
                ..Class::default()
            })
        };
        Ok(wanted.iter().map(class).collect())
    }

    /// The class of a game: none, or one with or without a milepost.
    fn milepost(&self, game: &StudyGame) -> Option<Option<u16>> {
        if let Some(years) = &self.years {
            game.year().filter(|year| years.contains(year))?;
        }
        let By::Elo { mileposts, width } = &self.by else {
            return Some(None);
        };
        game.white.rating().and(game.black.rating())?;
        let (white, black) = (game.white.elo?, game.black.elo?);
        let off = |milepost: u16| white.abs_diff(milepost).max(black.abs_diff(milepost));
        let nearest = if mileposts.is_empty() {
            // The highest hundred that a rating can be near.
            (white.midpoint(black).min(65_449) + 50) / 100 * 100
        } else {
            mileposts
                .iter()
                .copied()
                .min_by_key(|&milepost| off(milepost))?
        };
        (off(nearest) <= *width).then_some(Some(nearest))
    }
}

impl Sample {
    /// Adds a turn, with these depths as further levels. Returns false if a move has no score at one of
    /// these depths.
    pub fn push_turn(&mut self, turn: &EvaluatedTurn, shallow: &[u8]) -> bool {
        let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
        let level = |depth: &u8| -> Option<Vec<f64>> {
            let place = usize::from(*depth).checked_sub(1)?;
            let scores = turn
                .options
                .iter()
                .map(|option| option.by_depth.get(place)?.as_ref());
            scores.map(|score| Some(score?.pawns())).collect()
        };
        let Some(levels) = shallow.iter().map(level).collect::<Option<Vec<_>>>() else {
            return false;
        };
        self.push_levels(&pawns, &levels, turn.played);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Contestant, GameId};

    /// Debug builds panic where an integer overflows.
    #[test]
    fn ratings_at_the_ends_of_their_type_do_not_overflow() {
        let player = |elo| Contestant {
            elo: Some(elo),
            ..Contestant::default()
        };
        let class = |[white, black]: [u16; 2], mileposts: &[u16], width| {
            let game = StudyGame {
                id: GameId(1),
                white: player(white),
                black: player(black),
                tags: Default::default(),
            };
            let classing = Classing {
                by: By::Elo {
                    mileposts: mileposts.to_vec(),
                    width,
                },
                years: None,
                shallow: Vec::new(),
            };
            classing.milepost(&game)
        };
        assert_eq!(class([u16::MAX; 2], &[], u16::MAX), Some(Some(65_400)));
        assert_eq!(class([u16::MAX; 2], &[], 20), None);
        assert_eq!(
            class([u16::MAX; 2], &[0, u16::MAX], 0),
            Some(Some(u16::MAX))
        );
        assert_eq!(class([100, u16::MAX], &[0], u16::MAX), Some(Some(0)));
        assert_eq!(class([100, u16::MAX], &[0], 20), None);
        assert_eq!(class([2_349, 2_350], &[], 50), Some(Some(2_300)));
    }
}
