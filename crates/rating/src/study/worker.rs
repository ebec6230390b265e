//! The interface for external workers: which positions are pending, who has claimed them, and their evaluations.
//!
//! [`Study::evaluate`] does all of this with engines of its own process. A program whose positions are evaluated
//! by machines without access to the study does it step by step:
//!
//! ```
//! use errare_engine::{EngineKey, Evaluation, Score};
//! use errare_rating::{GameRecord, Study};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("study.db");
//! let mut study = Study::open_or_create(&path)?;
//! let pgn = "[FEN \"8/8/8/8/8/3k4/4p3/4K3 w - - 0 60\"]\n\n60. Kf2 Kd2 *";
//! for game in errare_games::games(pgn.as_bytes()) {
//!     study.add_games(&[GameRecord::new(game?)?])?;
//! }
//! let engine = EngineKey::new("Somebody 1.0", "", 10);
//! let worker = study.worker(&engine)?;
//! let pending = study.pending(&engine, None)?;
//! assert_eq!(pending.len(), 1, "White had only one move");
//! for position in study.claim(&worker, &pending)? {
//!     // A machine far away ranks the moves of `position.fen`, at one depth or several.
//!     let ranking = position.legal()?.into_iter().map(|m| (m, Score::Centipawns(0))).collect();
//!     let evaluation = Evaluation::new(&[(10, ranking)]).expect("a ranking");
//!     assert!(study.record(&worker, &position, &evaluation)?);
//! }
//! assert!(study.pending(&engine, None)?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;

use errare_engine::{EngineKey, Evaluation};
use rusqlite::{TransactionBehavior, params};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

use super::{Study, StudyError, claims::Owner, engine_id};
use crate::GameId;

/// A position's number in its study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionId(pub i64);

/// A position of a study that is waiting to be evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Its number in the study.
    pub id: PositionId,
    /// The position, without its move number.
    pub fen: String,
}

impl Pending {
    /// Its legal moves, all of which an evaluation ranks.
    pub fn legal(&self) -> Result<Vec<UciMove>, StudyError> {
        let damaged = || StudyError::Damaged(format!("{} is not a legal position", self.fen));
        let fen: Fen = format!("{} 1", self.fen).parse().map_err(|_| damaged())?;
        let board: Chess = fen
            .into_position(CastlingMode::Standard)
            .map_err(|_| damaged())?;
        let moves = board.legal_moves();
        let uci = |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard);
        Ok(moves.iter().map(uci).collect())
    }
}

/// A client that evaluates positions of a study with one engine. Its claims exclude others until they are
/// recorded or released, until the worker is dropped, or until its process ends for any reason.
#[derive(Debug)]
pub struct StudyWorker {
    owner: Owner,
    engine: i64,
    key: EngineKey,
}

impl StudyWorker {
    /// The engine.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }
}

/// The result of an attempt to claim a position.
pub(super) enum Attempt {
    /// The claim succeeded.
    Claimed,
    /// Another worker has claimed it.
    Taken,
    /// It is already evaluated.
    Done,
}

impl Study {
    /// Registers a worker with this engine. Claims of dead workers become void.
    ///
    /// ```
    /// use errare_engine::{EngineKey, Evaluation, Score};
    /// use errare_rating::{GameRecord, Study};
    ///
    /// # let file = errare_testing::scratch_directory().join("study.db");
    /// let pgn = "[FEN \"7k/8/8/8/8/8/P7/K7 w - - 0 20\"]\n\n20. Kb1 Kh7 *";
    /// let game = errare_games::games(pgn.as_bytes()).next().ok_or("there is a game")??;
    /// let mut study = Study::open_or_create(&file)?;
    /// study.add_games(&[GameRecord::new(game)?])?;
    ///
    /// let engine = EngineKey::new("Stockfish 15.1", "nn-ad9b42354671.nnue", 1);
    /// let worker = study.worker(&engine)?;
    /// let mine = study.claim(&worker, &study.pending(&engine, None)?)?;
    /// for position in &mine {
    ///     let scores = position.legal()?.into_iter().map(|legal| (legal, Score::Centipawns(0)));
    ///     let evaluation = Evaluation::new(&[(1, scores.collect())]).ok_or("every move has a score")?;
    ///     study.record(&worker, position, &evaluation)?;
    /// }
    /// assert_eq!((mine.len(), study.pending(&engine, None)?.len()), (2, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn worker(&mut self, key: &EngineKey) -> Result<StudyWorker, StudyError> {
        let owner = Owner::new(self.path())?;
        let engine = self.exclusively(|study| engine_id(&study.connection, key))?;
        let key = key.clone();
        let worker = StudyWorker { owner, engine, key };
        // Claims under a name that was free belong to a dead worker.
        self.release_all(&worker)?;
        self.bury(&worker)?;
        Ok(worker)
    }

    /// The positions of eligible turns of these games, or of all, that this engine has not evaluated to at least
    /// this depth.
    pub fn pending(
        &self,
        key: &EngineKey,
        games: Option<&BTreeSet<GameId>>,
    ) -> Result<Vec<Pending>, StudyError> {
        Ok(self.wanted(key, games)?.pending)
    }

    /// Claims positions; returns those that are neither evaluated nor claimed by others.
    pub fn claim(
        &mut self,
        worker: &StudyWorker,
        positions: &[Pending],
    ) -> Result<Vec<Pending>, StudyError> {
        self.exclusively(|study| {
            let mut claimed = Vec::new();
            for position in positions {
                if let Attempt::Claimed = study.attempt(worker, position.id)? {
                    claimed.push(position.clone());
                }
            }
            Ok(claimed)
        })
    }

    /// Stores the evaluation of a position and releases the claim. Returns whether it is new. An evaluation that
    /// does not rank exactly the legal moves of the position is refused.
    pub fn record(
        &mut self,
        worker: &StudyWorker,
        position: &Pending,
        evaluation: &Evaluation,
    ) -> Result<bool, StudyError> {
        let sorted = |mut moves: Vec<String>| {
            moves.sort();
            moves
        };
        let text = |moves: &[UciMove]| moves.iter().map(ToString::to_string).collect();
        if sorted(text(&position.legal()?)) != sorted(text(evaluation.moves())) {
            return Err(StudyError::OtherMoves(position.fen.clone()));
        }
        let id = position.id.0;
        self.write(|entering| {
            let new = entering.evaluation(id, worker.engine, evaluation)?;
            worker.owner.release(&entering.0, id, worker.engine)?;
            Ok(new)
        })
    }

    /// Releases a position that was not evaluated.
    pub fn release(&mut self, worker: &StudyWorker, position: &Pending) -> Result<(), StudyError> {
        let id = position.id.0;
        worker.owner.release(&self.connection, id, worker.engine)
    }

    /// Releases all positions of a worker.
    pub fn release_all(&mut self, worker: &StudyWorker) -> Result<(), StudyError> {
        worker.owner.release_all(&self.connection)
    }

    /// Claims one position. The caller must hold the write lock.
    pub(super) fn attempt(
        &self,
        worker: &StudyWorker,
        id: PositionId,
    ) -> Result<Attempt, StudyError> {
        if self.is_evaluated(id, &worker.key)? {
            return Ok(Attempt::Done);
        }
        let claimed = worker.owner.claim(&self.connection, id.0, worker.engine)?;
        Ok(if claimed {
            Attempt::Claimed
        } else {
            Attempt::Taken
        })
    }

    /// Voids the claims of dead workers.
    pub(super) fn bury(&mut self, worker: &StudyWorker) -> Result<(), StudyError> {
        self.exclusively(|study| worker.owner.bury(&study.connection))
    }

    /// The positions of eligible turns of these games, or of all, evaluated or not, in the order of the study.
    pub fn eligible(&self, games: Option<&BTreeSet<GameId>>) -> Result<Vec<Pending>, StudyError> {
        let sql = "SELECT position, game, fen FROM turns JOIN positions ON position = positions.id
                   WHERE exclusion IS NULL ORDER BY position";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut eligible: Vec<Pending> = Vec::new();
        while let Some(row) = rows.next()? {
            let (id, game) = (PositionId(row.get(0)?), GameId(row.get(1)?));
            let last = eligible.last().map(|position| position.id);
            if last != Some(id) && games.is_none_or(|games| games.contains(&game)) {
                let fen = row.get(2)?;
                eligible.push(Pending { id, fen });
            }
        }
        Ok(eligible)
    }

    /// The positions of eligible turns of these games, or of all, split by whether they are evaluated.
    pub(super) fn wanted(
        &self,
        key: &EngineKey,
        games: Option<&BTreeSet<GameId>>,
    ) -> Result<Wanted, StudyError> {
        let mut wanted = Wanted::default();
        for position in self.eligible(games)? {
            match self.is_evaluated(position.id, key)? {
                true => wanted.known += 1,
                false => wanted.pending.push(position),
            }
        }
        Ok(wanted)
    }

    /// Is a position evaluated to at least this depth?
    fn is_evaluated(&self, position: PositionId, key: &EngineKey) -> Result<bool, StudyError> {
        let sql = "SELECT 1 FROM evaluations JOIN engines ON engine = engines.id
                   WHERE position = ?1 AND name = ?2 AND version = ?3 AND net = ?4
                     AND multi_pv = ?5 AND depth >= ?6";
        let values = params![
            position.0,
            key.name,
            key.version,
            key.net,
            key.multi_pv,
            key.depth
        ];
        Ok(self.connection.prepare_cached(sql)?.exists(values)?)
    }

    /// Runs `act` while holding the write lock.
    pub(super) fn exclusively<T>(
        &mut self,
        act: impl FnOnce(&Study) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        let behaviour = TransactionBehavior::Immediate;
        let begun = rusqlite::Transaction::new_unchecked(&self.connection, behaviour)?;
        let value = act(self)?;
        begun.commit()?;
        Ok(value)
    }
}

/// Positions to be evaluated.
#[derive(Default)]
pub(super) struct Wanted {
    /// The number already evaluated.
    pub(super) known: usize,
    /// The others.
    pub(super) pending: Vec<Pending>,
}
