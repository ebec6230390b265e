//! Syzygy tables, for positions with more men than our tables have. They give the result and DTZ.

use std::{
    io,
    path::{Path, PathBuf},
};

use errare_core::{Outcome, Plies};
use shakmaty::{Chess, Position};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, SyzygyError as Cause, Tablebase};

use crate::{Category, Depths};

/// Directories of Syzygy tables.
#[derive(Debug)]
pub struct Syzygy {
    tables: Tablebase<Chess>,
}

/// Why Syzygy tables gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyError {
    /// The directory cannot be read.
    #[error("cannot read the Syzygy tables in {}", directory.display())]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// There are no tables in the directory.
    #[error(
        "there are no Syzygy tables in {}; name a directory with .rtbw and .rtbz files",
        .0.display()
    )]
    Empty(PathBuf),
    /// The tables do not cover the position.
    #[error(
        "the Syzygy tables do not know the position; add those of its endgame and of all that it leads to"
    )]
    Probe(#[source] Cause),
}

impl Syzygy {
    /// Opens the tables in some directories; files are read when they are needed.
    pub fn open(
        directories: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Syzygy, SyzygyError> {
        let mut tables = Tablebase::new();
        for directory in directories {
            let directory = directory.as_ref().to_owned();
            match tables.add_directory(&directory) {
                Ok(0) => return Err(SyzygyError::Empty(directory)),
                Ok(_) => {}
                Err(source) => return Err(SyzygyError::Directory { directory, source }),
            }
        }
        Ok(Syzygy { tables })
    }

    /// The category of a position with this many plies on the clock, and its DTZ.
    pub(crate) fn probe(
        &self,
        position: &Chess,
        clock: u32,
    ) -> Result<(Category, Depths), SyzygyError> {
        // Syzygy gives mate the depth of the mating move.
        if position.is_checkmate() {
            let mate = Outcome::Loss(Plies(0));
            return Ok((Category::new(mate, mate, clock), Depths::all(mate)));
        }
        let dtz = self
            .tables
            .probe_dtz(position)
            .map_err(SyzygyError::Probe)?;
        let Dtz(plies) = dtz.ignore_rounding();
        let depth = Plies(plies.unsigned_abs().try_into().unwrap_or(u16::MAX));
        let outcome = match plies.signum() {
            1 => Outcome::Win(depth),
            -1 => Outcome::Loss(depth),
            _ => Outcome::Draw,
        };
        let rounded = matches!(dtz, MaybeRounded::Rounded(_));
        Ok((category(dtz, clock), Depths::dtz_only(outcome, rounded)))
    }
}

fn category(dtz: MaybeRounded<Dtz>, clock: u32) -> Category {
    match AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock) {
        AmbiguousWdl::Loss => Category::Loss,
        AmbiguousWdl::MaybeLoss => Category::MaybeLoss,
        AmbiguousWdl::BlessedLoss => Category::BlessedLoss,
        AmbiguousWdl::Draw => Category::Draw,
        AmbiguousWdl::CursedWin => Category::CursedWin,
        AmbiguousWdl::MaybeWin => Category::MaybeWin,
        AmbiguousWdl::Win => Category::Win,
    }
}
