//! The options for where the practice history is kept.

use errare_service::practice::history::History;

use crate::prelude::*;

/// The history of practice, or none.
#[derive(Debug, Args)]
pub(crate) struct HistoryOptions {
    /// The file of the history of practice [default: practice.sqlite in errare's directory of the user's data]
    #[arg(long, value_name = "FILE", conflicts_with = "no_history")]
    history: Option<PathBuf>,

    /// Keep no history of practice
    #[arg(long)]
    no_history: bool,
}

impl HistoryOptions {
    /// The history, if one is kept.
    pub(crate) fn open(&self) -> Result<Option<History>> {
        if self.no_history {
            return Ok(None);
        }
        let path = self.history.clone().map_or_else(History::usual_path, Ok);
        let history = path.and_then(History::open).context(
            "no history can be kept; name another file with --history, or use --no-history",
        )?;
        Ok(Some(history))
    }
}
