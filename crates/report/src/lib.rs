//! The readable forms of the service's answers: terminal text, PGN, sentences, plots, CSV, HTML pages.
//!
//! The key decision is that the service knows numbers and this crate knows words: every interface that shows an answer in the
//! same form calls the same function here. [`text`] has the terminal's form of each answer, [`mod@csv`] rows for
//! spreadsheets, [`page`] complete HTML documents, [`plot`] SVG drawings. Everything is written to any
//! [`Write`](std::io::Write), so that tests read it from memory.
//!
//! ```
//! use errare_report::text::Text;
//! use errare_service::minimax::tree;
//!
//! let request = tree::Request {
//!     tree: "((3 3)(2 2 2))".to_owned(),
//!     level_regular: false,
//!     alpha: "2".parse()?,
//!     ties: "all".parse()?,
//! };
//! let mut text = Vec::new();
//! tree::answer(&request)?.write(&mut text)?;
//! assert!(String::from_utf8(text)?.contains("3691/4096"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod annotated;
mod board;
mod chart;
mod coverage;
pub mod csv;
pub mod fitting;
pub mod histogram;
pub mod line;
pub mod minimax;
pub mod page;
pub mod pgn;
pub mod plot;
pub mod practice;
pub mod prediction;
pub mod progress;
pub mod rating;
pub mod reproduction;
pub mod screening;
pub mod slip;
pub mod text;
pub mod words;

pub use chart::ChartError;
