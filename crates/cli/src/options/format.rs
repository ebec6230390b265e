//! The options for the output format.

use errare_report::text::Text;
use serde::Serialize;

use crate::prelude::*;

/// Text, or JSON.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Json {
    /// Answer in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Json {
    /// Prints an answer.
    pub(crate) fn show<A: Serialize + Text + ?Sized>(self, answer: &A) -> Result<ExitCode> {
        output::show(answer, self.json)
    }
}

/// Text, JSON, or CSV.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Format {
    /// Answer in JSON
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,

    /// Answer in CSV
    #[arg(long)]
    pub(crate) csv: bool,
}

impl Format {
    /// Prints an answer, with its rows as CSV.
    pub(crate) fn show<A: Serialize + Text + ?Sized, E: Into<anyhow::Error>>(
        self,
        answer: &A,
        rows: impl FnOnce(io::StdoutLock<'static>, &A) -> Result<(), E>,
    ) -> Result<ExitCode> {
        if !self.csv {
            return output::show(answer, self.json);
        }
        output::remark(answer);
        rows(io::stdout().lock(), answer).map_err(Into::into)?;
        if let Some(aside) = answer.aside() {
            talk!("{aside}");
        }
        Ok(ExitCode::SUCCESS)
    }
}
