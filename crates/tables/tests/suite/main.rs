//! Tests of the tables as a whole.

mod agreement;
mod published;
mod reference;
mod twin;
