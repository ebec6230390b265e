//! The trait of players in a game, and what is known of a choice.

use errare_core::{Fault, FaultKind, Mark, Material, Metric, Stopped, Watch};
use errare_engine::EngineError;
use errare_minimax::GamePosition;
use errare_tables::ProbeError;
use rand::Rng;
use shakmaty::{Chess, Move};

use crate::{Belief, Judgement};

/// One side of one game. A new game needs a new chooser.
///
/// Most players play chess alone; those who only need to know the rules play any [`GamePosition`].
pub trait Chooser<G: GamePosition = Chess>: Send {
    /// The move chosen in a position in which the game is not over, found before the watch stops the work: a player who
    /// can choose on less does so, any other is [`PlayError::Stopped`].
    fn choose_within(
        &mut self,
        position: &G,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen<G::Move>, PlayError>;

    /// The move chosen, with all the time it takes.
    fn choose(&mut self, position: &G, rng: &mut dyn Rng) -> Result<Chosen<G::Move>, PlayError> {
        self.choose_within(position, rng, &())
    }

    /// The opponent made this move. Players that learn may put off the work until [`Chooser::study`].
    fn watch(&mut self, _position: &G, _played: G::Move) {}

    /// This side made this move, whoever chose it.
    fn made(&mut self, _position: &G, _played: G::Move) {}

    /// Learns from what was watched and not yet studied, until all is done or the watch stops it.
    fn study(&mut self, _watch: &dyn Watch) -> Result<(), PlayError> {
        Ok(())
    }

    /// What it believes about its opponent.
    fn beliefs(&self) -> Vec<Belief> {
        Vec::new()
    }
}

/// A move chosen, and what is known of the choice.
#[derive(Debug, Clone)]
pub struct Chosen<M = Move> {
    /// The move.
    pub r#move: M,
    /// How likely the player was to make it; none if that is not known.
    pub probability: Option<f64>,
    /// How likely each move was that might have been made; empty if that is not known.
    pub chances: Vec<(M, f64)>,
    /// How forced it was, if it was the only one of its kind.
    pub mark: Option<Mark>,
    /// What it gave away; none if that is not known.
    pub ceded: Option<Ceded>,
    /// What the choice is based on.
    pub source: Basis,
    /// What the oracle said of all moves, if one was asked.
    pub judgement: Option<Judgement>,
}

/// What a move gave away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ceded {
    /// This many moves of the winner, by the tables.
    Moves(u16),
    /// The result itself, by the tables.
    Result,
    /// This many pawns, by an engine.
    Pawns(f64),
}

/// What a choice is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Endgame tables, in a metric.
    Tables(Metric),
    /// An engine's evaluation of all moves, to a depth.
    Engine {
        /// The depth.
        depth: u8,
    },
    /// The rules of the game alone.
    Rules,
}

impl<M> Chosen<M> {
    /// A move of which nothing but the rules is known.
    pub fn by_rules(r#move: M) -> Chosen<M> {
        Chosen {
            r#move,
            probability: None,
            chances: Vec::new(),
            mark: None,
            ceded: None,
            source: Basis::Rules,
            judgement: None,
        }
    }
}

/// Why no move was chosen.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// No table can know the position, and no engine was named.
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
        /// The player with an engine.
        example: String,
    },
    /// The table is not there, and no engine was named.
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
        /// The player with an engine.
        example: String,
    },
    /// The tables do not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The engine does not answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game is over.
    #[error("the game is over: there is no move to choose")]
    GameOver,
    /// The work was stopped before there was a move.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// An agent of endgames failed.
    #[error(transparent)]
    Agent(#[from] errare_endgame::PlayError),
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
