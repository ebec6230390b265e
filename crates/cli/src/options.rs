//! Options that several verbs share, and what a verb makes of them.

pub(crate) mod calibration;
pub(crate) mod classes;
pub(crate) mod directory;
pub(crate) mod endgame;
pub(crate) mod engine;
pub(crate) mod evidence;
pub(crate) mod format;
pub(crate) mod history;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod numbers;
pub(crate) mod positions;
pub(crate) mod queue;
pub(crate) mod seed;
pub(crate) mod study;
pub(crate) mod supply;
pub(crate) mod threads;

use std::{env, ffi::OsString};

/// What an environment variable sets; an empty one counts as unset.
///
/// Clap could read variables itself, but then calls an option required in usage lines once its variable is
/// set, and takes an empty one for a value.
pub(crate) fn environment(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
