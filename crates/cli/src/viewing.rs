//! The options that say which evaluations of a study are looked at.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use errare_rating::{Study, View};

/// A study, seen as one engine has it at one depth.
#[derive(Debug, Args)]
pub(crate) struct Viewing {
    /// The study, made by errare evaluate
    #[arg(value_name = "STUDY.db")]
    pub(crate) study: PathBuf,

    /// The engine, by a part of its name, version or net, if there are several
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// The depth to look at [default: the greatest]
    #[arg(long)]
    depth: Option<u8>,
}

impl Viewing {
    /// Opens the study and finds the view.
    pub(crate) fn open(&self) -> Result<(Study, View)> {
        let study = Study::open(&self.study)?;
        let view = study.view(self.engine.as_deref(), self.depth)?;
        Ok((study, view))
    }
}
