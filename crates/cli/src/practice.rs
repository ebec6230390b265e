//! `errare practice`: an endgame in the terminal, against an opponent that fights back.

mod session;
mod start;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use errare_core::{Material, Metric};
use errare_endgame::Oracle;
use errare_tables::parse_position;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Position};

use self::session::Session;
use crate::{
    model::Model,
    players::{Hiring, NamedPlayer},
};

/// Plays an endgame with you, marks your moves and measures your competence
///
/// The opponent is the Emulator E_c, which plays so that it appears to have the competence c, or any
/// player that `errare match` knows. After each of your moves you see how good it was: its mark, or
/// the moves that it ceded. Type moves like Qd5+ or a5d5; ? asks for help.
///
/// You have the side that is better off, in a position drawn by chance: a win if the endgame has
/// one. The game ends with mate, a draw or the end of the metric's phase: in dtc with a capture or
/// promotion.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, like KQKR
    #[arg(required_unless_present = "from")]
    endgame: Option<Material>,

    /// The competence c of the opponent
    #[arg(long, value_name = "C", default_value = "20")]
    skill: f64,

    /// Another opponent than the Emulator: best, rep:c=20, predator ...
    #[arg(long, value_name = "PLAYER", conflicts_with = "skill")]
    opponent: Option<NamedPlayer>,

    /// Start from this position; you have the side to move
    #[arg(long, value_name = "FEN", conflicts_with = "endgame")]
    from: Option<String>,

    /// Start from a win of this depth, in moves
    #[arg(long, value_name = "MOVES", conflicts_with = "from")]
    depth: Option<u16>,

    /// Take the other side: defend
    #[arg(long)]
    defend: bool,

    /// Seed of the random numbers [default: a random one, which is told]
    #[arg(long)]
    seed: Option<u64>,

    #[command(flatten)]
    hiring: Hiring,

    #[command(flatten)]
    model: Model,

    /// At the end answer in JSON; the rest goes to standard error
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare practice KQKR --skill 20
  errare practice KBNK --depth 12 --opponent best
  errare practice --from \"8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1\" --opponent rep:c=10";

/// Plays a game.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let spec = match &arguments.opponent {
        Some(spec) => spec.clone(),
        None => format!(
            "emulator:c={},kappa={}",
            arguments.skill, arguments.model.kappa
        )
        .parse()?,
    };
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let given = arguments.from.as_deref().map(parse_position).transpose()?;
    let endgame = match (&given, arguments.endgame) {
        (Some(position), _) => Material::of(position.board()).0,
        (None, Some(endgame)) => endgame,
        (None, None) => bail!("name an endgame, like KQKR, or a position with --from"),
    };
    if given
        .as_ref()
        .is_some_and(|position| !Oracle::covers(position))
    {
        bail!("there are tables for three to five men without castling rights");
    }
    let oracle = arguments.model.oracle(&[endgame], &[Metric::Dtm])?;
    let start = match given {
        Some(position) => position,
        None => start::draw(&oracle, endgame, arguments.depth, &mut rng)?,
    };
    let yours = if arguments.defend {
        !start.turn()
    } else {
        start.turn()
    };
    talk!("seed {seed}");
    let opponent = spec.hire(&arguments.hiring)?;
    let kappa = arguments.model.kappa;
    let mut session = Session::new(&oracle, start, yours, &opponent, spec.to_string(), kappa);
    session.play(&mut rng, arguments.json)?;
    Ok(ExitCode::SUCCESS)
}

/// The position after a move.
fn after(position: &Chess, m: shakmaty::Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
