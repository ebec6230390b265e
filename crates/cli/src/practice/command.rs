//! What is typed at the prompt.

use errare_service::practice::Act;

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Command {
    /// In the game.
    Act(Act),
    /// Tell the better moves of the last slip.
    Best,
    /// List the legal moves.
    Moves,
    /// Show the board again.
    Board,
    /// Show it from the other side.
    Flip,
    /// Explain the marks.
    Marks,
    /// Say how it is going.
    Report,
    /// Print the game so far.
    Pgn,
    /// Another game.
    New,
    /// The same start once more.
    Again,
    /// List the commands.
    Help,
    /// Leave.
    Quit,
    /// Nothing.
    Nothing,
}

/// What a line means. Whatever is no command is a move.
pub(super) fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word.to_ascii_lowercase().as_str() {
        "" => Command::Nothing,
        "hint" | "h" => Command::Act(Act::Hint),
        "back" | "undo" | "takeback" => Command::Act(Act::TakeBack),
        "retry" => Command::Act(Act::Retry {
            ply: rest.trim().parse().ok(),
        }),
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

/// The commands, for people.
pub(super) const HELP: &str = "\
Type a move as you like: Qd5+, qd5, a5d5, b8 (a queen), b8n, 0-0.
  hint     which man to move; again: where to; again: the line
  best     the better moves of your last slip
  back     take your last move back
  retry    try again from your last slip
  draw     offer a draw          claim   claim one (threefold, 50 moves)
  resign   give up               again   the same start once more
  new      another game          report  how it is going
  moves    all legal moves       board   show the board, flip turns it
  marks    what the marks mean   pgn     the game so far
  quit     leave; the game is kept and can be resumed";

/// The marks, for people.
pub(super) const MARKS: &str = "\
  °   the only legal move
  \"   the only move that keeps the result
  '   the only best move
  ?   a slip: the result stands, but the win is farther off (or the loss nearer)
  ??  throws the result away
Depths count moves of the winner, in the metric of the session.
  c   your competence: 0 plays at random; the greater it is, the rarer and smaller the errors";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves() {
        let is_move = |line: &str| matches!(parse(line), Command::Act(Act::Move { .. }));
        for line in ["b8", "Qd5+", "a5d5", " 0-0 ", "h4", "back1"] {
            assert!(is_move(line), "{line}");
        }
        assert_eq!(parse("HINT"), Command::Act(Act::Hint));
        assert_eq!(
            parse("retry 12"),
            Command::Act(Act::Retry { ply: Some(12) })
        );
        assert_eq!(parse("retry"), Command::Act(Act::Retry { ply: None }));
        assert_eq!(parse("  "), Command::Nothing);
    }
}
