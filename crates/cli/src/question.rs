//! What every verb about one position asks: the position, the metric, and who may answer.

use std::{env, ffi::OsString, io};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};
use errare_tables::{Judge, MAX_MEN, Prober, Syzygy, parse_position};
use shakmaty::{Chess, Position};

use crate::supply::Supply;

/// A position and how to judge it.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The position, - to read it from standard input; underscores may stand for spaces
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,

    /// The metric in which moves are compared: dtm, dtc, dtz or dtr
    ///
    /// dtm is the depth to mate, dtc to conversion (mate, capture or promotion), dtz to a zeroing
    /// move (mate, capture or pawn move), dtr the least k such that a k-move rule does not spoil
    /// the win. Moves are compared in dtr with the clock of the FEN counted.
    #[arg(long, default_value = "dtc")]
    pub(crate) metric: Metric,

    /// Directory of Syzygy tables for positions with more men than our tables have
    ///
    /// Several are separated as in PATH.
    #[arg(
        long,
        value_name = "DIR",
        env = "ERRARE_SYZYGY",
        hide_env_values = true
    )]
    syzygy: Option<OsString>,

    #[command(flatten)]
    supply: Supply,
}

impl Question {
    /// The position.
    pub(crate) fn position(&self) -> Result<Chess> {
        let text = match &self.fen[..] {
            [dash] if dash == "-" => io::read_to_string(io::stdin())?,
            words => words.join(" "),
        };
        Ok(parse_position(&text)?)
    }

    /// Someone who can judge the position. What is missing of our tables is built on the spot.
    pub(crate) fn judge(&self, position: &Chess) -> Result<Judge> {
        let (endgame, _) = Material::of(position.board());
        let has_tables = (3..=MAX_MEN).contains(&endgame.men()) && position.castles().is_empty();
        let needed = has_tables.then_some(endgame);
        let store = self.supply.open(needed.as_slice(), &Metric::ALL)?;
        let many_men = endgame.men() > MAX_MEN;
        let syzygy = self.syzygy.as_deref().filter(|_| many_men);
        let syzygy = syzygy.map(|path| Syzygy::open(env::split_paths(path)));
        let syzygy = syzygy.transpose()?;
        Ok(Judge::new(Prober::new(store), syzygy))
    }
}
