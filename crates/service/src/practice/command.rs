//! The commands a person types in a session: a move, or one of a few words.

use super::Act;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// An action in the game.
    Act(Act),
    /// Show the better moves of the last slip.
    Best,
    /// List the legal moves.
    Moves,
    /// Show the board again.
    Board,
    /// Turn the board around.
    Flip,
    /// Explain the marks.
    Marks,
    /// Show the report so far.
    Report,
    /// Print the game so far.
    Pgn,
    /// Another game.
    New,
    /// The same start again.
    Again,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
    /// An empty line.
    Nothing,
}

impl Command {
    /// Parses a line. Anything that is not a command is a move, "Q d4" and "h 4" too.
    pub fn read(line: &str) -> Command {
        let line = line.trim();
        let lower = line.to_ascii_lowercase();
        if let Some(number) = lower.strip_prefix("retry ") {
            return Command::Act(Act::Retry {
                ply: number.trim().parse().ok(),
            });
        }
        match lower.as_str() {
            "" => Command::Nothing,
            "hint" | "h" => Command::Act(Act::Hint),
            "back" | "undo" | "takeback" => Command::Act(Act::TakeBack),
            "retry" => Command::Act(Act::Retry { ply: None }),
            "draw" | "offer" => Command::Act(Act::OfferDraw),
            "claim" => Command::Act(Act::ClaimDraw),
            "resign" => Command::Act(Act::Resign),
            "best" => Command::Best,
            "moves" => Command::Moves,
            "board" => Command::Board,
            "flip" => Command::Flip,
            "marks" => Command::Marks,
            "report" | "score" => Command::Report,
            "pgn" => Command::Pgn,
            "new" => Command::New,
            "again" => Command::Again,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            _ => Command::Act(Act::Move {
                text: line.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves() {
        let is_move = |line: &str| matches!(Command::read(line), Command::Act(Act::Move { .. }));
        for line in ["b8", "Qd5+", "a5d5", " 0-0 ", "h4", "back1", "Q d4", "h 4"] {
            assert!(is_move(line), "{line}");
        }
        assert_eq!(Command::read("HINT"), Command::Act(Act::Hint));
        assert_eq!(
            Command::read("retry 12"),
            Command::Act(Act::Retry { ply: Some(12) })
        );
        assert_eq!(
            Command::read("retry"),
            Command::Act(Act::Retry { ply: None })
        );
        assert_eq!(Command::read("  "), Command::Nothing);
    }
}
