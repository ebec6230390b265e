//! The queue on a real server: its own ways, a full disk, a restart.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use errare_core::Cancel;
use errare_jobs::{Access, Job, NatsQueue, Queue, QueueError, WorkerTally, work};
use errare_testing::NatsServer;

use super::{SHORT, double, everything, jobs, sum, worker};

#[test]
fn the_queue_on_a_server() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let access = Access::default();
    let queue = NatsQueue::connect(&server.address(), &access).unwrap();
    let short = NatsQueue::connect_with_lease(&server.address(), &access, SHORT).unwrap();
    everything(&queue, &short);
}

/// A worker that waits is told of new jobs.
#[test]
fn who_waits_hears_of_new_jobs() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let [queue, other] =
        [(); 2].map(|()| NatsQueue::connect(&server.address(), &Access::default()).unwrap());
    let cancel = Cancel::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            let idle = Duration::from_secs(600);
            work(
                &other,
                &worker("w"),
                idle,
                &WorkerTally::default(),
                &cancel,
                double,
            )
            .unwrap();
        });
        queue.submit("heard", b"", &jobs(3)).unwrap();
        assert_eq!(sum(&queue, "heard"), (6, 3));
        cancel.cancel();
    });
}

#[test]
fn a_server_that_is_full_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("nats.conf");
    let text = "jetstream { max_file: 2097152 }";
    fs::write(&config, text).unwrap();
    let server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let queue = NatsQueue::connect(&server.address(), &Access::default()).unwrap();
    let large = |n: u8| Job::new("large", vec![n; 400 << 10]).unwrap();
    let many: Vec<Job> = (0..20).map(large).collect();
    let error = queue.submit("large", b"", &many).unwrap_err();
    assert!(matches!(error, QueueError::Full { .. }), "{error:?}");
    assert!(error.to_string().contains("free disk space"));
}

/// A disk that is full although the server believes that it has room. The server stops answering, and whoever comes later is told
/// the same.
#[test]
fn a_server_whose_disk_is_full_is_told_from_one_that_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let Some(_disk) = Disk::mount(&directory.path().join("store")) else {
        return errare_testing::skip("only root can mount a small disk");
    };
    let config = directory.path().join("nats.conf");
    fs::write(&config, "jetstream { max_file: 1073741824 }").unwrap();
    let mut server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let connect = || NatsQueue::connect(&server.address(), &Access::default());
    let queue = connect().unwrap();
    let large = |n: u8| Job::new("large", vec![n; 400 << 10]).unwrap();
    let many: Vec<Job> = (0..40).map(large).collect();
    for error in [
        queue.submit("large", b"", &many).unwrap_err(),
        connect().unwrap_err(),
    ] {
        // Later servers refuse the message instead.
        let told = matches!(error, QueueError::Silent { .. } | QueueError::Full { .. });
        assert!(told && error.may_pass(), "{error:?}");
        assert!(error.to_string().contains("disk"), "{error}");
    }
    server.kill();
    let error = queue.batches().unwrap_err();
    assert!(matches!(error, QueueError::Unreachable { .. }), "{error:?}");
}

/// A disk of 8 MiB in memory.
struct Disk(PathBuf);

impl Disk {
    /// None if that is not allowed, or there are no such disks.
    fn mount(at: &Path) -> Option<Disk> {
        fs::create_dir(at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"])
            .arg(at)
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then(|| Disk(at.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The server may still hold it: it goes when the server does.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// The server is killed and started again between submission and collection, and while a worker waits: nothing is
/// lost, and nobody gives up.
#[test]
fn a_server_may_be_restarted() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(directory.path(), &[]);
    let queue = NatsQueue::connect(&server.address(), &Access::default()).unwrap();
    queue.submit("restarted", b"", &jobs(40)).unwrap();
    let mut left = 15;
    let idle = Duration::from_secs(3);
    work(
        &queue,
        &worker("a"),
        idle,
        &WorkerTally::default(),
        &(),
        |job| {
            left -= 1;
            if left == 0 {
                server.restart();
            }
            double(job)
        },
    )
    .unwrap();
    assert_eq!(sum(&queue, "restarted"), (40 * 39, 40));
}
