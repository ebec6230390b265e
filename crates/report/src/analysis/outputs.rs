//! The files that an analysis writes besides its answer: the annotated games, and one plot per
//! game.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use errare_core::{NewFile, write_file};
use errare_endgame::GameAnalysis;
use errare_games::GameScore;
use errare_service::analyse::AnalyseSettings;

use super::plot;
use crate::{pgn::annotate, plot::DrawError};

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It would overwrite an input file.
    #[error("{} is an input file; write to another one", .0.display())]
    IsInput(PathBuf),
    /// The plot cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// Output files, written completely or not at all; `-` is standard output.
#[derive(Debug)]
pub struct Outputs<'a> {
    annotated: Option<(&'a Path, Option<NewFile>)>,
    plot: Option<&'a Path>,
    /// The first plot is held back: its file name depends on whether there is another.
    first: Option<(usize, String)>,
    drawn: usize,
}

impl<'a> Outputs<'a> {
    /// Starts the requested files, none of which may be an input.
    pub fn create(
        inputs: &[PathBuf],
        annotated: Option<&'a Path>,
        plot: Option<&'a Path>,
    ) -> Result<Outputs<'a>, OutputError> {
        for output in annotated.into_iter().chain(plot) {
            refuse_input(inputs, output)?;
        }
        let begin = |path: &'a Path| {
            let file = (path != Path::new("-")).then(|| NewFile::create(path));
            file.transpose().map(|file| (path, file)).map_err(of(path))
        };
        Ok(Outputs {
            annotated: annotated.map(begin).transpose()?,
            plot,
            first: None,
            drawn: 0,
        })
    }

    /// Writes a game, with its analysis if there is one.
    pub fn write(
        &mut self,
        score: &GameScore,
        analysis: Option<&GameAnalysis>,
        settings: &AnalyseSettings,
    ) -> Result<(), OutputError> {
        if let Some((path, file)) = &mut self.annotated {
            let mut out: &mut dyn Write = match file {
                Some(file) => file,
                None => &mut io::stdout(),
            };
            let AnalyseSettings { model, value, .. } = settings;
            annotate::write(&mut out, score, analysis, model, *value).map_err(of(path))?;
        }
        if let (Some(path), Some(analysis)) = (self.plot, analysis) {
            let svg = plot::draw(analysis, settings.model.metric)?;
            self.drawn += 1;
            if self.drawn == 1 {
                self.first = Some((analysis.number, svg));
                return Ok(());
            }
            if let Some((number, first)) = self.first.take() {
                save(&numbered(path, number), &first)?;
            }
            save(&numbered(path, analysis.number), &svg)?;
        }
        Ok(())
    }

    /// Moves the files into place.
    pub fn finish(self) -> Result<(), OutputError> {
        if let Some((path, Some(file))) = self.annotated {
            file.finish().map_err(of(path))?;
        }
        if let (Some(path), Some((_, svg))) = (self.plot, self.first) {
            save(path, &svg)?;
        }
        Ok(())
    }
}

/// Refuses to overwrite an input file.
pub fn refuse_input(inputs: &[PathBuf], output: &Path) -> Result<(), OutputError> {
    let real = |path: &Path| path.canonicalize().ok();
    let target = real(output);
    match target.is_some() && inputs.iter().any(|input| real(input) == target) {
        true => Err(OutputError::IsInput(output.to_owned())),
        false => Ok(()),
    }
}

fn of(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    let path = path.to_owned();
    |source| OutputError::Write { path, source }
}

fn save(path: &Path, text: &str) -> Result<(), OutputError> {
    let written = match path == Path::new("-") {
        true => io::stdout().write_all(text.as_bytes()),
        false => write_file(path, text.as_bytes()),
    };
    written.map_err(of(path))
}

/// A file name with a number: `game-3.svg`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.svg"))
}
