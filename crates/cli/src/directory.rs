//! The option that says where the tables are.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_tables::Store;
use etcetera::{BaseStrategy, choose_base_strategy};

/// How many bytes of decoded blocks are kept in memory: a few four-man tables, or the busy parts of
/// five-man ones.
const CACHE: u64 = 256 << 20;

/// Where the tables are.
#[derive(Debug, Args)]
pub(crate) struct Directory {
    /// Directory of tables [default: errare/tables in the user's data directory]
    #[arg(
        long,
        value_name = "DIR",
        env = "ERRARE_TABLES",
        hide_env_values = true
    )]
    tables: Option<PathBuf>,
}

impl Directory {
    /// The tables in that directory.
    pub(crate) fn open(&self) -> Result<Store> {
        let path = match &self.tables {
            Some(path) => path.clone(),
            None => choose_base_strategy()
                .context("cannot find the user's data directory; name one with --tables")?
                .data_dir()
                .join("errare")
                .join("tables"),
        };
        if path.exists() && !path.is_dir() {
            bail!(
                "{} is not a directory; choose another with --tables",
                path.display()
            );
        }
        Ok(Store::open(path, CACHE))
    }
}
