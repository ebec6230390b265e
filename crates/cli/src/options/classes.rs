//! The options for the games a model is fitted to.

use errare_service::fit::{Classes, Years};

use crate::prelude::*;

/// Games in classes by rating.
#[derive(Debug, Args)]
pub(crate) struct ClassOptions {
    /// Ratings to look at, as 2700,2400,2100 [default: every hundred that has games]
    #[arg(long, value_name = "ELO,...", value_delimiter = ',')]
    milepost: Vec<u16>,

    /// How far both players' ratings may be from the milepost [default: 20]
    #[arg(long, value_name = "ELO")]
    width: Option<u16>,

    /// Only games of these years, as 2006-2009
    #[arg(long, value_name = "FROM-TO")]
    years: Option<Years>,
}

impl ClassOptions {
    /// How turns are put into classes by rating.
    pub(crate) fn classes(&self) -> Classes {
        let usual = Classes::default();
        Classes {
            mileposts: self.milepost.clone(),
            width: self.width.unwrap_or(usual.width),
            years: self.years.map(|years| years.0),
            ..usual
        }
    }

    /// Was any milepost option given?
    pub(crate) fn has_mileposts(&self) -> bool {
        !self.milepost.is_empty() || self.width.is_some()
    }
}
