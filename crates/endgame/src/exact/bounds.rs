//! A number and how far off it can be.

/// A number that is known to lie between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    /// The number, as best known.
    pub value: f64,
    /// It is not less than this.
    pub low: f64,
    /// It is not greater than this.
    pub high: f64,
}
