//! Table files and their store: exactly what was written is read back.

mod building;
mod damage;
mod round_trip;
mod sample;
mod store;
