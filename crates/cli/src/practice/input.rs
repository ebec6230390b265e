//! Lines of input: edited at a terminal, otherwise read as they come.

use std::io::{self, BufRead, IsTerminal};

use anyhow::Result;
use rustyline::{Config, Editor, error::ReadlineError, history::MemHistory};

/// Where lines come from.
pub(super) enum Input {
    Edited(Box<Editor<(), MemHistory>>),
    Plain,
}

/// What was read.
pub(super) enum Typed {
    Text(String),
    /// End of input.
    End,
    /// Ctrl-C.
    Interrupt,
}

impl Input {
    /// Input from a person at a terminal, or from a script.
    pub(super) fn new(json: bool) -> Result<Input> {
        if json || !io::stdin().is_terminal() {
            return Ok(Input::Plain);
        }
        let editor = Editor::with_history(Config::default(), MemHistory::new())?;
        Ok(Input::Edited(Box::new(editor)))
    }

    /// The next line.
    pub(super) fn read(&mut self, prompt: &str) -> Result<Typed> {
        match self {
            Input::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    editor.add_history_entry(line.as_str())?;
                    Ok(Typed::Text(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(error) => Err(error.into()),
            },
            Input::Plain => {
                let mut line = String::new();
                match io::stdin().lock().read_line(&mut line)? {
                    0 => Ok(Typed::End),
                    _ => Ok(Typed::Text(line)),
                }
            }
        }
    }

    /// Whether the terminal already shows what is typed.
    pub(super) fn echoes(&self) -> bool {
        matches!(self, Input::Edited(_))
    }
}
