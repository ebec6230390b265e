//! Jobs that fail, and workers on which all jobs fail.

use std::{
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use errare_core::{Cancel, Watch};
use errare_jobs::{Job, MOST_TRIES, Queue, Worker, WorkerReport, WorkerTally, work};

use super::{double, lease, sum};

/// Jobs of a separate kind, so that their consumers have the queue's lease time.
fn jobs(kind: &str, count: u32) -> Vec<Job> {
    (0..count)
        .map(|n| Job::new(kind, n.to_le_bytes().to_vec()).unwrap())
        .collect()
}

fn number(job: &Job) -> u32 {
    u32::from_le_bytes(job.payload().try_into().unwrap())
}

/// Does jobs until there have been none for a second.
fn work_off(
    queue: &dyn Queue,
    worker: &Worker,
    act: impl FnMut(&Job) -> Result<Vec<u8>, String>,
) -> u64 {
    let tally = WorkerTally::default();
    let worked = work(queue, worker, Duration::from_secs(1), &tally, &(), act);
    worked.unwrap().completed
}

/// A job that always fails is tried five times, with growing pauses, and ends in the list of dead jobs with its reason;
/// the others get done.
pub(super) fn poison(queue: &dyn Queue) {
    let jobs = jobs("poison", 5);
    let worker = Worker::new("a", ["poison"]);
    queue.submit("poison", b"", &jobs).unwrap();
    let tries = Mutex::new(Vec::new());
    let completed = work_off(queue, &worker, |job| match number(job) {
        3 => {
            tries.lock().unwrap().push(Instant::now());
            Err("three is no number".to_owned())
        }
        4 if tries.lock().unwrap().len() < 2 => panic!("once or twice"),
        _ => double(job),
    });
    assert_eq!(completed, 4);
    let tries = tries.into_inner().unwrap();
    assert_eq!(tries.len(), MOST_TRIES as usize);
    let pauses: Vec<Duration> = tries.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let lease = Duration::from_millis(300);
    for (pause, doubled) in pauses.iter().zip([1, 2, 4, 8]) {
        assert!(*pause >= doubled * lease / 30, "{pauses:?}");
    }
    let dead = queue.dead("poison").unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!(
        (dead[0].needs.as_str(), dead[0].reason.as_str()),
        ("poison", "three is no number")
    );
    assert_eq!(
        sum(queue, "poison", &jobs).1,
        4,
        "nobody waits for the dead"
    );
    // Submitting it again has it tried again.
    queue.submit("poison", b"", &jobs).unwrap();
    work_off(queue, &worker, double);
    assert_eq!(sum(queue, "poison", &jobs).1, 5);
    assert!(queue.dead("poison").unwrap().is_empty());
    queue.cancel("poison").unwrap();
}

/// Notes a worker's messages, and stops it.
#[derive(Default)]
pub(super) struct Ear {
    pub(super) switch: Cancel,
    pub(super) heard: Mutex<Vec<String>>,
}

impl Watch for Ear {
    fn tell(&self, message: &str) {
        self.heard.lock().unwrap().push(message.to_owned());
    }

    fn is_stopped(&self) -> bool {
        self.switch.is_stopped()
    }
}

/// A worker on which everything fails kills no job while another can do the jobs, even if that one is busy for long.
pub(super) fn a_broken_worker(queue: &dyn Queue) {
    let [broken, healthy] = ["broken", "healthy"].map(|name| Worker::new(name, ["mended"]));
    let sign = |trouble: Option<&str>| {
        let report = WorkerReport {
            name: healthy.name.clone(),
            has: healthy.has.clone(),
            trouble: trouble.map(str::to_owned),
            ..WorkerReport::default()
        };
        queue.report(&report).unwrap();
    };
    sign(None);
    for count in [1, 12] {
        let jobs = jobs("mended", count);
        queue.submit("mended", b"", &jobs).unwrap();
        let (ear, tally) = (Ear::default(), WorkerTally::default());
        thread::scope(|scope| {
            scope.spawn(|| {
                let fail = |_: &Job| Err("no engine".to_owned());
                work(queue, &broken, Duration::MAX, &tally, &ear, fail).unwrap();
            });
            let is_broken = || count == 1 || tally.trouble().is_some();
            let is_seen = || tally.so_far().failed > u64::from(MOST_TRIES) && is_broken();
            while !is_seen() && queue.dead("mended").unwrap().is_empty() {
                thread::sleep(Duration::from_millis(20));
            }
            ear.switch.cancel();
        });
        assert!(queue.dead("mended").unwrap().is_empty(), "{count} jobs");
        assert_eq!(
            tally.trouble().is_some(),
            count > 1,
            "one job may be bad itself"
        );
        let told = ear.heard.into_inner().unwrap().join("\n");
        assert_eq!(
            told.contains("this worker may be broken"),
            count > 1,
            "{told}"
        );
        work_off(queue, &healthy, double);
        assert_eq!(sum(queue, "mended", &jobs).1, jobs.len());
        queue.cancel("mended").unwrap();
    }
    // If it fails on the other as well, or the other is in trouble itself, the job is to blame.
    sign(Some("no engine either"));
    queue.submit("mended", b"", &jobs("mended", 4)).unwrap();
    work_off(queue, &broken, |_| Err("no number".to_owned()));
    assert_eq!(queue.dead("mended").unwrap().len(), 4);
    sign(None);
    queue.submit("mended", b"", &jobs("mended", 1)).unwrap();
    let mut tries = 0;
    for worker in [&broken, &healthy] {
        queue.fail(&lease(queue, worker), "no number").unwrap();
        tries += 1;
    }
    work_off(queue, &broken, |_| {
        tries += 1;
        Err("no number".to_owned())
    });
    assert_eq!(tries, MOST_TRIES);
    assert_eq!(queue.dead("mended").unwrap().len(), 4);
    queue.cancel("mended").unwrap();
}

/// Stopped workers hand their jobs back at once, however often, and no attempt is counted.
pub(super) fn a_stopped_worker(queue: &dyn Queue) {
    let worker = Worker::new("stopped", ["handed"]);
    let jobs = jobs("handed", 1);
    queue.submit("handed", b"", &jobs).unwrap();
    for _ in 0..=MOST_TRIES {
        let (stop, tally) = (Cancel::default(), WorkerTally::default());
        let mut begun = 0;
        let idle = Duration::from_secs(5);
        work(queue, &worker, idle, &tally, &stop, |_| {
            begun += 1;
            stop.cancel();
            Err("it was interrupted".to_owned())
        })
        .unwrap();
        assert_eq!(begun, 1);
    }
    let lease = lease(queue, &worker);
    assert_eq!(lease.tries(), 1);
    queue.complete(&lease, &[0; 4]).unwrap();
    assert_eq!(sum(queue, "handed", &jobs), (0, 1));
    queue.cancel("handed").unwrap();
}
