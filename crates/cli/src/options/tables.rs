//! The options for where tables are, and whether and how to build missing ones.

use bytesize::ByteSize;
use errare_service::Supply;

use crate::prelude::*;

/// The service over the default tables, for verbs that need none.
pub(crate) fn service() -> Result<Service> {
    TableDirectory::default().service()
}

/// Where the tables are.
#[derive(Debug, Default, Args)]
pub(crate) struct TableDirectory {
    /// Directory of tables [default: $ERRARE_TABLES, or errare/tables in the user's data directory]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl TableDirectory {
    /// The service over the tables in the directory.
    pub(crate) fn service(&self) -> Result<Service> {
        let named = self.tables.clone();
        let named = named.filter(|path| !path.as_os_str().is_empty());
        let path = match named.or_else(|| environment("ERRARE_TABLES").map(PathBuf::from)) {
            Some(path) => path,
            None => Supply::usual_directory().context("name a directory with --tables")?,
        };
        if path.exists() && !path.is_dir() {
            let path = path.display();
            bail!("{path} is not a directory; choose another with --tables");
        }
        let tables = Supply::at(path);
        Ok(Service { tables })
    }
}

/// Tables, and the memory for building them.
#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    #[command(flatten)]
    directory: TableDirectory,

    /// Memory that building tables and solving endgames may use, as in 3GiB or 512M [default: the free memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
}

fn size(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "write it as 3GiB or 512M")
}

impl BuildOptions {
    /// The service that builds what is missing.
    pub(crate) fn service(&self) -> Result<Service> {
        let mut service = self.directory.service()?;
        if let Some(memory) = self.memory {
            service.tables = service.tables.with_memory(memory.as_u64());
        }
        Ok(service)
    }
}

/// Tables, built on the spot where they are missing.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
    /// Do not build tables that are missing
    #[arg(long)]
    no_build: bool,

    #[command(flatten)]
    build: BuildOptions,
}

impl TableOptions {
    /// The service that answers requests with these tables.
    pub(crate) fn service(&self) -> Result<Service> {
        let mut service = self.build.service()?;
        if self.no_build {
            service.tables = service.tables.without_building();
        }
        Ok(service)
    }
}
