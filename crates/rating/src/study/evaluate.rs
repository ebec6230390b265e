//! Having the positions of a study evaluated.

use std::{
    collections::{BTreeSet, VecDeque},
    ops::ControlFlow,
};

use errare_engine::{EngineError, EngineKey, Job, Next, Outcome, Pool, Source};
use rusqlite::{OptionalExtension, TransactionBehavior, params};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use super::{Study, StudyError, claims::Owner, engine_id};
use crate::GameId;

/// After so many positions in a row at which the engine failed, it is not asked any more.
const PATIENCE: usize = 5;

/// How many positions are claimed in one go: a transaction for each would cost as much as the rest.
const CLAIMS: usize = 8;

/// What happens while positions are evaluated.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many positions are to be evaluated, others are done already.
    Begin {
        /// To be evaluated.
        waiting: usize,
        /// Done already.
        done: usize,
    },
    /// A position is done, by this process.
    Evaluated,
    /// A position was done by another process.
    Found,
    /// The engine failed at a position and was started again.
    Restarted {
        /// The position.
        fen: &'a str,
        /// Why.
        error: &'a EngineError,
    },
    /// The engine kept failing at a position, which is left out.
    Failed {
        /// The position.
        fen: &'a str,
        /// Why.
        error: &'a EngineError,
    },
    /// Time passes.
    Waiting,
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Evaluated {
    /// Positions that were evaluated before.
    pub known: usize,
    /// Positions that were evaluated now.
    pub evaluated: usize,
    /// Positions that other processes evaluated meanwhile.
    pub elsewhere: usize,
    /// Positions at which the engine kept failing.
    pub failed: usize,
    /// Positions that are left.
    pub left: usize,
    /// Times the engine had to be started again.
    pub restarts: usize,
    /// Whether it was told to stop.
    pub interrupted: bool,
}

impl Study {
    /// Has every position of eligible turns evaluated that is not yet, in these games or in all.
    ///
    /// `tell` is told what happens, and may break off. What is evaluated is kept at once; several
    /// processes may do this at the same time. If the engine fails at several positions in a row, the
    /// rest is left.
    pub fn evaluate(
        &mut self,
        pool: Pool,
        games: Option<&BTreeSet<GameId>>,
        mut tell: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Evaluated, StudyError> {
        let owner = Owner::new(self.path())?;
        let key = pool.key().clone();
        let engine = self.exclusively(|study| engine_id(&study.connection, &key))?;
        let wanted = self.wanted(games)?;
        let mut waiting = VecDeque::new();
        for position in &wanted {
            if !self.is_evaluated(*position, &key)? {
                waiting.push_back(*position);
            }
        }
        let mut work = Work {
            report: Evaluated {
                known: wanted.len() - waiting.len(),
                left: waiting.len(),
                ..Evaluated::default()
            },
            study: self,
            owner,
            engine,
            key,
            waiting,
            ours: VecDeque::new(),
            taken: VecDeque::new(),
            failures: 0,
            tell: &mut tell,
        };
        work.begin()?;
        let ended = pool.run(&mut work);
        work.owner.release_all(&work.study.connection)?;
        ended.map(|()| work.report)
    }

    /// The positions of the eligible turns of these games, or of all.
    fn wanted(&self, games: Option<&BTreeSet<GameId>>) -> Result<Vec<i64>, StudyError> {
        let sql = "SELECT position, game FROM turns WHERE exclusion IS NULL ORDER BY position";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut positions = Vec::new();
        while let Some(row) = rows.next()? {
            let game = GameId(row.get(1)?);
            if games.is_none_or(|games| games.contains(&game)) {
                positions.push(row.get(0)?);
            }
        }
        positions.dedup();
        Ok(positions)
    }

    /// Whether a position is evaluated to this depth or deeper.
    fn is_evaluated(&self, position: i64, key: &EngineKey) -> Result<bool, StudyError> {
        let sql = "SELECT 1 FROM evaluations JOIN engines ON engine = engines.id
                   WHERE position = ?1 AND name = ?2 AND version = ?3 AND net = ?4
                     AND multi_pv = ?5 AND depth >= ?6";
        let values = params![
            position,
            key.name,
            key.version,
            key.net,
            key.multi_pv,
            key.depth
        ];
        Ok(self.connection.prepare_cached(sql)?.exists(values)?)
    }
}

/// The positions at hand.
struct Work<'s, 't> {
    study: &'s mut Study,
    owner: Owner,
    engine: i64,
    key: EngineKey,
    /// Positions not looked at yet.
    waiting: VecDeque<i64>,
    /// Positions that are claimed for the next engines that are free.
    ours: VecDeque<i64>,
    /// Positions that other processes have in hand.
    taken: VecDeque<i64>,
    /// Positions in a row at which the engine failed.
    failures: usize,
    report: Evaluated,
    tell: &'t mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

impl Work<'_, '_> {
    fn begin(&mut self) -> Result<(), StudyError> {
        self.study
            .exclusively(|study| self.owner.bury(&study.connection))?;
        self.tell(Event::Begin {
            waiting: self.report.left,
            done: self.report.known,
        });
        Ok(())
    }

    fn tell(&mut self, event: Event<'_>) {
        if (self.tell)(event).is_break() {
            self.report.interrupted = true;
        }
    }

    /// Claims some of the positions that are still to be done.
    fn claim(&mut self) -> Result<(), StudyError> {
        let Work {
            study,
            owner,
            engine,
            key,
            waiting,
            ours,
            taken,
            ..
        } = self;
        let mut done = 0;
        study.exclusively(|study| {
            while ours.len() < CLAIMS
                && let Some(position) = waiting.pop_front()
            {
                if study.is_evaluated(position, key)? {
                    done += 1;
                } else if owner.claim(&study.connection, position, *engine)? {
                    ours.push_back(position);
                } else {
                    taken.push_back(position);
                }
            }
            Ok(())
        })?;
        for _ in 0..done {
            self.report.elsewhere += 1;
            self.report.left -= 1;
            self.tell(Event::Found);
        }
        Ok(())
    }

    fn job(&self, position: i64) -> Result<Job<i64>, StudyError> {
        let sql = "SELECT fen FROM positions WHERE id = ?1";
        let fen: String = self
            .study
            .connection
            .prepare_cached(sql)?
            .query_row([position], |row| row.get(0))
            .optional()?
            .ok_or_else(|| StudyError::Damaged(format!("there is no position {position}")))?;
        let damaged = || StudyError::Damaged(format!("{fen} is not a legal position"));
        let parsed: Fen = format!("{fen} 1").parse().map_err(|_| damaged())?;
        let board: Chess = parsed
            .into_position(CastlingMode::Standard)
            .map_err(|_| damaged())?;
        let moves = board.legal_moves();
        let uci = |played: &shakmaty::Move| played.to_uci(CastlingMode::Standard);
        Ok(Job {
            tag: position,
            legal: moves.iter().map(uci).collect(),
            fen,
        })
    }
}

impl Source for Work<'_, '_> {
    type Tag = i64;
    type Error = StudyError;

    fn next(&mut self) -> Result<Next<i64>, StudyError> {
        while self.ours.is_empty() && !self.waiting.is_empty() {
            self.claim()?;
        }
        if let Some(position) = self.ours.pop_front() {
            return Ok(Next::Job(self.job(position)?));
        }
        if self.taken.is_empty() {
            return Ok(Next::Nothing);
        }
        // Others have the rest in hand. They may be done the next time, or gone.
        self.study
            .exclusively(|study| self.owner.bury(&study.connection))?;
        std::mem::swap(&mut self.waiting, &mut self.taken);
        Ok(Next::Later)
    }

    fn done(&mut self, outcome: Outcome<i64>) -> Result<(), StudyError> {
        let Outcome {
            job,
            result,
            earlier,
        } = outcome;
        let fen = &job.fen;
        for error in &earlier {
            self.report.restarts += 1;
            self.tell(Event::Restarted { fen, error });
        }
        self.report.left -= 1;
        match result {
            Ok(evaluation) => {
                let (owner, engine) = (&self.owner, self.engine);
                self.study.write(|entering| {
                    entering.evaluation(job.tag, engine, &evaluation)?;
                    owner.release(&entering.0, job.tag, engine)
                })?;
                self.failures = 0;
                self.report.evaluated += 1;
                self.tell(Event::Evaluated);
            }
            Err(error) => {
                self.owner
                    .release(&self.study.connection, job.tag, self.engine)?;
                self.failures += 1;
                self.report.failed += 1;
                self.tell(Event::Failed { fen, error: &error });
            }
        }
        Ok(())
    }

    fn stop(&mut self) -> bool {
        self.tell(Event::Waiting);
        self.report.interrupted || self.failures >= PATIENCE
    }
}

impl Study {
    /// Does something while nobody else may write.
    fn exclusively<T>(
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
