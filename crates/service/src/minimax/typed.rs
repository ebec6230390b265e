//! Parses depths as people type them.

use std::{num::NonZeroU32, str::FromStr};

/// Parses a depth.
pub fn depth(text: &str) -> Result<NonZeroU32, &'static str> {
    text.parse()
        .map_err(|_| "a depth is a whole number of plies, at least 1")
}

/// Depths in the order given: `1..6` (both included), `2,4,6` or `3`.
///
/// ```
/// use errare_service::minimax::typed::SearchDepths;
///
/// let depths: SearchDepths = "1..3".parse()?;
/// assert_eq!(depths.0.iter().map(|depth| depth.get()).sum::<u32>(), 6);
/// assert!("3..1".parse::<SearchDepths>().is_err());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchDepths(pub Vec<NonZeroU32>);

impl FromStr for SearchDepths {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<SearchDepths, &'static str> {
        let depths: Vec<NonZeroU32> = match text.split_once("..") {
            Some((first, last)) => {
                let first = depth(first)?.get();
                let last = depth(last.trim_start_matches('='))?.get();
                (first..=last).filter_map(NonZeroU32::new).collect()
            }
            None => text.split(',').map(depth).collect::<Result<_, _>>()?,
        };
        match depths.is_empty() {
            true => Err("the first depth is above the last; write as in 1..6 or 2,4,6"),
            false => Ok(SearchDepths(depths)),
        }
    }
}
