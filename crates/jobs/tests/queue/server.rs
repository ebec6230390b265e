//! The queue on a real server: its peculiarities, a full disk, a restart.

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::{Once, mpsc},
    thread,
    time::Duration,
};

use errare_core::Cancel;
use errare_jobs::{Job, NatsAccess, NatsQueue, Queue, QueueError, WorkerTally, gather, work};
use errare_testing::NatsServer;

use super::{SHORT, double, everything, failures::Ear, ids, jobs, lease, sum, worker};

#[test]
fn the_queue_on_a_server() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let access = NatsAccess::default();
    let queue = NatsQueue::connect(&server.address(), &access).unwrap();
    let short = NatsQueue::connect_with_lease(&server.address(), &access, SHORT).unwrap();
    everything(&queue, &short);
}

/// A waiting worker is notified of new jobs.
#[test]
fn who_waits_hears_of_new_jobs() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let [queue, other] =
        [(); 2].map(|()| NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap());
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
        assert_eq!(sum(&queue, "heard", &jobs(3)), (6, 3));
        cancel.cancel();
    });
}

/// A queue's lease time is its first worker's: others extend their leases in time for it.
#[test]
fn a_lease_is_extended_in_time_for_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let access = NatsAccess::default();
    let short = NatsQueue::connect_with_lease(&server.address(), &access, SHORT).unwrap();
    let long = NatsQueue::connect(&server.address(), &access).unwrap();
    assert!(
        short
            .lease(&worker("first"), Duration::ZERO)
            .unwrap()
            .is_none()
    );
    long.submit("slow", b"", &jobs(1)).unwrap();
    let tally = WorkerTally::default();
    let worked = work(&long, &worker("w"), Duration::ZERO, &tally, &(), |job| {
        for _ in 0..5 {
            thread::sleep(SHORT);
            let other = short.lease(&worker("other"), Duration::ZERO).unwrap();
            assert!(other.is_none(), "the job belongs to a worker");
        }
        double(job)
    });
    assert_eq!(worked.unwrap().completed, 1);
}

fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port().to_string()
}

/// A queue that is dropped, or cannot be used, leaves no connection behind.
#[test]
fn connections_end_with_the_queue() {
    let directory = tempfile::tempdir().unwrap();
    let port = free_port();
    let config = directory.path().join("nats.conf");
    let accounts = "accounts { fleet { jetstream: enabled, users: [{ user: fleet, password: x }] },
                    other { users: [{ user: other, password: x }] } }";
    fs::write(&config, accounts).unwrap();
    let options = ["--config", config.to_str().unwrap(), "-m", &port];
    let server = NatsServer::start(directory.path(), &options);
    let connect = |user: &str| {
        let address = server.address().replace("//", &format!("//{user}:x@"));
        NatsQueue::connect(&address, &NatsAccess::default())
    };
    let connections = || server.figure(&port, "varz", "connections");
    let queue = connect("fleet").unwrap();
    queue.submit("open", b"", &jobs(1)).unwrap();
    assert_eq!(connections(), 1);
    for _ in 0..10 {
        let other = connect("fleet").unwrap();
        assert_eq!(other.batches().unwrap(), ["open"]);
        connect("other").unwrap_err();
    }
    drop(queue);
    for _ in 0..100 {
        if connections() == 0 {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{} connections are left", connections());
}

/// Workers' messages about a batch cancelled meanwhile do not stay on the server.
#[test]
fn nothing_is_left_of_a_cancelled_batch() {
    let directory = tempfile::tempdir().unwrap();
    let port = free_port();
    let server = NatsServer::start(directory.path(), &["-m", &port]);
    let messages = || server.figure(&port, "jsz", "messages");
    let queue = NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap();
    let jobs = jobs(4);
    queue.submit("gone", b"", &jobs).unwrap();
    let [a, b, c, d] = [(); 4].map(|()| lease(&queue, &worker("w")));
    queue.complete(&a, b"in time").unwrap();
    assert!(messages() > 0);
    queue.cancel("gone").unwrap();
    queue.complete(&b, b"late").unwrap();
    queue.fail(&c, "late").unwrap();
    queue.release(&d).unwrap();
    assert_eq!(messages(), 0);
}

/// A server that freezes while results or files are read.
#[test]
fn who_reads_does_not_wait_for_ever() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let queue = NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap();
    // More than one page.
    let jobs = jobs(1200);
    queue.submit("many", b"", &jobs).unwrap();
    let tally = WorkerTally::default();
    work(&queue, &worker("w"), Duration::ZERO, &tally, &(), double).unwrap();
    queue.put("file", &vec![7; 1 << 20]).unwrap();
    let (told, heard) = mpsc::channel();
    thread::scope(|scope| {
        let (server, queue) = (&server, &queue);
        scope.spawn(move || {
            let stop = Once::new();
            let read = queue.results("many", &mut 0, &mut |_, _| {
                stop.call_once(|| server.pause());
                Ok(())
            });
            told.send(read.unwrap_err()).unwrap();
            told.send(queue.get("file", 1 << 20).unwrap_err()).unwrap();
        });
        let errors = [(); 2].map(|()| heard.recv_timeout(Duration::from_secs(60)));
        server.resume();
        for error in errors {
            let error = error.expect("an error before long");
            assert!(error.may_pass(), "{error:?}");
        }
    });
}

#[test]
fn a_server_that_is_full_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("nats.conf");
    let text = "jetstream { max_file: 2097152 }";
    fs::write(&config, text).unwrap();
    let server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let queue = NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap();
    let large = |n: u8| Job::new("large", vec![n; 400 << 10]).unwrap();
    let many: Vec<Job> = (0..20).map(large).collect();
    let error = queue.submit("large", b"", &many).unwrap_err();
    assert!(matches!(error, QueueError::Full { .. }), "{error:?}");
    assert!(error.to_string().contains("free disk space"));
}

/// A worker whose answer finds no room keeps it, and delivers it once there is room.
#[test]
fn an_answer_waits_for_room() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("nats.conf");
    fs::write(&config, "jetstream { max_file: 2097152 }").unwrap();
    let mut server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let queue = NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap();
    let jobs = jobs(1);
    queue.submit("kept", b"", &jobs).unwrap();
    let ear = Ear::default();
    let mut attempts = 0;
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            work(
                &queue,
                &worker("w"),
                SHORT,
                &WorkerTally::default(),
                &ear,
                |_| {
                    attempts += 1;
                    // Others meanwhile fill the disk, until there is less room than the answer needs.
                    let large = |n: u8| Job::new("large", vec![n; 400 << 10]).unwrap();
                    let many: Vec<Job> = (0..20).map(large).collect();
                    queue.submit("large", b"", &many).unwrap_err();
                    Ok(vec![7; 500 << 10])
                },
            )
        });
        let is_told = || {
            ear.heard
                .lock()
                .unwrap()
                .join(" ")
                .contains("has no room left")
        };
        while !is_told() && !worker.is_finished() {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(queue.progress("kept").unwrap().done, 0);
        queue.cancel("large").unwrap();
        // A 2.9 server counts the free space when it starts.
        server.restart();
        assert_eq!(worker.join().unwrap().unwrap().completed, 1);
    });
    assert_eq!(attempts, 1);
    let mut answers = Vec::new();
    gather(&queue, "kept", &ids(&jobs), &(), |_, answer| {
        answers.push(answer.to_vec());
        Ok(())
    })
    .unwrap();
    assert_eq!(answers, [vec![7; 500 << 10]]);
}

/// A disk that is full although the server believes that it has room. The server stops answering, and later clients are
/// told the same.
#[test]
fn a_server_whose_disk_is_full_is_told_from_one_that_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let Some(_disk) = Disk::mount(&directory.path().join("store")) else {
        return errare_testing::skip("only root can mount a small disk");
    };
    let config = directory.path().join("nats.conf");
    fs::write(&config, "jetstream { max_file: 1073741824 }").unwrap();
    let mut server = NatsServer::start(directory.path(), &["--config", config.to_str().unwrap()]);
    let connect = || NatsQueue::connect(&server.address(), &NatsAccess::default());
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
    /// None if that is not allowed, or not supported.
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
        // The server may still hold it: it disappears with the server.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// The server is killed and restarted between submission and collection, and while a worker waits: nothing is
/// lost, and nobody gives up.
#[test]
fn a_server_may_be_restarted() {
    let directory = tempfile::tempdir().unwrap();
    let mut server = NatsServer::start(directory.path(), &[]);
    let queue = NatsQueue::connect(&server.address(), &NatsAccess::default()).unwrap();
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
    assert_eq!(sum(&queue, "restarted", &jobs(40)), (40 * 39, 40));
}
