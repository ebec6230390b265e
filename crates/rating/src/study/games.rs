//! Enters games.

use std::collections::{BTreeMap, BTreeSet};

use errare_engine::{EngineKey, Evaluation};
use rusqlite::{CachedStatement, OptionalExtension, Transaction, TransactionBehavior, params};

use super::{Study, StudyError, engine_id};
use crate::{Exclusion, GameId, GameRecord, TurnRecord, turn::ExclusionError};

/// An entered game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Its number in the study.
    pub id: GameId,
    /// Was it new?
    pub new: bool,
}

impl Study {
    /// Enters games, all or none. Games already in the study, with the same tags and moves, are
    /// recognised.
    pub fn add_games(&mut self, games: &[GameRecord]) -> Result<Vec<Added>, StudyError> {
        self.write(|entry| games.iter().map(|game| entry.game(game)).collect())
    }

    /// The number of turns in these games, or in all, by their exclusion before any evaluation.
    pub fn turn_counts(
        &self,
        games: Option<&BTreeSet<GameId>>,
    ) -> Result<BTreeMap<Option<Exclusion>, usize>, StudyError> {
        let sql = "SELECT game, exclusion, count(*) FROM turns GROUP BY game, exclusion";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut counts = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let (game, reason) = (GameId(row.get(0)?), row.get::<_, Option<String>>(1)?);
            if games.is_some_and(|games| !games.contains(&game)) {
                continue;
            }
            let reason = reason
                .map(|reason| reason.parse())
                .transpose()
                .map_err(|error: ExclusionError| StudyError::Damaged(error.to_string()))?;
            *counts.entry(reason).or_default() += row.get::<_, u32>(2)? as usize;
        }
        Ok(counts)
    }

    /// Writes in one transaction.
    pub(super) fn write<T, E: From<StudyError>>(
        &mut self,
        change: impl FnOnce(&Entering<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let begin = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(begin);
        let entering = Entering(transaction.map_err(StudyError::from)?);
        let value = change(&entering)?;
        entering.0.commit().map_err(StudyError::from)?;
        Ok(value)
    }
}

/// A transaction that enters games or evaluations.
pub(super) struct Entering<'c>(pub(super) Transaction<'c>);

impl Entering<'_> {
    fn game(&self, game: &GameRecord) -> Result<Added, StudyError> {
        let moves: Vec<String> = game
            .turns
            .iter()
            .map(|turn| turn.played.to_string())
            .collect();
        let added = self.head(game, &moves.join(" "))?;
        if added.new {
            for turn in &game.turns {
                self.turn(added.id, turn)?;
            }
        }
        Ok(added)
    }

    /// Enters a game without its turns. `record` distinguishes games with the same tags.
    pub(super) fn head(&self, game: &GameRecord, record: &str) -> Result<Added, StudyError> {
        let name = |tag| game.tags.get(tag).map_or("?", String::as_str);
        let elo = |tag| game.tags.get(tag).and_then(|elo| elo.parse::<u16>().ok());
        let tags = serde_json::to_string(&game.tags).expect("strings are JSON");
        let find = "SELECT id FROM games
                    WHERE white = ?1 AND black = ?2 AND record = ?3 AND tags = ?4";
        let enter = "INSERT INTO games (white, black, record, tags, white_elo, black_elo)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id";
        let (white, black) = (name("White"), name("Black"));
        let known = self
            .statement(find)?
            .query_row(params![white, black, record, tags], |row| row.get(0))
            .optional()?;
        if let Some(id) = known {
            let id = GameId(id);
            return Ok(Added { id, new: false });
        }
        let values = params![white, black, record, tags, elo("WhiteElo"), elo("BlackElo")];
        let id = self.statement(enter)?.query_row(values, |row| row.get(0))?;
        let id = GameId(id);
        Ok(Added { id, new: true })
    }

    /// Enters a turn and its position; returns the position's id.
    pub(super) fn turn(&self, game: GameId, turn: &TurnRecord) -> Result<i64, StudyError> {
        let position = self.position(&turn.position, turn.legal)?;
        let enter = "INSERT INTO turns (game, ply, position, played, clock, exclusion)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
        self.statement(enter)?.execute(params![
            game.0,
            turn.ply,
            position,
            turn.played.to_string(),
            turn.clock,
            turn.exclusion.map(|reason| reason.as_str()),
        ])?;
        Ok(position)
    }

    fn position(&self, fen: &str, legal: usize) -> Result<i64, StudyError> {
        let find = "SELECT id FROM positions WHERE fen = ?1";
        let enter = "INSERT INTO positions (fen, legal) VALUES (?1, ?2) RETURNING id";
        let known = self
            .statement(find)?
            .query_row([fen], |row| row.get(0))
            .optional()?;
        match known {
            Some(id) => Ok(id),
            None => Ok(self
                .statement(enter)?
                .query_row(params![fen, legal as i64], |row| row.get(0))?),
        }
    }

    /// Enters an engine if it is new; returns its id.
    pub(super) fn engine(&self, key: &EngineKey) -> Result<i64, StudyError> {
        engine_id(&self.0, key)
    }

    /// Enters an evaluation unless there is one; returns whether it was new.
    pub(super) fn evaluation(
        &self,
        position: i64,
        engine: i64,
        evaluation: &Evaluation,
    ) -> Result<bool, StudyError> {
        let enter = "INSERT INTO evaluations (position, engine, ranking)
                     VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        let values = params![position, engine, evaluation.encode()];
        Ok(self.statement(enter)?.execute(values)? == 1)
    }

    fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, StudyError> {
        Ok(self.0.prepare_cached(sql)?)
    }
}
