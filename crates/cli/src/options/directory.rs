//! The option that says where the tables are.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use errare_service::{Service, Supply};
use errare_tables::Store;
use etcetera::{BaseStrategy, choose_base_strategy};

use super::environment;

/// How many bytes of decoded blocks are kept in memory: a few four-man tables, or the busy parts of
/// five-man ones.
const CACHE: u64 = 256 << 20;

/// The service over the tables that are used if none are named, for verbs that need no tables.
pub(crate) fn service() -> Result<Service> {
    let tables = Supply::new(Directory::default().open()?);
    Ok(Service { tables })
}

/// Where the tables are.
#[derive(Debug, Default, Args)]
pub(crate) struct Directory {
    /// Directory of tables [default: $ERRARE_TABLES, or errare/tables in the user's data directory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl Directory {
    /// The tables in that directory.
    pub(crate) fn open(&self) -> Result<Store> {
        let path = self.path()?;
        if path.exists() && !path.is_dir() {
            bail!(
                "{} is not a directory; choose another with --tables",
                path.display()
            );
        }
        Ok(Store::open(path, CACHE))
    }

    fn path(&self) -> Result<PathBuf> {
        let named = self
            .tables
            .clone()
            .filter(|path| !path.as_os_str().is_empty());
        if let Some(path) = named.or_else(|| environment("ERRARE_TABLES").map(PathBuf::from)) {
            return Ok(path);
        }
        let strategy = choose_base_strategy()
            .context("cannot find the user's data directory; name a directory with --tables")?;
        Ok(strategy.data_dir().join("errare").join("tables"))
    }
}
