//! The program as tests run it: with its own tables, and without the user's settings.

use std::{path::PathBuf, process::Command, sync::LazyLock};

/// Tables that all tests share and add to.
static TABLES: LazyLock<PathBuf> = LazyLock::new(errare_testing::shared_tables);

pub(crate) fn errare() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_errare"));
    for setting in ["ERRARE_ENGINE", "ERRARE_SYZYGY", "CLICOLOR_FORCE"] {
        command.env_remove(setting);
    }
    command.env("ERRARE_TABLES", &*TABLES);
    command
}
