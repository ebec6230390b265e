//! How many threads or engines work at the same time.

use std::{num::NonZero, thread};

use crate::Error;

/// The maximum number of concurrent threads or engines: no machine has this many cores.
const MOST: usize = 1024;

/// The requested number, or else one per core, but never more than there is to do.
pub(crate) fn workers(wanted: Option<usize>, tasks: u64) -> Result<usize, Error> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let tasks = usize::try_from(tasks).unwrap_or(usize::MAX);
    match wanted.unwrap_or_else(cores) {
        0 => Err(Error::bad_request(
            "0 of them would get nothing done; ask for at least 1",
        )),
        wanted => Ok(wanted.min(tasks).clamp(1, MOST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_than_there_is_to_do() {
        let at_once = |wanted, tasks| workers(Some(wanted), tasks).unwrap();
        assert_eq!(at_once(100_000, 3), 3);
        assert_eq!(at_once(2, 3), 2);
        assert_eq!(at_once(7, 0), 1);
        assert_eq!(at_once(100_000, u64::MAX), MOST);
        assert!(workers(None, 100).unwrap() >= 1);
        assert!(workers(Some(0), 100).is_err());
    }
}
