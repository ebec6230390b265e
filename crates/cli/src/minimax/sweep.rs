//! `errare minimax sweep`: how move probabilities change with depth, or with alpha.

use errare_minimax::Alpha;
use errare_report::{
    minimax::{sweep_csv, sweep_panel},
    plot,
};
use errare_service::minimax::{
    sweep,
    typed::{self, SearchDepths},
};

use super::search::Options;
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    fen: String,
    /// The depths, both ends included.
    #[arg(long, required_unless_present = "alphas")]
    depths: Option<SearchDepths>,
    /// Several alphas instead, at one depth: 2,3,10,continuous.
    #[arg(long, value_delimiter = ',', requires = "depth", conflicts_with_all = ["depths", "alpha"])]
    alphas: Vec<Alpha>,
    /// The depth at which alpha varies.
    #[arg(long, value_parser = typed::depth, conflicts_with = "depths")]
    depth: Option<NonZero<u32>>,
    /// Draw the likeliest moves to this SVG file.
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print CSV: one row a move and step.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    options: Options,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let request = sweep::Request {
        fen: arguments.fen.clone(),
        steps: arguments.steps(),
        options: arguments.options.get(),
    };
    let answer = watched(|watch| sweep::answer(&request, watch))?;
    let drawing = || plot::svg(&[sweep_panel(&answer)]);
    files::write_to(arguments.plot.as_ref(), drawing)?;
    let csv = arguments.csv;
    Format { json, csv }.show(&answer, sweep_csv)
}

impl Arguments {
    /// The searches: either depths with one alpha, or alphas at one depth.
    fn steps(&self) -> Vec<(NonZero<u32>, Alpha)> {
        let alpha = self.options.tree.alpha;
        let depths = self.depths.iter().flat_map(|depths| &depths.0);
        match self.depth {
            Some(depth) => self.alphas.iter().map(|&alpha| (depth, alpha)).collect(),
            None => depths.map(|&depth| (depth, alpha)).collect(),
        }
    }
}
