//! What every verb about reference players asks: the metric, κ, and which competences count.

use std::str::FromStr;

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_choice::{Grid, Kappa};
use errare_core::{Material, Metric};
use errare_endgame::Oracle;
use errare_tables::Prober;

use crate::supply::Supply;

/// The model of fallible play, and the tables it stands on.
#[derive(Debug, Args)]
pub(crate) struct Model {
    /// The metric of depths: dtm, dtc, dtz or dtr
    #[arg(long, default_value = "dtc")]
    pub(crate) metric: Metric,

    /// κ of the preference (d + κ)^-c; 0 is the limit of small ones
    #[arg(long, default_value = "1")]
    pub(crate) kappa: Kappa,

    #[command(flatten)]
    supply: Supply,
}

impl Model {
    /// The oracle for these endgames, whose tables are built on the spot if they are missing.
    pub(crate) fn oracle(&self, endgames: &[Material], also: &[Metric]) -> Result<Oracle> {
        let mut metrics = vec![self.metric];
        metrics.extend(also.iter().filter(|&&metric| metric != self.metric));
        let store = self.supply.open(endgames, &metrics)?;
        Ok(Oracle::new(Prober::new(store), self.metric))
    }

    /// The bytes of memory that may be used.
    pub(crate) fn memory(&self) -> Result<u64> {
        self.supply.memory()
    }
}

/// What is believed of a competence before anything is seen.
#[derive(Debug, Clone)]
pub(crate) struct Prior {
    /// The competences taken into account.
    pub(crate) grid: Grid,
    /// How likely they are.
    pub(crate) shape: errare_choice::Prior,
}

/// As in `0(0.01)50` or `0:1:50,normal:20:5`.
impl FromStr for Prior {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Prior> {
        let (grid, shape) = match text.split_once(',') {
            None => (text, errare_choice::Prior::Uniform),
            Some((grid, shape)) => (grid, normal(shape)?),
        };
        Ok(Prior {
            grid: grid.parse()?,
            shape,
        })
    }
}

fn normal(text: &str) -> Result<errare_choice::Prior> {
    let numbers = text
        .strip_prefix("normal:")
        .and_then(|numbers| numbers.split_once(':'));
    let (mean, sd) = numbers.context("write a normal prior like 0:1:50,normal:20:5")?;
    let (mean, sd): (f64, f64) = (mean.parse()?, sd.parse()?);
    if !mean.is_finite() || !sd.is_finite() || sd <= 0.0 {
        bail!("a normal prior has a finite mean and a positive deviation");
    }
    Ok(errare_choice::Prior::Normal { mean, sd })
}
