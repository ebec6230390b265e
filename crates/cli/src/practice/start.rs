//! The options for where a game starts.

use errare_service::practice::{DepthRange, Level, Start, Task, Trick};

use crate::prelude::*;

/// Where a game starts, and what is to be done from there.
#[derive(Debug, Args)]
pub(super) struct StartOptions {
    #[command(flatten)]
    place: Place,

    /// Start from one of the trickiest positions: where players most often throw away the result, or depth
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "result", requires = "endgame", conflicts_with_all = ["depth", "level"])]
    tricky: Option<Trick>,

    /// Hold a drawn position
    #[arg(long)]
    draw: bool,

    /// Resist in a lost position
    #[arg(long, alias = "defend", conflicts_with = "draw")]
    lost: bool,

    /// Your side: white or black
    #[arg(long)]
    pub(super) side: Option<Colour>,

    /// The range of depths of the start, in moves: 12, 12-20, 12-
    #[arg(
        long = "start-depth",
        alias = "depth",
        value_name = "MOVES",
        requires = "endgame"
    )]
    pub(super) depth: Option<DepthRange>,

    /// The difficulty of the start: easy, medium or hard, by the chance of a player of c = 20
    #[arg(long, requires = "endgame")]
    pub(super) level: Option<Level>,
}

/// An endgame, a drill or a position.
#[derive(Debug, Clone, Args)]
#[group(id = "place", multiple = false)]
struct Place {
    /// The endgame, like KQKR
    endgame: Option<Material>,

    /// Play a drill by its name; --list shows them
    #[arg(long, value_name = "NAME")]
    drill: Option<String>,

    /// Start from this position; you have the side to move unless --side says otherwise
    #[arg(long, value_name = "FEN")]
    from: Option<String>,
}

impl StartOptions {
    /// The endgame, if one was named.
    pub(super) fn endgame(&self) -> Option<Material> {
        self.place.endgame
    }

    /// The task.
    pub(super) fn task(&self) -> Task {
        match (self.draw, self.lost) {
            (true, _) => Task::Hold,
            (_, true) => Task::Resist,
            _ => Task::Win,
        }
    }

    /// The start.
    pub(super) fn get(&self) -> Result<Start> {
        let (task, depth, level) = (self.task(), self.depth, self.level);
        let place = self.place.clone();
        Ok(match (place.from, place.drill, place.endgame) {
            (Some(fen), ..) => Start::Position { fen },
            (_, Some(name), _) => Start::Drill { name },
            (_, _, Some(endgame)) => match self.tricky {
                Some(by) => Start::Tricky { endgame, task, by },
                None => Start::Random {
                    endgame,
                    task,
                    depth,
                    level,
                },
            },
            _ => bail!(
                "name an ENDGAME, like KQKR, a drill with --drill or a position with --from; --list shows the drills"
            ),
        })
    }
}
