//! The setup of a session: the start, the opponent, the task.

use errare_choice::Kappa;
use errare_core::{Colour, Material, Metric, parse_position};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use crate::Error;

/// The person's task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Win a won position.
    Win,
    /// Hold a drawn one.
    Hold,
    /// Resist in a lost one.
    Resist,
}

/// How far a game goes, unless the rules of chess end it earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// To the capture or promotion that leads to another endgame, won or drawn.
    #[default]
    Conversion,
    /// To mate or a draw.
    Mate,
}

/// Everything that determines a session. The same setup and the same moves give the same game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Setup {
    /// The starting position, as FEN.
    pub fen: String,
    /// The endgame on the board at the start.
    pub endgame: Material,
    /// The person's side.
    pub side: Colour,
    /// The person's task.
    pub task: Task,
    /// The opponent's name.
    pub opponent: String,
    /// The metric of depths.
    pub metric: Metric,
    /// The κ of the model by which competence is measured.
    pub kappa: f64,
    /// The seed of the start and of the opponent's random numbers.
    pub seed: u64,
    /// How far the game goes.
    pub until: Until,
    /// The number of the person's moves after which a drawn position counts as held.
    pub hold_moves: u16,
    /// The drill, if it is one.
    pub drill: Option<String>,
}

/// The default number of moves after which a drawn position counts as held.
pub(super) const HOLD_MOVES: u16 = 20;

impl Setup {
    /// The position that the game starts from.
    pub fn position(&self) -> Result<Chess, Error> {
        let position = parse_position(&self.fen)
            .map_err(|error| Error::bad_request(format!("the start of the session: {error}")))?;
        if position.is_game_over() {
            return Err(Error::bad_request(
                "the game is over in that position; choose one with a move to make",
            ));
        }
        Ok(position)
    }

    /// The κ of the model.
    pub fn kappa(&self) -> Result<Kappa, Error> {
        let kappa = self.kappa.to_string().parse();
        kappa.map_err(|error: errare_choice::ParseKappaError| Error::bad_request(error.to_string()))
    }

    /// The opponent's side.
    pub(crate) fn opponent_side(&self) -> Colour {
        match self.side {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}
