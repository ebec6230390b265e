//! Table files and their store: what is written is read back, and nothing else ever is.

mod building;
mod damage;
mod round_trip;
mod sample;
mod store;
