//! Endgame tables.

mod generate;
mod geometry;
mod layer;
mod layout;
mod value;

pub use layer::Layer;
pub use layout::{Layout, LayoutError, MAX_MEN, Placement};
pub use value::Value;
