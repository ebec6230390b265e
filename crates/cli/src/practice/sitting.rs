//! A practice session at a terminal or driven by a script.

use std::time::Duration;

use errare_core::{Deadline, Watch};
use errare_report::practice::{
    pgn,
    screen::{Screen, prompt},
};
use errare_service::practice::{Happening, Sitting};

use super::input::{Input, Typed};
use crate::prelude::*;

/// Who reads the output: a script, as lines of JSON, or a person, as words.
pub(super) struct Audience<'a> {
    pub(super) script: bool,
    pub(super) screen: Screen,
    /// The file that games are appended to when they are left.
    pub(super) pgn: Option<&'a Path>,
}

/// How long to wait for a move.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// Limits the wait for a move: a Hunter may take far longer to solve its endgame.
pub(super) fn patient(watch: &dyn Watch) -> Deadline<'_> {
    Deadline::after(PATIENCE, watch)
}

impl Audience<'_> {
    /// Reads lines until the sitting is over, and reports what happens.
    pub(super) fn sit(&mut self, sitting: &mut dyn Sitting) -> Result<ExitCode> {
        let mut input = Input::new(self.script)?;
        let mut code = ExitCode::SUCCESS;
        self.hear(&sitting.begin())?;
        while !sitting.is_over() {
            let prompt = prompt(sitting.game());
            let line = match input.read(&prompt)? {
                Typed::Text(line) => line,
                Typed::End => break,
                Typed::Interrupt => {
                    code = ExitCode::from(interrupt::EXIT_CODE);
                    break;
                }
            };
            if !(input.echoes() || self.script || sitting.game().is_none()) {
                writeln!(output::for_people(), "{prompt}{}", line.trim())?;
            }
            let happened = watched(|watch| sitting.typed(&line, &patient(watch)))?;
            self.hear(&happened)?;
        }
        self.hear(&sitting.leave())?;
        Ok(code)
    }

    fn hear(&mut self, happened: &[Happening]) -> Result<()> {
        for happening in happened {
            if self.script {
                let line = happening.for_scripts();
                line.iter().try_for_each(output::json_line)?;
            } else if let Some(words) = self.screen.show(happening) {
                writeln!(output::for_people(), "{words}")?;
            }
            if let (Happening::Left(session), Some(file)) = (happening, self.pgn) {
                files::append(file, &pgn(session))?;
            }
        }
        Ok(())
    }
}
