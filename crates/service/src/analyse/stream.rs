//! Analyses games as they are read: memory holds one game, and the JSON of the first is written before the second is read.

use std::{cell::RefCell, collections::BTreeSet, io::Write, path::PathBuf};

use errare_core::{FaultKind, Watch};
use errare_endgame::GameAnalysis;
use errare_games::{Game, GameScore, open};
use serde::{Serialize, Serializer, ser::SerializeMap};
use shakmaty::Color;

use super::{AnalyseSettings, AnalysisSession};
use crate::{Error, names};

/// The ratings for which the typical competence of players is reported.
pub const MILEPOSTS: [f64; 5] = [1800.0, 2000.0, 2200.0, 2400.0, 2600.0];

/// The games of several files, one after the other.
pub fn scores(files: &[PathBuf]) -> impl Iterator<Item = Result<GameScore, Error>> {
    files.iter().flat_map(|path| {
        let (opened, failed) = match open(path) {
            Ok(text) => (Some(text), None),
            Err(error) => (None, Some(Err(Error::from(error)))),
        };
        let read = opened.into_iter().flat_map(errare_games::scores);
        let read = read.map(move |score| {
            score.map_err(|error| {
                let text = format!("cannot read {} to its end: {error}", path.display());
                Error::new(FaultKind::Damaged, text)
            })
        });
        failed.into_iter().chain(read)
    })
}

/// The player of these files who is called so, as they spell the name: found before anything is analysed.
pub fn find_player(files: &[PathBuf], wanted: &str, watch: &dyn Watch) -> Result<String, Error> {
    if files.iter().any(|file| file.as_os_str() == "-") {
        return Err(Error::bad_request(
            "standard input can be read only once, and the player is looked for first: save the games in a file",
        ));
    }
    watch.begin("looking for the player", None);
    let mut spelt = BTreeSet::new();
    for score in scores(files) {
        watch.check()?;
        spelt.extend(names_of(&score?.game));
        watch.advance(1);
    }
    Ok(names::find(spelt.iter().map(String::as_str), wanted)?.to_owned())
}

/// The names of both sides.
pub(super) fn names_of(game: &Game) -> [String; 2] {
    Color::ALL.map(|color| game.name(color).to_owned())
}

/// A stream of games through a session.
///
/// `E` is the error type of the action on each game, such as writing it to a file.
pub struct Stream<'s, 'a, E> {
    session: AnalysisSession<'s>,
    settings: &'s AnalyseSettings,
    watch: &'a dyn Watch,
    scores: Box<dyn Iterator<Item = Result<GameScore, Error>> + 'a>,
    each: Box<dyn FnMut(&GameScore, Option<&GameAnalysis>) -> Result<(), E> + 'a>,
    number: usize,
}

impl<'s, 'a, E: From<Error>> Stream<'s, 'a, E> {
    /// A stream before the first game. `each` is called with every game that is read, analysed or not.
    pub fn new(
        session: AnalysisSession<'s>,
        scores: impl Iterator<Item = Result<GameScore, Error>> + 'a,
        watch: &'a dyn Watch,
        each: impl FnMut(&GameScore, Option<&GameAnalysis>) -> Result<(), E> + 'a,
    ) -> Stream<'s, 'a, E> {
        watch.begin(super::STAGE, None);
        Stream {
            settings: session.settings,
            session,
            watch,
            scores: Box::new(scores),
            each: Box::new(each),
            number: 0,
        }
    }

    /// The next game with few enough men.
    pub fn next_analysed(&mut self) -> Result<Option<(GameScore, GameAnalysis)>, E> {
        for score in self.scores.by_ref() {
            self.watch.check().map_err(Error::from)?;
            let mut score = score?;
            self.number += 1;
            score.game.number = self.number;
            for problem in &score.game.problems {
                self.watch.tell(&format!("game {}: {problem}", self.number));
            }
            let analysis = self.session.analyse(&score.game, self.watch)?;
            self.watch.advance(1);
            (self.each)(&score, analysis.as_ref())?;
            if let Some(analysis) = analysis {
                return Ok(Some((score, analysis)));
            }
        }
        Ok(None)
    }

    /// The session, which has the totals.
    pub fn into_session(self) -> AnalysisSession<'s> {
        self.session
    }

    /// Writes the remaining games as the JSON of an [`Answer`](super::Answer), each as it is read; an error ends it.
    pub fn write_json(&mut self, out: impl Write) -> Result<(), E>
    where
        E: From<serde_json::Error>,
    {
        let answer = Answer {
            stream: RefCell::new(self),
            failed: RefCell::new(None),
        };
        let written = serde_json::to_writer_pretty(out, &answer);
        match answer.failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(written?),
        }
    }
}

/// Like [`super::Answer`], but games are analysed while it is written.
struct Answer<'m, 's, 'a, E> {
    stream: RefCell<&'m mut Stream<'s, 'a, E>>,
    /// The error that ended it, if any.
    failed: RefCell<Option<E>>,
}

impl<E: From<Error>> Serialize for Answer<'_, '_, '_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let settings = self.stream.borrow().settings;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("metric", &settings.model.metric)?;
        map.serialize_entry("kappa", &settings.model.kappa)?;
        map.serialize_entry("value", &settings.value)?;
        map.serialize_entry("grid", &settings.prior.grid.to_string())?;
        map.serialize_entry("games", &List(self))?;
        if self.failed.borrow().is_some() {
            return Err(serde::ser::Error::custom("a game cannot be analysed"));
        }
        let stream = self.stream.borrow();
        let totals = serde_json::to_value(stream.session.totals());
        let totals = totals.map_err(serde::ser::Error::custom)?;
        for (name, value) in totals.as_object().into_iter().flatten() {
            map.serialize_entry(name, value)?;
        }
        if let Some(bands) = stream.session.bands().filter(|bands| !bands.is_empty()) {
            map.serialize_entry("bands", &bands)?;
            map.serialize_entry("population", &stream.session.population(&MILEPOSTS))?;
        }
        map.end()
    }
}

/// The games of an answer.
struct List<'l, 'm, 's, 'a, E>(&'l Answer<'m, 's, 'a, E>);

impl<E: From<Error>> Serialize for List<'_, '_, '_, '_, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Answer { stream, failed } = self.0;
        serializer.collect_seq(std::iter::from_fn(|| {
            match stream.borrow_mut().next_analysed() {
                Ok(next) => next.map(|(_, analysis)| analysis),
                Err(error) => {
                    *failed.borrow_mut() = Some(error);
                    None
                }
            }
        }))
    }
}
