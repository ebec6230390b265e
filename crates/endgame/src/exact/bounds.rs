//! A number with error bounds.

/// A number that is known to lie between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    /// The best estimate.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}
