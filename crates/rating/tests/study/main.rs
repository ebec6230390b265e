//! The study: entering games and evaluations, and getting turns back.

mod import;
