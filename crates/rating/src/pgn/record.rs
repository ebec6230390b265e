//! A game from PGN: its tags, and its turns with the reasons not to use them.

use std::{
    collections::HashSet,
    io::{self, Read},
    ops::ControlFlow,
};

use indexmap::IndexMap;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position,
    fen::{Epd, Fen},
    uci::UciMove,
};

use super::clock;
use crate::{Exclusion, turn::OPENING_MOVES};

/// A game as it was read.
#[derive(Debug, Clone, Default)]
pub struct GameRecord {
    /// The tags in their order.
    pub tags: IndexMap<String, String>,
    /// The turns of the main line.
    pub turns: Vec<TurnRecord>,
}

/// A turn as it was read.
#[derive(Debug, Clone)]
pub struct TurnRecord {
    /// Plies before it, counted from move 1.
    pub ply: u32,
    /// The position: a FEN without its last field, the move number, on which nothing depends.
    pub position: String,
    /// The number of legal moves.
    pub legal: usize,
    /// The move that was played.
    pub played: UciMove,
    /// The player's clock after the move, in seconds.
    pub clock: Option<f64>,
    /// Why the turn is not used, as far as that can be seen without an engine.
    pub exclusion: Option<Exclusion>,
}

/// A game that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadGame {
    /// It begins with something that is no position.
    #[error("its FEN tag is not a legal position")]
    Start,
    /// It is not chess as the engine plays it.
    #[error("it is a game of {0}, not of standard chess")]
    Variant(String),
    /// A move.
    #[error("{san} is not a legal move at {number}")]
    Move {
        /// Where, as `12...`.
        number: String,
        /// The move as written.
        san: String,
    },
    /// It has no moves.
    #[error("it has no moves")]
    Empty,
    /// It is not PGN: a tag or a comment that does not end.
    #[error("it is not PGN")]
    Syntax(#[source] io::Error),
    /// The text cannot be read on.
    #[error("the text cannot be read on from here")]
    Read(#[source] io::Error),
}

/// The games of a text, one after the other. After [`BadGame::Read`] there are no more.
pub fn games(text: impl Read) -> impl Iterator<Item = Result<GameRecord, BadGame>> {
    let mut reader = Reader::new(text);
    let mut broken = false;
    std::iter::from_fn(move || {
        if broken {
            return None;
        }
        let game = reader.read_game(&mut Recorder).transpose()?;
        Some(game.unwrap_or_else(|error| {
            // What is left of a game that is not PGN would look like another one.
            let syntax = error.kind() == io::ErrorKind::InvalidData;
            broken = !syntax || reader.skip_game().is_err();
            Err(if broken {
                BadGame::Read(error)
            } else {
                BadGame::Syntax(error)
            })
        }))
    })
}

struct Recorder;

/// The main line so far.
struct MainLine {
    record: GameRecord,
    position: Chess,
    /// The positions that were on the board.
    seen: HashSet<Epd>,
}

impl Visitor for Recorder {
    type Tags = IndexMap<String, String>;
    type Movetext = MainLine;
    type Output = Result<GameRecord, BadGame>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(IndexMap::new())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.insert(name, value.decode_utf8_lossy().into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match start(&tags) {
            Err(bad) => ControlFlow::Break(Err(bad)),
            Ok(position) => ControlFlow::Continue(MainLine {
                record: GameRecord {
                    tags,
                    turns: Vec::new(),
                },
                position,
                seen: HashSet::new(),
            }),
        }
    }

    fn san(&mut self, line: &mut MainLine, san: SanPlus) -> ControlFlow<Self::Output> {
        match line.play(san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(bad) => ControlFlow::Break(Err(bad)),
        }
    }

    fn comment(
        &mut self,
        line: &mut MainLine,
        comment: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        if let Some(turn) = line.record.turns.last_mut() {
            let text = String::from_utf8_lossy(comment.as_bytes());
            turn.clock = clock::seconds(&text).or(turn.clock);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(
        &mut self,
        _line: &mut MainLine,
    ) -> ControlFlow<Self::Output, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn end_game(&mut self, line: MainLine) -> Self::Output {
        if line.record.turns.is_empty() {
            return Err(BadGame::Empty);
        }
        Ok(line.record)
    }
}

/// The position a game begins with.
fn start(tags: &IndexMap<String, String>) -> Result<Chess, BadGame> {
    let standard = ["standard", "chess", "normal", "from position", ""];
    if let Some(variant) = tags.get("Variant")
        && !standard.contains(&&*variant.to_lowercase())
    {
        return Err(BadGame::Variant(variant.clone()));
    }
    match tags.get("FEN") {
        None => Ok(Chess::default()),
        Some(fen) => {
            let fen: Fen = fen.parse().map_err(|_| BadGame::Start)?;
            fen.into_position(CastlingMode::Standard)
                .map_err(|_| BadGame::Start)
        }
    }
}

impl MainLine {
    fn play(&mut self, san: SanPlus) -> Result<(), BadGame> {
        let position = &self.position;
        let full_move = position.fullmoves().get();
        let Ok(played) = san.san.to_move(position) else {
            let dots = position.turn().fold_wb(".", "...");
            return Err(BadGame::Move {
                number: format!("{full_move}{dots}"),
                san: san.to_string(),
            });
        };
        let new = self
            .seen
            .insert(Epd::from_position(position, EnPassantMode::Legal));
        let legal = position.legal_moves().len();
        self.record.turns.push(TurnRecord {
            ply: 2 * (full_move - 1) + position.turn().fold_wb(0, 1),
            position: position_key(position),
            legal,
            played: played.to_uci(CastlingMode::Standard),
            clock: None,
            exclusion: exclusion(full_move, new, legal),
        });
        self.position.play_unchecked(played);
        Ok(())
    }
}

/// Why a turn is not used, as far as that can be seen without an engine.
pub(crate) fn exclusion(full_move: u32, new: bool, legal: usize) -> Option<Exclusion> {
    if full_move <= OPENING_MOVES {
        Some(Exclusion::Opening)
    } else if !new {
        Some(Exclusion::Repetition)
    } else if legal < 2 {
        Some(Exclusion::OnlyMove)
    } else {
        None
    }
}

/// What evaluations of a position are filed under: its FEN, with an en-passant square only if there is
/// such a capture, without the move number.
pub(crate) fn position_key(position: &Chess) -> String {
    let epd = Epd::from_position(position, EnPassantMode::Legal);
    format!("{epd} {}", position.halfmoves())
}
