//! Tests of the tables as a whole.

mod published;
mod reference;
mod twin;
