//! `errare predict`: how long a fallible player takes to win an endgame, and how likely it is.

use errare_endgame::TieBreak;
use errare_report::{plot, prediction};
use errare_service::{
    model::Value,
    predict::{
        self, PredictOpponent,
        exact::{self, Simulation},
    },
};

use crate::prelude::*;

/// Predicts how a player of competence c does in an endgame, against an infallible opponent or R_c
///
/// By default for every depth of a win: the expected number of the player's moves until it is
/// achieved (in dtc: mate or conversion), their standard deviation, and the chance to achieve it within a number
/// of moves. These are averages over the endgame, from the Markov chain whose states are depths and whose
/// transitions are averaged over all positions of the full board.
///
/// Moves that lose value are never played unless --value risk allows them. A random mover who may not
/// err wins far too often; with --value risk the chances of win, draw and loss are given as well, from
/// drawn and lost positions too.
///
/// With --position also the exact expectation for that position, against the infallible opponent; how that
/// opponent breaks ties (--ties) makes a difference. With --value risk play may go on for ever, so that only the
/// chances to win are given: in time, and ever.
///
/// With --opponent hunter the opponent knows c and resists as well as possible: it maximises the expected moves, or
/// minimises the chance to win in time. With --value risk play may never end, and it minimises the chance to win in
/// the end.
///
/// Against hunter, best and predator every position is followed, and the results are averaged by depth. The chain treats
/// all positions of a depth alike, so its numbers differ even for the same opponent: from depth 31 of KQKR R_20 takes 97.20
/// moves by the chain and 102.43 moves with --opponent best, which has the same policy as inf.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

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
    value: Value,

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

    /// Break simulated games off after this many moves
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

const EXAMPLES: &str = "\
Examples:
  errare predict KQKR --skill 20
  errare predict KPK --skill 0 --value risk
  errare predict KQKR --skill 20 --compare 21,22 --plot kqkr.svg
  errare predict KQKR --skill 20 --opponent 10 --value risk
  errare predict KQKR --skill 20 --opponent hunter --position K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1 --json
  errare predict KQKR --skill 20 --position \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\" --ties rook-first
  errare predict KPK --skill 20 --value risk --position 4k3/8/8/8/4K3/8/4P3/8_w_-_-_0_1
  errare predict KQKR --skill 20 --position K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1 --simulate 1000000";

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
            endgame: self.endgame,
            skill: self.skill,
            compare: self.compare.clone(),
            opponent: self.opponent,
            side: self.side,
            value: self.value,
            moves: self.moves,
            position: self.position.as_ref().map(position),
            model: self.model.get(),
        }
    }
}

/// Predicts and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.service()?;
    let request = arguments.request();
    let answer = watched(|watch| predict::answer(&service, &request, watch))?;
    let Some(answer) = answer else {
        talk!(
            "errare: this side has no win in {}; try --side or --value risk",
            arguments.endgame
        );
        return Ok(ExitCode::FAILURE);
    };
    let drawing = || plot::svg(&prediction::panels(&answer));
    files::write_to(arguments.plot.as_ref(), drawing)?;
    arguments.format.show(&answer, prediction::csv)
}
