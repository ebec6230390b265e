//! Game scores with all annotations: comments, variations, assessments, and whatever follows an illegal move.

use std::{
    io::{self, Read},
    ops::ControlFlow,
};

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::{
    Game, MOST_BYTES, Problem,
    legible::{Legible, UNREADABLE},
    reader::{MainLine, Recorder},
};

/// A game and the tokens of its movetext, in order.
///
/// ```
/// use errare_games::{Token, scores};
///
/// let text = "1. e4 $1 {best by test} e5 (1... c5) 2. Ke3 Nf6 *\n";
/// let score = scores(text.as_bytes()).next().unwrap()?;
/// assert_eq!(score.game.moves.len(), 2, "as far as it can be played through");
/// let moves = score.tokens.iter().filter(|token| matches!(token, Token::Move(_)));
/// assert_eq!(moves.count(), 5, "all that was written");
/// assert!(score.tokens.contains(&Token::Comment("best by test".to_owned())));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GameScore {
    /// The game as far as it can be played through.
    pub game: Game,
    /// Everything in the movetext.
    pub tokens: Vec<Token>,
}

/// A token of a movetext.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A move as written, legal or not.
    Move(String),
    /// A numeric annotation glyph, such as `$1`.
    Assessment(u8),
    /// A comment.
    Comment(String),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result.
    Outcome(String),
}

/// Iterates over the games of a text with all annotations. After an error there are no more.
pub fn scores(text: impl Read) -> impl Iterator<Item = io::Result<GameScore>> {
    let mut reader = Reader::new(Legible::new(text));
    let mut broken = false;
    (1..).map_while(move |number| {
        if broken {
            return None;
        }
        let mut scribe = Scribe::default();
        let score = reader.read_game(&mut scribe).or_else(|error| {
            if error.kind() != io::ErrorKind::InvalidData || reader.skip_game().is_err() {
                broken = true;
                return Err(error);
            }
            // Keep what was read before the flaw.
            let mut score = GameScore {
                game: Game {
                    tags: scribe.tags,
                    ..Game::default()
                },
                tokens: scribe.tokens,
            };
            score.game.problems.push(Problem::Syntax(error.to_string()));
            Ok(Some(score))
        });
        let mut score = score.transpose()?;
        if let Ok(score) = &mut score {
            score.game.number = number;
        }
        Some(score)
    })
}

/// A visitor that keeps what it has read, so that it is available even if reading fails.
#[derive(Default)]
struct Scribe {
    recorder: Recorder,
    tags: indexmap::IndexMap<String, String>,
    tokens: Vec<Token>,
    /// The bytes of the tokens.
    bytes: usize,
    /// The beginning of a comment that is too long to be read at once.
    begun: String,
}

impl Visitor for Scribe {
    type Tags = Game;
    type Movetext = (MainLine, usize);
    type Output = GameScore;

    fn begin_tags(&mut self) -> ControlFlow<GameScore, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<GameScore> {
        let read = self.recorder.tag(game, name, value);
        self.tags.clone_from(&game.tags);
        self.pass(read)
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<GameScore, (MainLine, usize)> {
        match self.recorder.begin_movetext(game) {
            ControlFlow::Continue(line) => ControlFlow::Continue((line, 0)),
            ControlFlow::Break(game) => ControlFlow::Break(self.score(game)),
        }
    }

    fn san(&mut self, line: &mut (MainLine, usize), san: SanPlus) -> ControlFlow<GameScore> {
        if !line.0.is_too_long() {
            self.keep(Token::Move(san.to_string()));
        }
        if line.1 > 0 {
            return ControlFlow::Continue(());
        }
        let read = self.recorder.san(&mut line.0, san);
        self.pass(read)
    }

    fn nag(&mut self, _line: &mut (MainLine, usize), nag: Nag) -> ControlFlow<GameScore> {
        self.keep(Token::Assessment(nag.0));
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        _line: &mut (MainLine, usize),
        comment: RawComment<'_>,
    ) -> ControlFlow<GameScore> {
        // A longer comment exceeds the limit for the whole game.
        if self.begun.len() <= MOST_BYTES {
            self.begun += &String::from_utf8_lossy(comment.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn comment(
        &mut self,
        line: &mut (MainLine, usize),
        comment: RawComment<'_>,
    ) -> ControlFlow<GameScore> {
        let text = std::mem::take(&mut self.begun) + &String::from_utf8_lossy(comment.as_bytes());
        self.keep(match text.strip_prefix(UNREADABLE) {
            Some(unreadable) => Token::Move(unreadable.to_owned()),
            None => Token::Comment(text.trim().to_owned()),
        });
        if line.1 > 0 {
            return ControlFlow::Continue(());
        }
        let read = self.recorder.comment(&mut line.0, comment);
        self.pass(read)
    }

    fn begin_variation(&mut self, line: &mut (MainLine, usize)) -> ControlFlow<GameScore, Skip> {
        self.keep(Token::Open);
        line.1 += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, line: &mut (MainLine, usize)) -> ControlFlow<GameScore> {
        if line.1 > 0 {
            self.keep(Token::Close);
            line.1 -= 1;
        }
        ControlFlow::Continue(())
    }

    fn outcome(
        &mut self,
        line: &mut (MainLine, usize),
        outcome: Outcome,
    ) -> ControlFlow<GameScore> {
        self.keep(Token::Outcome(outcome.to_string()));
        let read = self.recorder.outcome(&mut line.0, outcome);
        self.pass(read)
    }

    fn end_game(&mut self, line: (MainLine, usize)) -> GameScore {
        let mut game = self.recorder.end_game(line.0);
        if self.bytes > MOST_BYTES && !game.problems.contains(&Problem::TooLarge) {
            game.problems.push(Problem::TooLarge);
        }
        self.score(game)
    }
}

impl Scribe {
    /// Keeps a token unless the game has grown too large.
    fn keep(&mut self, token: Token) {
        let text = match &token {
            Token::Move(text) | Token::Comment(text) | Token::Outcome(text) => text.len(),
            Token::Assessment(_) | Token::Open | Token::Close => 0,
        };
        self.bytes += size_of::<Token>() + text;
        if self.bytes <= MOST_BYTES {
            self.tokens.push(token);
        }
    }

    fn score(&mut self, game: Game) -> GameScore {
        let mut tokens = std::mem::take(&mut self.tokens);
        // An unclosed variation ends with the game.
        let count = |wanted: Token| tokens.iter().filter(|token| **token == wanted).count();
        let open = count(Token::Open).saturating_sub(count(Token::Close));
        tokens.extend(std::iter::repeat_n(Token::Close, open));
        GameScore { game, tokens }
    }

    fn pass(&mut self, read: ControlFlow<Game>) -> ControlFlow<GameScore> {
        match read {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(game) => ControlFlow::Break(self.score(game)),
        }
    }
}
