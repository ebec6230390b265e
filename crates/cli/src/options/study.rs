//! The options for which evaluations of a study to use.

use errare_service::StudyView;

use crate::prelude::*;

/// A study, seen as one engine has it at one depth.
#[derive(Debug, Args)]
pub(crate) struct StudyOptions {
    /// The study, made by errare evaluate
    #[arg(value_name = "STUDY.db")]
    study: PathBuf,

    /// The engine, by a part of its name, version or net, if there are several
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// The depth to look at [default: the greatest]
    #[arg(long)]
    depth: Option<u8>,
}

impl StudyOptions {
    /// The study and the view.
    pub(crate) fn view(&self) -> StudyView {
        StudyView {
            study: self.study.clone(),
            engine: self.engine.clone(),
            depth: self.depth,
        }
    }
}
