//! What most verbs and options need.

pub(crate) use std::{
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
};

pub(crate) use anyhow::{Context, Result, bail};
pub(crate) use clap::{Args, Subcommand};
pub(crate) use errare_core::{Colour, Competence, Material, Metric, WrittenEndgame};
pub(crate) use errare_service::Service;

pub(crate) use crate::{
    failure::{self, exit_code},
    files, interrupt,
    options::*,
    output,
    shell::typed_command,
    watch::{Terminal, watched},
};
