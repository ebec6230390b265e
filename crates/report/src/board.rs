//! A small board of figurines or letters.

use std::fmt::Write;

use errare_core::Colour;
use shakmaty::{Board, File, Piece, Rank, Square};

/// The board as lines of text, with the given side at the bottom.
pub(crate) fn draw(board: &Board, bottom: Colour, ascii: bool) -> String {
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    match bottom {
        Colour::White => ranks.reverse(),
        Colour::Black => files.reverse(),
    }
    let empty = if ascii { '.' } else { '·' };
    let mut drawing = String::new();
    for rank in ranks {
        let _ = write!(drawing, "  {rank} ");
        for file in files {
            let man = board.piece_at(Square::from_coords(file, rank));
            let sign = |man: Piece| if ascii { man.char() } else { figurine(man) };
            let _ = write!(drawing, " {}", man.map_or(empty, sign));
        }
        drawing.push('\n');
    }
    drawing.push_str("    ");
    for file in files {
        let _ = write!(drawing, " {file}");
    }
    drawing.push('\n');
    drawing
}

fn figurine(man: Piece) -> char {
    match man.char() {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        _ => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_side_may_be_below() {
        let board: Board = Board::from_ascii_board_fen(b"K3r3/8/5k2/Q7/8/8/8/8").unwrap();
        let lines = |bottom| -> Vec<String> {
            draw(&board, bottom, true)
                .lines()
                .map(str::to_owned)
                .collect()
        };
        let white = lines(Colour::White);
        assert_eq!(white[0], "  8  K . . . r . . .");
        assert_eq!(white[8], "     a b c d e f g h");
        let black = lines(Colour::Black);
        assert_eq!(black[7], "  8  . . . r . . . K");
        assert_eq!(black[8], "     h g f e d c b a");
    }
}
