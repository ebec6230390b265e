//! Parses the commands of the protocol.

use std::time::Duration;

use errare_core::parse_position;
use errare_service::seat::{GameClock, Limits};
use shakmaty::{Chess, Color, Move, Position, uci::UciMove};

/// A command.
#[derive(Debug)]
pub(crate) enum Command {
    Uci,
    Debug,
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    Register,
    NewGame,
    /// A position, or what is wrong with it.
    Position(Result<Board, String>),
    Go(Go),
    Stop,
    PonderHit,
    Quit,
    /// An empty line.
    Empty,
}

/// A position, as the moves of a game from its start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Board {
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    pub(crate) position: Chess,
}

/// The parameters of `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Go {
    /// Must the move wait for `stop` or `ponderhit`?
    held: bool,
    /// A limit that agents ignore: their strength does not depend on depth.
    pub(crate) unused: Option<&'static str>,
    /// Words that are no parameters; they are ignored.
    pub(crate) unknown: Vec<String>,
    move_time: Option<Duration>,
    /// Time left and increment of White and Black.
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves_to_go: Option<u32>,
    only: Vec<String>,
}

const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

impl Command {
    /// Parses a line; the error says what is wrong with it. As the protocol requires, words before the first known command are
    /// ignored.
    pub(crate) fn parse(line: &str) -> Result<Command, String> {
        let mut words = line.split_whitespace().peekable();
        if words.peek().is_none() {
            return Ok(Command::Empty);
        }
        let command = words.find(|word| COMMANDS.contains(word));
        let rest: Vec<&str> = words.collect();
        Ok(match command {
            Some("uci") => Command::Uci,
            Some("debug") => Command::Debug,
            Some("isready") => Command::IsReady,
            Some("setoption") => set_option(&rest)?,
            Some("register") => Command::Register,
            Some("ucinewgame") => Command::NewGame,
            Some("position") => Command::Position(Board::parse(&rest)),
            Some("go") => Command::Go(Go::parse(&rest)?),
            Some("stop") => Command::Stop,
            Some("ponderhit") => Command::PonderHit,
            Some("quit") => Command::Quit,
            _ => return Err(format!("unknown command {line:?}")),
        })
    }
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    let Some(("name", words)) = words.split_first().map(|(first, rest)| (*first, rest)) else {
        return Err("setoption needs a name".to_owned());
    };
    let end = words.iter().position(|word| *word == "value");
    let (name, value) = words.split_at(end.unwrap_or(words.len()));
    if name.is_empty() {
        return Err("setoption needs a name".to_owned());
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).unwrap_or_default().join(" "),
    })
}

impl Board {
    fn parse(words: &[&str]) -> Result<Board, String> {
        let end = words.iter().position(|word| *word == "moves");
        let (setup, moves) = words.split_at(end.unwrap_or(words.len()));
        let start = match setup {
            ["startpos"] => Chess::default(),
            ["fen", fen @ ..] => {
                parse_position(&fen.join(" ")).map_err(|error| error.to_string())?
            }
            _ => return Err("a position is startpos or fen, then moves".to_owned()),
        };
        let mut board = Board {
            position: start.clone(),
            start,
            moves: Vec::new(),
        };
        for name in moves.iter().skip(1) {
            let m = find(&board.position, name).ok_or_else(|| {
                format!(
                    "{name} is not a legal move after {} moves",
                    board.moves.len()
                )
            })?;
            board.position.play_unchecked(m);
            board.moves.push(m);
        }
        Ok(board)
    }
}

fn find(position: &Chess, name: &str) -> Option<Move> {
    name.parse::<UciMove>().ok()?.to_move(position).ok()
}

impl Go {
    fn parse(words: &[&str]) -> Result<Go, String> {
        let mut go = Go::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" | "ponder" => go.held = true,
                "searchmoves" => {
                    let is_move = |word: &&str| word.parse::<UciMove>().is_ok();
                    while let Some(name) = words.next_if(is_move) {
                        go.only.push(name.to_owned());
                    }
                }
                "depth" | "nodes" | "mate" => {
                    number(word, words.next())?;
                    go.unused = Some(match word {
                        "depth" => "depth",
                        "nodes" => "nodes",
                        _ => "mate",
                    });
                }
                "movetime" => go.move_time = Some(milliseconds(word, words.next())?),
                "wtime" => go.left[0] = Some(milliseconds(word, words.next())?),
                "btime" => go.left[1] = Some(milliseconds(word, words.next())?),
                "winc" => go.increment[0] = milliseconds(word, words.next())?,
                "binc" => go.increment[1] = milliseconds(word, words.next())?,
                "movestogo" => {
                    let moves = number(word, words.next())?;
                    go.moves_to_go = u32::try_from(moves).ok().filter(|moves| *moves > 0);
                }
                _ => go.unknown.push(word.to_owned()),
            }
        }
        Ok(go)
    }

    /// The words of `searchmoves` that are no legal moves in a position.
    pub(crate) fn illegal(&self, position: &Chess) -> impl Iterator<Item = &String> {
        let illegal = move |name: &&String| find(position, name).is_none();
        self.only.iter().filter(illegal)
    }

    /// The limits for the side to move in a position.
    pub(crate) fn limits(&self, position: &Chess, overhead: Duration) -> Limits {
        let side = usize::from(position.turn() == Color::Black);
        Limits {
            move_time: self.move_time,
            clock: self.left[side].map(|left| GameClock {
                left,
                increment: self.increment[side],
                moves_to_go: self.moves_to_go,
            }),
            overhead,
            held: self.held,
            only: self
                .only
                .iter()
                .filter_map(|name| find(position, name))
                .collect(),
        }
    }
}

/// Parses a time; a clock may be negative.
fn milliseconds(name: &str, word: Option<&str>) -> Result<Duration, String> {
    let number = number(name, word)?;
    // A year at most, so that sums cannot overflow.
    let most = 366 * 24 * 3600 * 1000;
    Ok(Duration::from_millis(
        u64::try_from(number).unwrap_or(0).min(most),
    ))
}

fn number(name: &str, word: Option<&str>) -> Result<i64, String> {
    let word = word.ok_or_else(|| format!("{name} needs a number"))?;
    word.parse()
        .map_err(|_| format!("{name} needs a number, not {word:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        Command::parse(line).expect_err(line)
    }

    #[test]
    fn positions() {
        let position = |line: &str| match Command::parse(line) {
            Ok(Command::Position(board)) => board,
            other => panic!("{other:?}"),
        };
        let refusal = |line: &str| position(line).expect_err(line);
        let board = position("position startpos moves e2e4 e7e5").expect("it is one");
        assert_eq!(
            (board.moves.len(), board.position.fullmoves().get()),
            (2, 2)
        );
        assert!(refusal("position startpos moves e2e4 e2e4").contains("after 1 moves"));
        assert!(refusal("position startpos moves 0000").contains("0000"));
        assert!(refusal("position").contains("startpos or fen"));
        assert!(refusal("position fen 8/8/8/8/8/8/8/8 w - - 0 1").contains("board is empty"));
    }

    #[test]
    fn limits() {
        let go = |line: &str| match Command::parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        };
        let white = Chess::default();
        let clocks = go("go wtime 1000 btime -5 winc 7 binc 8 movestogo 0");
        let limits = clocks.limits(&white, Duration::ZERO);
        let clock = limits.clock.expect("a clock");
        assert_eq!(clock.left, Duration::from_secs(1));
        assert_eq!((clock.increment.as_millis(), clock.moves_to_go), (7, None));
        let only = go("go searchmoves e2e4 a1a8 d2d4 depth 3");
        assert_eq!(only.limits(&white, Duration::ZERO).only.len(), 2);
        assert_eq!(only.unused, Some("depth"));
        let unknown = go("go quickly movetime 100 please");
        assert_eq!(unknown.unknown, ["quickly", "please"]);
        let time = unknown.limits(&white, Duration::ZERO).move_time;
        assert_eq!(time, Some(Duration::from_millis(100)));
        assert!(refusal("go movetime soon").contains("needs a number"));
        assert!(refusal("go movetime").contains("needs a number"));
    }

    #[test]
    fn words_before_a_command_are_passed_over() {
        assert!(matches!(Command::parse("joho uci"), Ok(Command::Uci)));
        assert!(matches!(Command::parse("  "), Ok(Command::Empty)));
        assert!(refusal("castle now").contains("unknown command"));
        let Ok(Command::SetOption { name, value }) =
            Command::parse("setoption name Move Overhead value 10")
        else {
            panic!("an option");
        };
        assert_eq!((&*name, &*value), ("Move Overhead", "10"));
    }
}
