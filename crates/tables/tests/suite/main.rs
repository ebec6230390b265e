//! Tests of the tables as a whole.

mod agreement;
mod maxima;
mod published;
mod reference;
mod twin;
