//! The interface of players in a game, and what is known about a choice.

use errare_core::{Fault, FaultKind, Mark, Material, Metric, Stopped, Watch};
use errare_engine::EngineError;
use errare_minimax::GamePosition;
use errare_tables::ProbeError;
use rand::Rng;
use shakmaty::{Chess, Move};

use crate::{Belief, MoveValues};

/// One side of one game. A new game needs a new chooser.
///
/// Most players play chess only; those that only need to know the rules play any [`GamePosition`].
pub trait Chooser<G: GamePosition = Chess>: Send {
    /// Chooses a move in a position that is not the end of the game, before the watch stops the work. A player that can
    /// decide with less time does so; any other returns [`PlayError::Stopped`].
    fn choose_within(
        &mut self,
        position: &G,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen<G::Move>, PlayError>;

    /// Chooses a move without a time limit.
    fn choose(&mut self, position: &G, rng: &mut dyn Rng) -> Result<Chosen<G::Move>, PlayError> {
        self.choose_within(position, rng, &())
    }

    /// The opponent made this move. Players that learn may postpone the work until [`Chooser::study`].
    fn watch(&mut self, _position: &G, _played: G::Move) {}

    /// This side made this move, chosen by this player or not.
    fn made(&mut self, _position: &G, _played: G::Move) {}

    /// Learns from moves that were watched but not yet studied, until done or stopped by the watch.
    fn study(&mut self, _watch: &dyn Watch) -> Result<(), PlayError> {
        Ok(())
    }

    /// What the player believes about its opponent.
    fn beliefs(&self) -> Vec<Belief> {
        Vec::new()
    }
}

/// A chosen move, and what is known about the choice.
#[derive(Debug, Clone)]
pub struct Chosen<M = Move> {
    /// The move.
    pub r#move: M,
    /// The probability of this choice; `None` if unknown.
    pub probability: Option<f64>,
    /// The probability of each possible move; empty if unknown.
    pub chances: Vec<(M, f64)>,
    /// How forced the move was, if it was the only one of its kind.
    pub mark: Option<Mark>,
    /// What the move gave away; `None` if unknown.
    pub ceded: Option<Ceded>,
    /// The basis of the choice.
    pub source: Basis,
    /// The oracle's judgement of all moves, if one was asked.
    pub judgement: Option<MoveValues>,
    /// Remarks for the user, such as that the time was too short for the player's usual way.
    pub remarks: Vec<String>,
}

/// What a move gave away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ceded {
    /// This many moves of the winner, according to the tables.
    Moves(u16),
    /// The result itself, according to the tables.
    Result,
    /// This many pawns, according to an engine.
    Pawns(f64),
}

/// The basis of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Endgame tables, in a metric.
    Tables(Metric),
    /// An engine's evaluation of all moves, to a depth.
    Engine {
        /// The depth.
        depth: u8,
    },
    /// The rules of the game only.
    Rules,
}

impl<M> Chosen<M> {
    /// A move about which only the rules are known.
    pub fn by_rules(r#move: M) -> Chosen<M> {
        Chosen {
            r#move,
            probability: None,
            chances: Vec::new(),
            mark: None,
            ceded: None,
            source: Basis::Rules,
            judgement: None,
            remarks: Vec::new(),
        }
    }
}

/// Why a player did not choose a move.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The tables cannot cover the position, and no engine was named.
    #[error(
        "{player} plays by endgame tables, which know three to five men without castling rights, not {men} men{}; \
         name an engine to play by, as in {example}",
        if *castling { " with castling rights" } else { "" }
    )]
    BeyondTables {
        /// The player.
        player: String,
        /// The men on the board.
        men: usize,
        /// Whether there are castling rights.
        castling: bool,
        /// The player's name with an engine added.
        example: String,
    },
    /// The table is missing, and no engine was named.
    #[error(
        "{player} needs the {metric} table of {endgame}; build it, or name an engine to play by, as in {example}"
    )]
    MissingTable {
        /// The player.
        player: String,
        /// The endgame.
        endgame: Material,
        /// The metric.
        metric: Metric,
        /// The player's name with an engine added.
        example: String,
    },
    /// The tables failed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game is over.
    #[error("the game is over: there is no move to choose")]
    GameOver,
    /// The work was stopped before there was a move.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// An endgame agent failed.
    #[error(transparent)]
    Agent(#[from] errare_endgame::TablePlayError),
}

impl Fault for PlayError {
    fn kind(&self) -> FaultKind {
        match self {
            PlayError::BeyondTables { .. } | PlayError::MissingTable { .. } => FaultKind::Missing,
            PlayError::GameOver => FaultKind::BadRequest,
            PlayError::Probe(error) => error.kind(),
            PlayError::Engine(_) => FaultKind::Internal,
            PlayError::Stopped(error) => error.kind(),
            PlayError::Agent(error) => error.kind(),
        }
    }
}
