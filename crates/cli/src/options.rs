//! Options that several verbs share, and what a verb makes of them.

mod calibration;
mod classes;
mod endgame;
mod engine;
mod evidence;
mod format;
mod history;
mod model;
pub(crate) mod numbers;
mod positions;
mod queue;
mod seed;
mod study;
mod tables;

use std::{env, ffi::OsString};

pub(crate) use self::{
    calibration::{CalibrationOptions, CalibrationPath},
    classes::ClassOptions,
    endgame::{as_written, side_of},
    engine::{EngineOptions, EnginePath, OneEngine},
    evidence::EvidenceOptions,
    format::{Format, Json},
    history::HistoryOptions,
    model::ModelOptions,
    positions::{PositionOptions, Positions},
    queue::{QueueOptions, ShardOption, TheQueue, work_off},
    seed::{Seed, queue_seed},
    study::StudyOptions,
    tables::{BuildOptions, TableDirectory, TableOptions, service},
};

/// What an environment variable sets; an empty one counts as unset.
///
/// Clap could read variables itself, but then calls an option required in usage lines once its variable is
/// set, and takes an empty one for a value.
pub(crate) fn environment(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
