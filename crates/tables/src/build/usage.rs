//! Resource usage: wall-clock time, processor time, memory.

use std::{
    ops::{AddAssign, Sub},
    time::Instant,
};

use serde::{Deserialize, Serialize};

/// Wall-clock and processor seconds, over all threads.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Usage {
    /// Wall-clock seconds.
    pub wall: f64,
    /// Processor seconds of all threads, if the system reports them.
    pub cpu: f64,
}

/// A starting point for measurements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    wall: Instant,
    cpu: f64,
}

impl Moment {
    /// Now.
    pub(crate) fn now() -> Moment {
        Moment {
            wall: Instant::now(),
            cpu: cpu_seconds(),
        }
    }

    /// Usage since then.
    pub(crate) fn elapsed(self) -> Usage {
        Usage {
            wall: self.wall.elapsed().as_secs_f64(),
            cpu: cpu_seconds() - self.cpu,
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

impl Sub for Usage {
    type Output = Usage;

    fn sub(self, other: Usage) -> Usage {
        Usage {
            wall: self.wall - other.wall,
            cpu: self.cpu - other.cpu,
        }
    }
}

#[cfg(unix)]
mod system {
    use nix::sys::{
        resource::{UsageWho, getrusage},
        time::TimeValLike,
    };

    pub(crate) fn cpu_seconds() -> f64 {
        getrusage(UsageWho::RUSAGE_SELF).map_or(0.0, |usage| {
            let microseconds =
                usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
            microseconds as f64 / 1e6
        })
    }

    pub(crate) fn peak_memory() -> Option<u64> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
        // Kibibytes; on Apple's systems, bytes.
        let unit = if cfg!(target_vendor = "apple") {
            1
        } else {
            1024
        };
        u64::try_from(usage.max_rss()).ok().map(|rss| rss * unit)
    }
}

#[cfg(not(unix))]
mod system {
    pub(crate) fn cpu_seconds() -> f64 {
        0.0
    }

    pub(crate) fn peak_memory() -> Option<u64> {
        None
    }
}

use system::cpu_seconds;
pub(crate) use system::peak_memory;
