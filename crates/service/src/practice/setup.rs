//! What a session is about: where it starts, who plays whom, what the task is.

use errare_choice::Kappa;
use errare_core::{Colour, Material, Metric, parse_position};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};

use crate::Error;

/// What the person is to do.
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

/// How far a game goes, unless the rules of chess end it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// To the capture or promotion that leaves another endgame, won or drawn.
    #[default]
    Conversion,
    /// To mate or a draw.
    Mate,
}

/// All that a session is decided by. The same setup and the same moves give the same game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Setup {
    /// Where the game starts, as FEN.
    pub fen: String,
    /// The endgame on the board at the start.
    pub endgame: Material,
    /// The person's side.
    pub side: Colour,
    /// What the person is to do.
    pub task: Task,
    /// The opponent, by its name in the players' small language.
    pub opponent: String,
    /// The metric in which depths are counted.
    pub metric: Metric,
    /// The κ of the model by which competence is measured.
    pub kappa: f64,
    /// The seed of the start and of the opponent's chances.
    pub seed: u64,
    /// How far the game goes.
    pub until: Until,
    /// After so many moves of the person a drawn position counts as held.
    pub hold_moves: u16,
    /// The drill that this is, if it is one.
    pub drill: Option<String>,
}

/// After so many moves a drawn position counts as held, unless a drill or the request says otherwise.
pub const HOLD_MOVES: u16 = 20;

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
    pub fn opponent_side(&self) -> Colour {
        match self.side {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}
