//! `errare advise`: the move that sets the opponent the hardest task.

use errare_service::{
    advise::{self, AdviseSettings, Adviser},
    model::Prior,
};

use crate::{batch::answer_each, prelude::*};

/// Says which move sets a fallible opponent the hardest task
#[derive(Debug, Args)]
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
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.tables.service()?;
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
    answer_each(&arguments.positions, answer, print)
}
