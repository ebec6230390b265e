//! `errare predict`: how long a fallible player takes to win an endgame, and how likely it is.

use errare_endgame::TieBreak;
use errare_report::{plot, prediction};
use errare_service::{
    model::ValueRule,
    predict::{
        self, PredictOpponent,
        exact::{self, Simulation},
    },
};

use crate::prelude::*;

/// Predicts how a player of competence c does in an endgame, against an infallible opponent or R_c
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: WrittenEndgame,

    /// The player's competence: 0 plays at random, inf is infallible
    #[arg(long, value_name = "C")]
    skill: Competence,

    /// Further competences to compare with, in the table and the plot
    #[arg(long, value_name = "C,...", value_delimiter = ',')]
    compare: Vec<Competence>,

    /// The opponent: rep:c=10 or 10, or hunter, best, predator or predator:plies=4, which are followed exactly
    #[arg(long, value_name = "PLAYER", default_value = "inf")]
    opponent: PredictOpponent,

    /// The player's side: white is named first in KQKR, black second; with --position the side to move
    #[arg(long, default_value = "white")]
    side: Colour,

    /// Whether moves that lose value are never played (keep) or played as their preference says (risk)
    #[arg(long, default_value = "keep")]
    value: ValueRule,

    /// Number of moves within which the win has to be achieved
    #[arg(long, value_name = "N", default_value_t = 50)]
    moves: u32,

    /// Also predict exactly from this position of the endgame, which the side to move wins
    #[arg(long, value_name = "FEN")]
    position: Option<String>,

    /// How the infallible opponent breaks ties in --position: uniform, first, longest-dtm, rook-first
    #[arg(long, default_value = "uniform", requires = "position")]
    ties: TieBreak,

    /// Also play this many games from --position, tens of millions of moves a second
    #[arg(long, value_name = "GAMES", requires = "position", value_parser = clap::value_parser!(u64).range(2..))]
    simulate: Option<u64>,

    /// Abandon simulated games after this many moves
    #[arg(long, value_name = "N", default_value_t = Simulation::most_moves(), requires = "simulate")]
    max_moves: u64,

    #[command(flatten)]
    seed: Seed,

    /// Draw expected moves and chances by depth, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    format: Format,

    #[command(flatten)]
    model: ModelOptions,
}

impl Arguments {
    fn request(&self) -> predict::Request {
        let simulation = |games| Simulation {
            games,
            max_moves: self.max_moves,
            seed: Some(self.seed.get()),
        };
        let position = |fen: &String| exact::Request {
            fen: fen.clone(),
            ties: self.ties,
            simulate: self.simulate.map(simulation),
        };
        predict::Request {
            endgame: self.endgame.material(),
            skill: self.skill,
            compare: self.compare.clone(),
            opponent: self.opponent,
            side: match self.position {
                // The position says who moves.
                Some(_) => self.side,
                None => side_of(&self.endgame, self.side),
            },
            value: self.value,
            moves: self.moves,
            position: self.position.as_ref().map(position),
            model: self.model.get(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.tables.service()?;
    let request = arguments.request();
    let answer = watched(|watch| predict::answer(&service, &request, watch))?;
    let drawing = || plot::svg(&prediction::panels(&answer));
    files::write_to(arguments.plot.as_ref(), drawing)?;
    arguments.format.show(&answer, prediction::csv)
}
