//! Imports turns that were evaluated elsewhere, as lines of JSON.
//!
//! A line has `fen`, `played`, `moves` in the engine's order, their scores `eval` at the greatest depth,
//! `depth` and `engine`, and may have `depths` (from depth to scores in the order of `moves`), `net`,
//! `white`, `black`, `welo`, `belo`, `event`, `date`, `milepost`, `clock` (the player's seconds after the
//! move) and `id`, which consists of the game's name, `p` and the ply.
//!
//! The engine's order at shallower depths is not in the file: moves are ranked by their scores there, and
//! those with equal scores in their final order.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io::{BufRead, BufReader, Read},
};

use errare_engine::{EngineKey, Evaluation, Score, position_key};
use serde::Deserialize;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

use super::{Study, StudyError, games::Entering};
use crate::{GameRecord, TurnRecord, record::exclusion};

/// A summary of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Imported {
    /// New games.
    pub games: usize,
    /// Turns in the file.
    pub turns: usize,
    /// New evaluations.
    pub evaluations: usize,
}

/// Why a file could not be imported. Nothing of it is imported then.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A line is malformed.
    #[error("line {line}: {what}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The file cannot be read.
    #[error("cannot read past line {line}")]
    Read {
        /// The last line that could be read.
        line: usize,
        /// Why.
        source: std::io::Error,
    },
    /// The study failed.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// A line of the file.
#[derive(Deserialize)]
struct ImportedLine {
    fen: String,
    played: String,
    moves: Vec<String>,
    eval: Vec<Score>,
    depth: u8,
    engine: String,
    #[serde(default)]
    net: String,
    #[serde(default)]
    depths: BTreeMap<u8, Vec<Option<Score>>>,
    #[serde(default)]
    id: String,
    white: Option<String>,
    black: Option<String>,
    welo: Option<u16>,
    belo: Option<u16>,
    event: Option<String>,
    date: Option<String>,
    milepost: Option<u16>,
    clock: Option<f64>,
}

impl Study {
    /// Enters evaluated turns, all or none.
    ///
    /// ```
    /// use errare_rating::Study;
    ///
    /// # let directory = errare_testing::scratch_directory();
    /// # let (file, lines) = (directory.join("study.db"), errare_testing::TURNS);
    /// let mut study = Study::open_or_create(&file)?;
    /// assert_eq!(study.import(lines.as_bytes())?.evaluations, 2);
    /// assert_eq!(study.import(lines.as_bytes())?.evaluations, 0, "they are there already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(&mut self, text: impl Read) -> Result<Imported, ImportError> {
        self.import_with_net(text, None)
    }

    /// The same, with the engine's net for lines that do not name one: calibrations are for one net.
    pub fn import_with_net(
        &mut self,
        text: impl Read,
        net: Option<&str>,
    ) -> Result<Imported, ImportError> {
        self.write(|entering| {
            let mut imported = Imported::default();
            for (number, line) in (1..).zip(BufReader::new(text).lines()) {
                let line = line.map_err(|source| ImportError::Read {
                    line: number - 1,
                    source,
                })?;
                if line.trim().is_empty() {
                    continue;
                }
                let wrong = |what: String| ImportError::Line { line: number, what };
                let mut line: ImportedLine =
                    serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
                if line.net.is_empty() {
                    line.net.push_str(net.unwrap_or_default());
                }
                line.enter(entering, &mut imported, wrong)?;
            }
            Ok(imported)
        })
    }
}

impl ImportedLine {
    fn enter(
        &self,
        entering: &Entering<'_>,
        imported: &mut Imported,
        wrong: impl Fn(String) -> ImportError,
    ) -> Result<(), ImportError> {
        let position = self.position().map_err(&wrong)?;
        let turn = self.turn(&position).map_err(&wrong)?;
        let evaluation = self.evaluation(&position).map_err(&wrong)?;
        let game = GameRecord {
            tags: self.tags(),
            turns: Vec::new(),
        };
        let added = entering.head(&game, self.game())?;
        let position = entering.turn(added.id, &turn)?;
        let engine = entering.engine(&EngineKey::new(&self.engine, &self.net, self.depth))?;
        let new = entering.evaluation(position, engine, &evaluation)?;
        imported.games += usize::from(added.new);
        imported.turns += 1;
        imported.evaluations += usize::from(new);
        Ok(())
    }

    fn position(&self) -> Result<Chess, String> {
        let illegal = || format!("{} is not a legal position", self.fen);
        let fen: Fen = self.fen.parse().map_err(|_| illegal())?;
        fen.into_position(CastlingMode::Standard)
            .map_err(|_| illegal())
    }

    fn turn(&self, position: &Chess) -> Result<TurnRecord, String> {
        let full_move = position.fullmoves().get();
        let legal = position.legal_moves().len();
        Ok(TurnRecord {
            ply: 2 * (full_move - 1) + position.turn().fold_wb(0, 1),
            position: position_key(position),
            legal,
            played: legal_move(&self.played, position)?,
            clock: self.clock()?,
            exclusion: exclusion(full_move, true, legal),
        })
    }

    fn evaluation(&self, position: &Chess) -> Result<Evaluation, String> {
        let moves: Vec<UciMove> = self
            .moves
            .iter()
            .map(|played| legal_move(played, position))
            .collect::<Result<_, _>>()?;
        if moves.len() != position.legal_moves().len() || moves.len() != self.eval.len() {
            return Err("not every legal move has a score".to_owned());
        }
        let mut iterations = Vec::new();
        for (depth, scores) in self.depths.range(..self.depth) {
            if scores.len() != moves.len() {
                return Err(format!(
                    "depth {depth} has {} scores for {} moves",
                    scores.len(),
                    moves.len()
                ));
            }
            let lines = moves.iter().zip(scores);
            let mut ranking: Vec<(UciMove, Score)> = lines
                .filter_map(|(played, score)| Some((*played, (*score)?)))
                .collect();
            ranking.sort_by_key(|(_, score)| Reverse(worth(*score)));
            iterations.push((*depth, ranking));
        }
        let last = moves.into_iter().zip(self.eval.iter().copied()).collect();
        iterations.push((self.depth, last));
        Evaluation::new(&iterations).ok_or_else(|| "a move or score is out of range".to_owned())
    }

    fn clock(&self) -> Result<Option<f64>, String> {
        match self.clock {
            Some(seconds) if seconds < 0.0 => Err(format!("a clock cannot show {seconds} seconds")),
            clock => Ok(clock),
        }
    }

    /// The name that distinguishes games of the same players.
    fn game(&self) -> &str {
        self.id.rsplit_once('p').map_or(&self.id, |(game, _)| game)
    }

    fn tags(&self) -> indexmap::IndexMap<String, String> {
        let number = |number: &Option<u16>| number.map(|number| number.to_string());
        let tags = [
            ("Event", self.event.clone()),
            ("Date", self.date.clone()),
            ("White", self.white.clone()),
            ("Black", self.black.clone()),
            ("WhiteElo", number(&self.welo)),
            ("BlackElo", number(&self.belo)),
            ("Milepost", number(&self.milepost)),
        ];
        tags.into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

fn legal_move(text: &str, position: &Chess) -> Result<UciMove, String> {
    let illegal = || format!("{text} is not a legal move");
    let uci: UciMove = text.parse().map_err(|_| illegal())?;
    let played = uci.to_move(position).map_err(|_| illegal())?;
    Ok(played.to_uci(CastlingMode::Standard))
}

/// Sort key of scores: late before early when being mated, early before late when mating.
fn worth(score: Score) -> (i32, i32) {
    match score {
        Score::Centipawns(value) => (0, value),
        Score::Mate(moves) => (moves.signum(), -moves),
    }
}
