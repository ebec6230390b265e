//! Table files and their store: what is written is read back, and nothing else ever is.

mod round_trip;
mod sample;
