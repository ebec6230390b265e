//! Reading games one after the other.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position, PositionError, fen::Fen};

use crate::{Game, Problem, clock};

/// The games of a text. Variations are skipped. After an error there are no more games.
pub fn games(text: impl Read) -> impl Iterator<Item = io::Result<Game>> {
    let mut reader = Reader::new(text);
    let mut broken = false;
    (1..).map_while(move |number| {
        if broken {
            return None;
        }
        let game = reader.read_game(&mut Recorder).or_else(|error| {
            // What is left of a game that is not PGN would look like another one.
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

struct Recorder;

/// A game that is being read.
struct MainLine {
    game: Game,
    /// The position reached.
    position: Chess,
}

impl Visitor for Recorder {
    type Tags = Game;
    type Movetext = MainLine;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
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
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                game.moves.push(played);
                game.clocks.push(None);
            }
            Err(_) => {
                let dots = position.turn().fold_wb(".", "...");
                game.problems.push(Problem::Illegal {
                    number: format!("{}{dots}", position.fullmoves()),
                    san: san.to_string(),
                });
            }
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, line: &mut MainLine, comment: RawComment<'_>) -> ControlFlow<Game> {
        if line.game.flaw().is_none()
            && let Some(clock) = line.game.clocks.last_mut()
        {
            let text = String::from_utf8_lossy(comment.as_bytes());
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

/// What the tag `Variant` says of standard chess.
const STANDARD: [&str; 5] = ["standard", "chess", "normal", "from position", ""];

/// The position a game begins with. Checks that no move can have given are accepted, as by the tables.
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
