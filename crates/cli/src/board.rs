//! A small board of figurines.

use std::fmt::Write;

use shakmaty::{Board, File, Piece, Rank, Square};

/// The board as lines of text, White below.
pub(crate) fn draw(board: &Board) -> String {
    let mut drawing = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(drawing, "  {rank} ");
        for file in File::ALL {
            let man = board.piece_at(Square::from_coords(file, rank));
            let _ = write!(drawing, " {}", man.map_or('·', figurine));
        }
        drawing.push('\n');
    }
    drawing.push_str("    ");
    for file in File::ALL {
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
