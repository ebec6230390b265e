//! `errare advise`: the move that sets the opponent the hardest task.

use errare_service::{
    advise::{self, AdviseSettings, Adviser},
    model::Prior,
};

use crate::{batch::answer_each, prelude::*};

/// Says which move sets a fallible opponent the hardest task
///
/// The Predator takes the opponent to be a reference player R_c and looks at the position after the reply: as
/// winner it minimises the expected depth, as loser it maximises it, and in a drawn position it picks the move
/// after which the opponent is most likely to err. Depths are in moves of the winner. The chances of win, draw and
/// loss are those after one reply of an opponent who may lose value too.
///
/// The opponent's c is given, or learned from earlier games: those of the side that is not to move in the
/// position, or of the player named with --player.
///
/// With - instead of a position, each line of standard input is one, answered in the same order.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    positions: Positions,

    /// The opponent's competence c
    #[arg(long, value_name = "C", required_unless_present = "observed")]
    skill: Option<Competence>,

    /// Games of the opponent to learn the competence from
    #[arg(long, value_name = "PGN", conflicts_with = "skill")]
    observed: Vec<PathBuf>,

    /// The opponent's name in those games; a part of it is enough if only one player has it
    #[arg(long, alias = "opponent", value_name = "NAME", requires = "observed")]
    player: Option<String>,

    /// Competences considered before those games, from(step)to or from:step:to
    #[arg(long, default_value_t = AdviseSettings::prior())]
    prior: Prior,

    /// How many plies to look ahead, an even number
    #[arg(long, default_value_t = AdviseSettings::plies())]
    plies: u32,

    /// Also ask the exact hunter, who looks ahead to the end: what its move gains over the Predator's and over the
    /// optimal one; solving an endgame for a new c may take minutes
    #[arg(long)]
    hunter: bool,

    #[command(flatten)]
    model: ModelOptions,

    /// Answer in JSON, one line a position where there are many
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare advise \"8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1\" --skill 20
  errare advise 8/8/8/2K5/r7/2Q5/4k3/8_b_-_-_0_1 --observed earlier.pgn --plies 4
  errare advise 8/8/8/2K5/r7/2Q5/4k3/8_b_-_-_0_1 --skill 20 --hunter
  errare advise --skill 20 --json - < positions.txt";

/// Asks the Predator.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.service()?;
    let settings = AdviseSettings {
        skill: arguments.skill,
        observed: advise::observed(&arguments.observed)?,
        opponent: arguments.player.clone(),
        prior: arguments.prior.clone(),
        plies: arguments.plies,
        hunter: arguments.hunter,
        model: arguments.model.get(),
    };
    let adviser = watched(|watch| Adviser::new(&service, &settings, watch))?;
    let answer = |fen: &str| Ok(watched(|watch| adviser.advise(fen, watch))?);
    let print = |_: &str, answer: &advise::Answer| Ok(output::text(answer)?);
    answer_each(&arguments.positions, arguments.json, answer, print)
}
