//! Words for people, or lines of JSON for scripts.

use std::io::Write;

use anyhow::Result;
use errare_report::text::wrapped;
use errare_service::practice::Told;
use serde::Serialize;

use crate::output;

/// Who listens.
#[derive(Debug, Clone, Copy)]
pub(super) enum Voice {
    Person,
    Script,
}

impl Voice {
    pub(super) fn new(json: bool) -> Voice {
        match json {
            true => Voice::Script,
            false => Voice::Person,
        }
    }

    /// Says something to a person.
    pub(super) fn say(self, text: &str) -> Result<()> {
        if let Voice::Person = self {
            writeln!(anstream::stdout(), "{text}")?;
        }
        Ok(())
    }

    /// Tells something to a script.
    pub(super) fn tell(self, event: &impl Serialize) -> Result<()> {
        if let Voice::Script = self {
            output::json_line(event)?;
        }
        Ok(())
    }

    /// Says why something cannot be done, and what can.
    pub(super) fn refuse(self, error: &anyhow::Error, advice: &str) -> Result<()> {
        let message = format!("{error:#}");
        self.say(&wrapped(&format!("  {message}; {advice}.")))?;
        self.tell(&Told::Refused { message })
    }
}
