//! Evaluated turns as seen by one engine at one depth.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use errare_engine::{EngineKey, Evaluation};
use rusqlite::{OptionalExtension, Row, params};

use super::{Study, StudyError};
use crate::{Contestant, EvaluatedTurn, Exclusion, GameId, Place, StudyGame, TurnEntry};

/// Selects evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationView {
    /// The engine, and the depth of the view. A deeper search is seen as it was at this depth.
    pub engine: EngineKey,
    /// The games; `None` for all.
    pub games: Option<BTreeSet<GameId>>,
}

/// An engine with evaluations in a study.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EngineSummary {
    /// The engine.
    #[serde(flatten)]
    pub key: EngineKey,
    /// The number of positions it has evaluated.
    pub evaluations: u32,
}

/// All turns of a view.
#[derive(Debug, Clone, Default)]
pub struct Turns {
    /// The used turns.
    pub used: Vec<EvaluatedTurn>,
    /// Turns that were evaluated but excluded because the game was decided.
    pub decided: Vec<EvaluatedTurn>,
    /// Turns excluded for other reasons.
    pub excluded: Vec<(Place, Exclusion)>,
}

impl Turns {
    /// The number of excluded turns, by reason.
    #[must_use]
    pub fn exclusions(&self) -> BTreeMap<Exclusion, usize> {
        let mut counts = BTreeMap::new();
        for (_, reason) in &self.excluded {
            *counts.entry(*reason).or_default() += 1;
        }
        if !self.decided.is_empty() {
            counts.insert(Exclusion::Decided, self.decided.len());
        }
        counts
    }
}

impl Study {
    /// The engines with evaluations, each depth separately.
    pub fn engines(&self) -> Result<Vec<EngineSummary>, StudyError> {
        let sql = "SELECT name, version, net, depth, multi_pv, count(*)
                   FROM engines JOIN evaluations ON engine = engines.id
                   GROUP BY engines.id ORDER BY name, version, net, multi_pv, depth";
        let mut statement = self.connection.prepare(sql)?;
        let summaries = statement.query_map([], |row| {
            let key = EngineKey {
                name: row.get(0)?,
                version: row.get(1)?,
                net: row.get(2)?,
                depth: row.get(3)?,
                multi_pv: row.get(4)?,
            };
            let evaluations = row.get(5)?;
            Ok(EngineSummary { key, evaluations })
        })?;
        Ok(summaries.collect::<Result<_, _>>()?)
    }

    /// The view of the only engine, or of the one whose name, version or net contains `engine`, at this
    /// depth or at its greatest.
    pub fn view(
        &self,
        engine: Option<&str>,
        depth: Option<u8>,
    ) -> Result<EvaluationView, StudyError> {
        let mut deepest: BTreeMap<EngineKey, u8> = BTreeMap::new();
        for EngineSummary { key, .. } in self.engines()? {
            let greatest = deepest.entry(key.at_depth(0)).or_default();
            *greatest = key.depth.max(*greatest);
        }
        let known = |engines: &BTreeMap<EngineKey, u8>| {
            let names: Vec<String> = engines
                .iter()
                .map(|(key, depth)| key.at_depth(*depth).to_string())
                .collect();
            names.join("; ")
        };
        if deepest.is_empty() {
            return Err(StudyError::NoEvaluations);
        }
        if let Some(wanted) = engine {
            let all = known(&deepest);
            deepest.retain(|key, _| key.to_string().contains(wanted));
            if deepest.is_empty() {
                return Err(StudyError::NoSuchEngine {
                    wanted: wanted.to_owned(),
                    known: all,
                });
            }
        }
        if deepest.len() > 1 {
            return Err(StudyError::SeveralEngines(known(&deepest)));
        }
        let (key, deepest) = deepest.pop_first().expect("there is one");
        let depth = depth.unwrap_or(deepest);
        if depth > deepest {
            return Err(StudyError::TooShallow {
                engine: key.name,
                depth,
                deepest,
            });
        }
        Ok(EvaluationView {
            engine: key.at_depth(depth),
            games: None,
        })
    }

    /// The number of positions of eligible turns, and how many of them an engine has evaluated to at least its depth.
    pub fn progress(&self, key: &EngineKey) -> Result<[u32; 2], StudyError> {
        let sql = "SELECT count(*), coalesce(sum(EXISTS (
                       SELECT 1 FROM evaluations JOIN engines ON engine = engines.id
                       WHERE evaluations.position = eligible.position AND name = ?1
                         AND version = ?2 AND net = ?3 AND multi_pv = ?4 AND depth >= ?5)), 0)
                   FROM (SELECT DISTINCT position FROM turns WHERE exclusion IS NULL) AS eligible";
        let values = params![key.name, key.version, key.net, key.multi_pv, key.depth];
        let counts = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?]);
        Ok(self.connection.query_row(sql, values, counts)?)
    }

    /// Passes every turn of a view to `tell`, game by game.
    ///
    /// ```
    /// use errare_rating::{Exclusion, Study, TurnEntry};
    ///
    /// # let directory = errare_testing::scratch_directory();
    /// # let (file, lines) = (directory.join("study.db"), errare_testing::TURNS);
    /// let mut study = Study::open_or_create(&file)?;
    /// study.import(lines.as_bytes())?;
    /// let view = study.view(None, None)?;
    /// study.visit(&view, |entry| match entry {
    ///     TurnEntry::Used(turn) => println!("{}: {}", turn.place.player().name, turn.options[turn.played].score),
    ///     other => println!("not used: {:?}", other.exclusion()),
    /// })?;
    /// assert_eq!(study.turns(&view)?.used.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn visit(
        &self,
        view: &EvaluationView,
        mut tell: impl FnMut(TurnEntry),
    ) -> Result<(), StudyError> {
        let sql = "SELECT game, ply, fen, played, clock, exclusion,
                          (SELECT ranking FROM evaluations JOIN engines ON engine = engines.id
                           WHERE evaluations.position = turns.position AND name = ?1
                             AND version = ?2 AND net = ?3 AND multi_pv = ?4 AND depth >= ?5
                           ORDER BY depth LIMIT 1)
                   FROM turns JOIN positions ON position = positions.id ORDER BY game, ply";
        let games = self.games()?;
        let key = &view.engine;
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query(params![
            key.name,
            key.version,
            key.net,
            key.multi_pv,
            key.depth
        ])?;
        while let Some(row) = rows.next()? {
            let id = GameId(row.get(0)?);
            if view.games.as_ref().is_none_or(|games| games.contains(&id)) {
                tell(entry(row, &games[&id], key.depth)?);
            }
        }
        Ok(())
    }

    /// All turns of a view.
    pub fn turns(&self, view: &EvaluationView) -> Result<Turns, StudyError> {
        let mut turns = Turns::default();
        self.visit(view, |entry| match entry {
            TurnEntry::Used(turn) => turns.used.push(turn),
            TurnEntry::Decided(turn) => turns.decided.push(turn),
            TurnEntry::Excluded(place, reason) => turns.excluded.push((place, reason)),
        })?;
        Ok(turns)
    }

    /// All games.
    pub fn games(&self) -> Result<HashMap<GameId, Arc<StudyGame>>, StudyError> {
        let sql = "SELECT id, white, black, white_elo, black_elo, tags FROM games";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut games = HashMap::new();
        while let Some(row) = rows.next()? {
            let id = GameId(row.get(0)?);
            let tags: String = row.get(5)?;
            let player = |name, elo| -> rusqlite::Result<Contestant> {
                let (name, elo) = (row.get(name)?, row.get(elo)?);
                Ok(Contestant { name, elo })
            };
            let game = StudyGame {
                id,
                white: player(1, 3)?,
                black: player(2, 4)?,
                tags: serde_json::from_str(&tags)
                    .map_err(|_| StudyError::Damaged(format!("the tags of game {}", id.0)))?,
            };
            games.insert(id, Arc::new(game));
        }
        Ok(games)
    }

    /// The evaluation of a position, given without its move number, to at least this depth.
    pub fn evaluation(&self, fen: &str, key: &EngineKey) -> Result<Option<Evaluation>, StudyError> {
        let sql = "SELECT ranking FROM evaluations
                   JOIN engines ON engine = engines.id JOIN positions ON position = positions.id
                   WHERE fen = ?6 AND name = ?1 AND version = ?2 AND net = ?3
                     AND multi_pv = ?4 AND depth >= ?5 ORDER BY depth LIMIT 1";
        let values = params![key.name, key.version, key.net, key.multi_pv, key.depth, fen];
        let blob: Option<Vec<u8>> = self
            .connection
            .query_row(sql, values, |row| row.get(0))
            .optional()?;
        blob.map(|blob| decode(&blob, fen)).transpose()
    }
}

fn entry(row: &Row<'_>, game: &Arc<StudyGame>, depth: u8) -> Result<TurnEntry, StudyError> {
    let ply: u32 = row.get(1)?;
    let key: String = row.get(2)?;
    let played: String = row.get(3)?;
    let exclusion: Option<String> = row.get(5)?;
    let damaged =
        |what: &str| StudyError::Damaged(format!("{what}, game {}, ply {ply}", game.id.0));
    let place = Place {
        game: Arc::clone(game),
        ply,
        fen: format!("{key} {}", ply / 2 + 1),
        played: played.parse().map_err(|_| damaged("the move"))?,
        clock: row.get(4)?,
    };
    if let Some(reason) = exclusion {
        let reason = reason.parse().map_err(|_| damaged("the exclusion"))?;
        return Ok(TurnEntry::Excluded(place, reason));
    }
    match row
        .get_ref(6)?
        .as_blob_or_null()
        .map_err(|_| damaged("the evaluation"))?
    {
        None => Ok(TurnEntry::Excluded(place, Exclusion::NotEvaluated)),
        Some(blob) => Ok(TurnEntry::evaluated(place, &decode(blob, &key)?, depth)),
    }
}

fn decode(blob: &[u8], fen: &str) -> Result<Evaluation, StudyError> {
    Evaluation::decode(blob).map_err(|source| StudyError::Evaluation {
        fen: fen.to_owned(),
        source,
    })
}
