//! Players of a study and their turns.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use errare_games::listed_names;

use crate::{
    EvaluatedTurn, EvaluationView, Exclusion, GameId, Sample, Study, StudyError, StudyGame,
    TurnEntry,
    continuous::{Choices, Feature},
};

/// A player with all turns in a view.
#[derive(Clone, Debug, Default)]
pub struct PlayerTurns {
    /// The name.
    pub name: String,
    /// The turns that are used, game by game.
    pub turns: Vec<EvaluatedTurn>,
    /// Turns that are not used, by reason.
    pub excluded: BTreeMap<Exclusion, usize>,
    /// The player's games.
    pub games: BTreeMap<GameId, Arc<StudyGame>>,
    /// The sum and number of the ratings over the turns.
    rated: (f64, usize),
}

/// Why the name selects no single player.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlayerError {
    /// No player has this name.
    #[error("no player of these games has a name like {0:?}")]
    Unknown(String),
    /// Several players have it.
    #[error("several players match {wanted:?}: {}", listed_names(.names))]
    Several {
        /// The name asked for.
        wanted: String,
        /// The players that match.
        names: Vec<String>,
    },
}

impl PlayerTurns {
    /// All players of a view, by name. Unnamed players are not included.
    pub fn all(study: &Study, view: &EvaluationView) -> Result<Vec<PlayerTurns>, StudyError> {
        let mut players: BTreeMap<String, PlayerTurns> = BTreeMap::new();
        study.visit(view, |entry| {
            let place = entry.place();
            let player = place.player();
            if !player.is_somebody() {
                return;
            }
            let one = players
                .entry(player.name.clone())
                .or_insert_with(|| PlayerTurns {
                    name: player.name.clone(),
                    ..PlayerTurns::default()
                });
            one.games.insert(place.game.id, Arc::clone(&place.game));
            let elo = player.rating();
            match entry {
                TurnEntry::Used(turn) => {
                    if let Some(elo) = elo {
                        one.rated.0 += elo;
                        one.rated.1 += 1;
                    }
                    one.turns.push(turn);
                }
                other => {
                    let reason = other.exclusion().expect("only used turns have no reason");
                    *one.excluded.entry(reason).or_default() += 1;
                }
            }
        })?;
        Ok(players.into_values().collect())
    }

    /// The player with this name; a part of it is enough if only one player matches. With `merge` all
    /// matches are one player, as when files spell a name in several ways.
    ///
    /// ```
    /// use errare_rating::{PlayerTurns, Study};
    ///
    /// # let directory = errare_testing::scratch_directory();
    /// # let (file, lines) = (directory.join("study.db"), errare_testing::TURNS);
    /// let mut study = Study::open_or_create(&file)?;
    /// study.import(lines.as_bytes())?;
    /// let view = study.view(None, None)?;
    /// let player = PlayerTurns::find(PlayerTurns::all(&study, &view)?, "whi", false)?;
    /// assert_eq!((player.name.as_str(), player.elo()), ("White", Some(2700.0)));
    /// assert_eq!(player.sample(|_| true).turns(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(
        players: Vec<PlayerTurns>,
        name: &str,
        merge: bool,
    ) -> Result<PlayerTurns, PlayerError> {
        let wanted = name.to_lowercase();
        let same = |player: &PlayerTurns| player.name.to_lowercase() == wanted;
        let like = |player: &PlayerTurns| player.name.to_lowercase().contains(&wanted);
        let exact = !merge && players.iter().filter(|player| same(player)).count() == 1;
        let fits = |player: &PlayerTurns| if exact { same(player) } else { like(player) };
        let mut found: Vec<PlayerTurns> = players.into_iter().filter(fits).collect();
        if merge || found.len() == 1 {
            let all = found.drain(..).reduce(PlayerTurns::join);
            return all.ok_or_else(|| PlayerError::Unknown(name.to_owned()));
        }
        if found.is_empty() {
            return Err(PlayerError::Unknown(name.to_owned()));
        }
        Err(PlayerError::Several {
            wanted: name.to_owned(),
            names: found.into_iter().map(|player| player.name).collect(),
        })
    }

    fn join(mut self, other: PlayerTurns) -> PlayerTurns {
        self.name = format!("{}; {}", self.name, other.name);
        self.turns.extend(other.turns);
        self.games.extend(other.games);
        for (reason, count) in other.excluded {
            *self.excluded.entry(reason).or_default() += count;
        }
        self.rated.0 += other.rated.0;
        self.rated.1 += other.rated.1;
        self
    }

    /// Is this the player's name, or one of them?
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name.split("; ").any(|one| one == name)
    }

    /// The player's mean rating, weighted by turns.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        let (sum, count) = self.rated;
        (count > 0).then(|| sum / count as f64)
    }

    /// The turns that satisfy a predicate.
    pub fn sample(&self, which: impl Fn(&EvaluatedTurn) -> bool) -> Sample {
        let mut sample = Sample::default();
        let mut last = None;
        for turn in self.turns.iter().filter(|turn| which(turn)) {
            if last != Some(turn.place.game.id) {
                sample.begin_game();
                last = Some(turn.place.game.id);
            }
            sample.push_turn(turn, &[]);
        }
        sample
    }

    /// The player's choices in turns that satisfy a predicate, with these features.
    pub fn choices(
        &self,
        features: &[Box<dyn Feature>],
        which: impl Fn(&EvaluatedTurn) -> bool,
    ) -> Choices {
        Choices::of_turns(self.turns.iter().filter(|turn| which(turn)), features)
    }

    /// The number of games with at least one used turn.
    #[must_use]
    pub fn games_used(&self) -> usize {
        let games: BTreeSet<GameId> = self.turns.iter().map(|turn| turn.place.game.id).collect();
        games.len()
    }
}
