//! Studies: selects evaluations, and enters games.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use errare_core::{FaultKind, Watch};
use errare_engine::EngineKey;
use errare_games::{decompressed, games};
use errare_rating::{EvaluationView, GameId, GameRecord, Study};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;

/// The number of games entered per transaction.
const BATCH: usize = 500;

/// A study as seen by one engine at one depth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StudyView {
    /// The study's file.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub study: PathBuf,
    /// A part of the engine's name, version or net; needed only if there are several.
    #[serde(default)]
    pub engine: Option<String>,
    /// The depth; the greatest available if missing.
    #[serde(default)]
    pub depth: Option<u8>,
}

impl StudyView {
    /// Opens the study and finds the view.
    pub fn open(&self) -> Result<(Study, EvaluationView), Error> {
        let study = Study::open(&self.study)?;
        let view = study.view(self.engine.as_deref(), self.depth)?;
        Ok((study, view))
    }

    /// The same, and reports how much of this view is not evaluated.
    pub(crate) fn opened(&self, watch: &dyn Watch) -> Result<(Study, EvaluationView), Error> {
        let (study, view) = self.open()?;
        if let Some(unfinished) = unfinished(&study, &view.engine)? {
            watch.tell(&unfinished);
        }
        Ok((study, view))
    }
}

/// How much is evaluated, if not everything; and if a smaller depth has more, how much there.
fn unfinished(study: &Study, engine: &EngineKey) -> Result<Option<String>, Error> {
    let [all, done] = study.progress(engine)?;
    if done == all {
        return Ok(None);
    }
    let mut text = format!(
        "evaluated to depth {}: {done} of {all} positions",
        engine.depth
    );
    let engines = study.engines()?.into_iter().map(|other| other.key);
    let same = |key: &EngineKey| key.at_depth(0) == engine.at_depth(0);
    let shallower = engines.filter(|key| key.depth < engine.depth && same(key));
    // They are sorted by depth.
    for key in shallower.collect::<Vec<_>>().iter().rev() {
        let [_, there] = study.progress(key)?;
        if there > done {
            text += &format!("; to depth {0}: {there}, so ask for depth {0}", key.depth);
            break;
        }
    }
    Ok(Some(text))
}

/// The outcome of entering games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Entered {
    /// The games now in the study.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub games: BTreeSet<GameId>,
    /// The number of new games.
    pub new_games: usize,
    /// Games that were skipped.
    pub bad_games: Vec<SkippedGame>,
    /// The files, with their fingerprints.
    #[serde(default)]
    pub files: Vec<Fingerprint>,
}

/// A game that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SkippedGame {
    /// The file.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub file: PathBuf,
    /// Its number in the file, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// A file with its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Fingerprint {
    /// The file; `-` is standard input.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub path: PathBuf,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl Fingerprint {
    /// The fingerprint of a file.
    pub fn of(path: &Path) -> Result<Fingerprint, Error> {
        let mut bytes = Hashed::open(path)?;
        io::copy(&mut bytes, &mut io::sink()).map_err(|error| unreadable(path, &error))?;
        Ok(bytes.fingerprint(path))
    }
}

/// A study that is created once there is something to enter, so that an unreadable file leaves none behind.
pub(crate) struct Intake<'a> {
    path: &'a Path,
    study: Option<Study>,
    entered: Entered,
}

impl<'a> Intake<'a> {
    /// An intake for this study.
    pub(crate) fn new(path: &'a Path) -> Result<Intake<'a>, Error> {
        let study = path.exists().then(|| Study::open_or_create(path));
        Ok(Intake {
            path,
            study: study.transpose()?,
            entered: Entered::default(),
        })
    }

    /// Enters the games of a file, and reports bad ones.
    pub(crate) fn file(&mut self, file: &Path, watch: &dyn Watch) -> Result<(), Error> {
        self.read(file, Hashed::open(file)?, watch)
    }

    /// Enters the games of a text with this name.
    pub(crate) fn text(&mut self, name: &Path, pgn: &str, watch: &dyn Watch) -> Result<(), Error> {
        let bytes = io::Cursor::new(pgn.to_owned().into_bytes());
        self.read(name, Hashed::new(Box::new(bytes)), watch)
    }

    fn read(&mut self, file: &Path, bytes: Hashed, watch: &dyn Watch) -> Result<(), Error> {
        let hash = bytes.share();
        let text = decompressed(bytes).map_err(|error| unreadable(file, &error))?;
        let mut batch = Vec::with_capacity(BATCH);
        for (number, game) in (1..).zip(games(text)) {
            watch.check()?;
            let record = match game {
                Ok(game) => GameRecord::new(game).map_err(|error| error.to_string()),
                Err(error) if batch.is_empty() && self.entered.games.is_empty() => {
                    return Err(unreadable(file, &error));
                }
                Err(error) => Err(format!("the rest of the text cannot be read: {error}")),
            };
            match record {
                Ok(record) => batch.push(record),
                Err(reason) => {
                    let name = file.display();
                    watch.tell(&format!("{name}, game {number} is skipped: {reason}"));
                    self.entered.bad_games.push(SkippedGame {
                        file: file.to_owned(),
                        number,
                        reason,
                    });
                }
            }
            if batch.len() == BATCH {
                self.enter(&mut batch, file)?;
            }
        }
        self.enter(&mut batch, file)?;
        self.entered.files.push(hash.fingerprint(file));
        Ok(())
    }

    fn enter(&mut self, batch: &mut Vec<GameRecord>, file: &Path) -> Result<(), Error> {
        if batch.is_empty() {
            return Ok(());
        }
        if self.study.is_none() {
            self.study = Some(Study::open_or_create(self.path)?);
        }
        let study = self.study.as_mut().expect("it was just made");
        let added = study.add_games(batch).map_err(|error| {
            Error::from(error).context(format!("cannot enter the games of {}", file.display()))
        })?;
        self.entered.new_games += added.iter().filter(|game| game.new).count();
        self.entered.games.extend(added.iter().map(|game| game.id));
        batch.clear();
        Ok(())
    }

    /// The study, if there is one, and what was entered.
    pub(crate) fn finish(self) -> (Option<Study>, Entered) {
        (self.study, self.entered)
    }
}

/// Refuses a missing or unreadable file before an engine is started for it. A pipe is opened only once.
pub(crate) fn must_be_readable(path: &Path) -> Result<(), Error> {
    if path == Path::new("-") {
        return Ok(());
    }
    let read = path.metadata().and_then(|about| match about.is_file() {
        true => File::open(path).map(drop),
        false => Ok(()),
    });
    read.map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::NotFound => FaultKind::Missing,
        _ => FaultKind::Damaged,
    };
    Error::new(kind, format!("cannot read {}: {error}", path.display()))
}

/// Hashes bytes as they are read.
struct Hashed {
    input: Box<dyn Read>,
    hash: Hash,
}

/// The hash so far; clones share it.
#[derive(Clone)]
struct Hash(Arc<Mutex<Sha256>>);

impl Hashed {
    fn open(path: &Path) -> Result<Hashed, Error> {
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            let file = File::open(path).map_err(|error| unreadable(path, &error))?;
            Box::new(io::BufReader::with_capacity(1 << 16, file))
        };
        Ok(Hashed::new(input))
    }

    fn new(input: Box<dyn Read>) -> Hashed {
        let hash = Hash(Arc::default());
        Hashed { input, hash }
    }

    fn share(&self) -> Hash {
        self.hash.clone()
    }

    fn fingerprint(&self, path: &Path) -> Fingerprint {
        self.hash.fingerprint(path)
    }
}

impl Hash {
    fn fingerprint(&self, path: &Path) -> Fingerprint {
        let hash = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = hash.clone().finalize();
        Fingerprint {
            path: path.to_owned(),
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        let mut hash = self.hash.0.lock().unwrap_or_else(PoisonError::into_inner);
        hash.update(&buffer[..length]);
        Ok(length)
    }
}
