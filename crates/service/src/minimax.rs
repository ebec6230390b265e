//! Random minimaxing: minimax of full-width trees whose leaves have random scores. One module per
//! verb.

pub mod bench;
pub mod dominate;
pub mod matches;
pub mod mobility;
pub mod play;
pub mod prob;
pub mod rate;
pub mod search;
pub mod sweep;
pub mod tree;
pub mod typed;
