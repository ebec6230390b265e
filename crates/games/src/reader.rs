//! Reading games one by one.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position, PositionError, fen::Fen};

use crate::{
    Game, MOST_BYTES, MOST_PLIES, Problem, clock,
    legible::{Legible, UNREADABLE},
};

/// Iterates over the games of a text. Variations are skipped. After an error there are no more games.
pub fn games(text: impl Read) -> impl Iterator<Item = io::Result<Game>> {
    let mut reader = Reader::new(Legible::new(text));
    let mut broken = false;
    (1..).map_while(move |number| {
        if broken {
            return None;
        }
        let game = reader.read_game(&mut Recorder::default()).or_else(|error| {
            // After a syntax error, the rest of the game would look like another game.
            if error.kind() != io::ErrorKind::InvalidData || reader.skip_game().is_err() {
                broken = true;
                return Err(error);
            }
            Ok(Some(Game {
                problems: vec![Problem::Syntax(error.to_string())],
                ..Game::default()
            }))
        });
        let game = game.transpose()?;
        Some(game.map(|game| Game { number, ..game }))
    })
}

/// The visitor that records games.
#[derive(Default)]
pub(crate) struct Recorder {
    /// Bytes of tags and comments of the game so far.
    bytes: usize,
}

impl Recorder {
    /// Counts a tag or comment; false if the game has grown too large for it.
    fn has_room(&mut self, game: &mut Game, bytes: usize) -> bool {
        let fitted = self.bytes <= MOST_BYTES;
        self.bytes = self.bytes.saturating_add(bytes);
        let fits = self.bytes <= MOST_BYTES;
        if fitted && !fits {
            game.problems.push(Problem::TooLarge);
        }
        fits
    }
}

/// A game being read.
pub(crate) struct MainLine {
    game: Game,
    /// The position reached.
    position: Chess,
}

impl MainLine {
    /// Stops reading at this move, which is illegal.
    fn stop_at(&mut self, san: String) {
        let dots = self.position.turn().fold_wb(".", "...");
        let number = format!("{}{dots}", self.position.fullmoves());
        self.game.problems.push(Problem::Illegal { number, san });
    }

    /// Does the game have more moves than we read?
    pub(crate) fn is_too_long(&self) -> bool {
        self.game.problems.contains(&Problem::TooLong)
    }
}

impl Visitor for Recorder {
    type Tags = Game;
    type Movetext = MainLine;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if !self.has_room(game, name.len() + value.as_bytes().len()) {
            return ControlFlow::Continue(());
        }
        let name = String::from_utf8_lossy(name).into_owned();
        let value = value.decode_utf8_lossy().into_owned();
        game.tags.insert(name, value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut game: Game) -> ControlFlow<Game, MainLine> {
        match start(&game) {
            Ok(position) => game.start = position,
            Err(problem) => game.problems.push(problem),
        }
        let position = game.start.clone();
        ControlFlow::Continue(MainLine { game, position })
    }

    fn san(&mut self, line: &mut MainLine, san: SanPlus) -> ControlFlow<Game> {
        let MainLine { game, position } = line;
        if game.flaw().is_some() {
            return ControlFlow::Continue(());
        }
        if game.moves.len() == MOST_PLIES {
            game.problems.push(Problem::TooLong);
            return ControlFlow::Continue(());
        }
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                game.moves.push(played);
                game.clocks.push(None);
            }
            Err(_) => line.stop_at(san.to_string()),
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, line: &mut MainLine, comment: RawComment<'_>) -> ControlFlow<Game> {
        if !self.has_room(&mut line.game, comment.as_bytes().len()) || line.game.flaw().is_some() {
            return ControlFlow::Continue(());
        }
        let text = String::from_utf8_lossy(comment.as_bytes());
        if let Some(unreadable) = text.strip_prefix(UNREADABLE) {
            line.stop_at(unreadable.to_owned());
        } else if let Some(clock) = line.game.clocks.last_mut() {
            *clock = clock::seconds(&text).or(*clock);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, line: &mut MainLine, outcome: Outcome) -> ControlFlow<Game> {
        let game = &mut line.game;
        let ending = outcome.to_string();
        if let Some(tag) = game.tag("Result")
            && tag != ending
            && tag != "*"
        {
            let (tag, ending) = (tag.to_owned(), ending.clone());
            game.problems.push(Problem::Result { tag, ending });
        }
        game.ending = Some(ending);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: MainLine) -> Game {
        line.game
    }
}

/// Values of the `Variant` tag that mean standard chess.
const STANDARD: [&str; 5] = ["standard", "chess", "normal", "from position", ""];

/// The starting position of a game. Checks that no legal move could have given are accepted, as in the
/// tables.
fn start(game: &Game) -> Result<Chess, Problem> {
    if let Some(variant) = game.tag("Variant")
        && !STANDARD.contains(&&*variant.to_lowercase())
    {
        return Err(Problem::Variant(variant.to_owned()));
    }
    let Some(tag) = game.tag("FEN") else {
        return Ok(Chess::default());
    };
    let illegal = || Problem::Start(tag.to_owned());
    let fen: Fen = tag.parse().map_err(|_| illegal())?;
    fen.into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|_| illegal())
}
