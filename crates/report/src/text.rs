//! Answers as text for a terminal, one file per subject.
//!
//! Every answer that people read implements [`Text`]. It writes to any writer, so that the same text goes to a terminal, a
//! file or a test. Escape sequences for bold and colour are always written, and the caller strips unwanted ones; lines
//! are not wrapped, which is left to a [`Folding`].

mod advice;
mod calibration;
mod calibrations;
mod difficulty;
mod doctor;
mod evaluation;
mod fitting;
mod fleet;
mod fold;
mod games;
mod markov;
mod matches;
mod minimax;
mod practice;
mod prediction;
mod probe;
mod rating;
mod reproduction;
mod screening;
mod table;
mod tables;

use std::io::{self, Write};

pub use fold::Folding;
pub(crate) use fold::folded;
pub use games::{game, summary};
pub use probe::probe;
pub use table::table;
pub use tables::verified;

/// An answer as text for people.
pub trait Text {
    /// Writes the answer.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Warnings, which the program prints before the answer whatever its format.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Additional information, such as the seed, which the program prints apart from the answer.
    fn aside(&self) -> Option<String> {
        None
    }
}

/// Formats a number of moves, however great.
fn moves(number: f64) -> String {
    match number.abs() {
        1e6.. => format!("{number:.3e}"),
        _ => format!("{number:.2}"),
    }
}

/// A value, or a dash if there is none.
pub(crate) fn or_dash<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}
