//! Turns with their features, laid out for fits: player, game, rating, options and choice.

use std::ops::Range;

use errare_core::{Fault, FaultKind, Stopped, Watch};
use indexmap::IndexSet;

use super::feature::{Feature, Seen};
use crate::{Contestant, EvaluatedTurn, EvaluationView, GameId, Study, StudyError, TurnEntry};

/// One player's turns in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The game.
    pub game: GameId,
    /// The player's index in [`Choices::names`]; `None` if unnamed.
    pub player: Option<usize>,
    /// The player's rating, if it is known.
    pub elo: Option<f64>,
    /// The turns.
    pub turns: Range<usize>,
}

/// Turns with features, by stretch.
///
/// ```
/// use errare_rating::{Contestant, GameId, continuous::{Choices, Seen, standard}};
///
/// let features = standard(2);
/// let mut choices = Choices::new(features.len());
/// choices.begin(GameId(1), &Contestant::default());
/// choices.push(&Seen::new(vec![vec![0.4, 0.3, -1.0], vec![0.5, 0.3, 0.1]]), &features, 1);
/// assert_eq!((choices.turns(), choices.turn(0).costs.len(), choices.turn(0).played), (1, 3, 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Choices {
    features: usize,
    /// The end of each turn's options.
    ends: Vec<usize>,
    /// For each turn, one row per feature.
    values: Vec<f64>,
    costs: Vec<f64>,
    played: Vec<u32>,
    tops: Vec<u32>,
    circumstances: Vec<Circumstance>,
    stretches: Vec<Stretch>,
    names: IndexSet<String>,
    years: Option<[u16; 2]>,
}

/// The circumstances of a turn, for bias checks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Circumstance {
    /// The score of the best move in pawns.
    pub ahead: f64,
    /// The full move number; 0 if unknown.
    pub move_number: u32,
    /// The player's clock after the move in seconds, if the file has it.
    pub clock: Option<f64>,
}

/// One turn.
#[derive(Clone, Copy, Debug)]
pub struct ObservedChoice<'a> {
    /// One row per feature, with one value per option.
    pub features: &'a [f64],
    /// The cost of each option.
    pub costs: &'a [f64],
    /// The option chosen.
    pub played: usize,
    /// How many options share the best value; they come first.
    pub tops: usize,
}

/// Why choices could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The study cannot be read.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Fault for ReadError {
    fn kind(&self) -> FaultKind {
        match self {
            ReadError::Study(error) => error.kind(),
            ReadError::Stopped(stopped) => stopped.kind(),
        }
    }
}

impl Choices {
    /// For this many features.
    #[must_use]
    pub fn new(features: usize) -> Choices {
        Choices {
            features,
            ..Choices::default()
        }
    }

    /// Reads all turns of a view that satisfy a predicate.
    pub fn read(
        study: &Study,
        view: &EvaluationView,
        features: &[Box<dyn Feature>],
        which: impl Fn(&EvaluatedTurn) -> bool,
        watch: &dyn Watch,
    ) -> Result<Choices, ReadError> {
        let mut choices = Choices::new(features.len());
        let mut game: Vec<EvaluatedTurn> = Vec::new();
        let mut stopped = Ok(());
        watch.begin("reading turns", None);
        study.visit(view, |entry| {
            if stopped.is_err() {
                return;
            }
            if let TurnEntry::Used(turn) = entry {
                if game
                    .last()
                    .is_some_and(|last| last.place.game.id != turn.place.game.id)
                {
                    choices.push_game(&mut game, features);
                    stopped = watch.check();
                }
                if which(&turn) {
                    game.push(turn);
                }
                watch.advance(1);
            }
        })?;
        choices.push_game(&mut game, features);
        stopped?;
        Ok(choices)
    }

    /// Collects the given turns, game by game.
    pub fn of_turns<'t>(
        turns: impl IntoIterator<Item = &'t EvaluatedTurn>,
        features: &[Box<dyn Feature>],
    ) -> Choices {
        let mut choices = Choices::new(features.len());
        for turn in turns {
            choices.push_turn(turn, features);
        }
        choices
    }

    /// Adds the turns of a game, White's first.
    fn push_game(&mut self, turns: &mut Vec<EvaluatedTurn>, features: &[Box<dyn Feature>]) {
        turns.sort_by_key(|turn| (turn.place.ply % 2, turn.place.ply));
        for turn in turns.drain(..) {
            self.push_turn(&turn, features);
        }
    }

    fn push_turn(&mut self, turn: &EvaluatedTurn, features: &[Box<dyn Feature>]) {
        self.begin(turn.place.game.id, turn.place.player());
        self.push(&Seen::of(turn), features, turn.played);
        let last = self.circumstances.last_mut().expect("a turn was pushed");
        last.clock = turn.place.clock;
        if let (Some(_), Some(year)) = (turn.place.player().rating(), turn.place.game.year()) {
            let [first, last] = self.years.unwrap_or([year, year]);
            self.years = Some([first.min(year), last.max(year)]);
        }
    }

    /// Starts a player's stretch in a game, unless it is already started.
    pub fn begin(&mut self, game: GameId, player: &Contestant) {
        let elo = player.rating();
        let known = player
            .is_somebody()
            .then(|| match self.names.get_index_of(&player.name) {
                Some(place) => place,
                None => self.names.insert_full(player.name.clone()).0,
            });
        let same = |last: &Stretch| last.game == game && last.player == known && last.elo == elo;
        if !self.stretches.last().is_some_and(same) {
            let start = self.turns();
            self.stretches.push(Stretch {
                game,
                player: known,
                elo,
                turns: start..start,
            });
        }
    }

    /// Adds a turn to the last stretch.
    ///
    /// # Panics
    ///
    /// Panics if no stretch was started, if the features differ from earlier turns, or if the move
    /// played is not an option.
    pub fn push(&mut self, seen: &Seen, features: &[Box<dyn Feature>], played: usize) {
        let options = seen.costs.len();
        assert!(played < options, "the move played is an option");
        assert_eq!(
            features.len(),
            self.features,
            "all turns have the same features"
        );
        let start = self.values.len();
        self.values.resize(start + options * features.len(), 0.0);
        let rows = self.values[start..].chunks_exact_mut(options);
        for (feature, row) in features.iter().zip(rows) {
            feature.fill(seen, row);
        }
        self.costs.extend_from_slice(&seen.costs);
        self.ends.push(self.costs.len());
        self.played.push(played as u32);
        self.tops.push(seen.tops() as u32);
        self.circumstances.push(Circumstance {
            ahead: seen.pawns[0],
            move_number: seen.move_number.unwrap_or(0),
            clock: None,
        });
        let last = self.stretches.last_mut().expect("a stretch was begun");
        last.turns.end += 1;
    }

    /// The number of turns.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.ends.len()
    }

    /// Are there no turns?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.features
    }

    /// Each player's turns in each game.
    #[must_use]
    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The players, by index.
    #[must_use]
    pub fn names(&self) -> &IndexSet<String> {
        &self.names
    }

    /// The first and last year of the games of rated players, if known.
    #[must_use]
    pub fn years(&self) -> Option<[u16; 2]> {
        self.years
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        let games: std::collections::BTreeSet<GameId> =
            self.stretches.iter().map(|it| it.game).collect();
        games.len()
    }

    /// A turn.
    #[must_use]
    pub fn turn(&self, turn: usize) -> ObservedChoice<'_> {
        let start = if turn == 0 { 0 } else { self.ends[turn - 1] };
        let range = start..self.ends[turn];
        ObservedChoice {
            features: &self.values[range.start * self.features..range.end * self.features],
            costs: &self.costs[range],
            played: self.played[turn] as usize,
            tops: self.tops[turn] as usize,
        }
    }

    /// The circumstances of a turn.
    #[must_use]
    pub(crate) fn circumstance(&self, turn: usize) -> Circumstance {
        self.circumstances[turn]
    }

    /// The same turns with other choices, such as those of simulated players.
    ///
    /// # Panics
    ///
    /// Panics if the number of choices differs from the number of turns.
    #[must_use]
    pub fn with_choices(&self, played: Vec<u32>) -> Choices {
        assert_eq!(played.len(), self.turns(), "a choice a turn");
        Choices {
            played,
            ..self.clone()
        }
    }
}
