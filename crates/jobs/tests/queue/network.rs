//! A worker that loses the network for a while.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

use errare_core::Cancel;
use errare_jobs::{NatsAccess, NatsQueue, Queue, WorkerTally, work};
use errare_testing::NatsServer;

use super::{SHORT, double, jobs, lease, sum, worker};

/// A connection to a server that can be cut.
struct Cable {
    address: String,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Cable {
    /// A connection to this address, `nats://host:port`.
    fn to(server: &str) -> io::Result<Cable> {
        let server = server.trim_start_matches("nats://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let cable = Cable {
            address: format!("nats://{}", listener.local_addr()?),
            is_cut: Arc::default(),
            open: Arc::default(),
        };
        let (is_cut, open) = (Arc::clone(&cable.is_cut), Arc::clone(&cable.open));
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                // While it is cut, new connections are closed.
                if !is_cut.load(SeqCst)
                    && let Ok(ends) = connect(near, &server)
                {
                    open.extend(ends);
                }
            }
        });
        Ok(cable)
    }

    fn cut(&self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_cut.store(true, SeqCst);
        for end in open.drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    fn mend(&self) {
        self.is_cut.store(false, SeqCst);
    }
}

/// Forwards bytes from either end to the other.
fn connect(near: TcpStream, server: &str) -> io::Result<[TcpStream; 2]> {
    let far = TcpStream::connect(server)?;
    for (from, to) in [(&near, &far), (&far, &near)] {
        let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
        thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                if to.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Both);
        });
    }
    Ok([near, far])
}

/// Its job goes to another when the lease expires. Once back, it delivers its late answer and goes on.
#[test]
fn a_worker_may_lose_the_network() {
    let directory = tempfile::tempdir().unwrap();
    let server = NatsServer::start(directory.path(), &[]);
    let cable = Cable::to(&server.address()).unwrap();
    let access = NatsAccess::default();
    let connect = |address: &str| NatsQueue::connect_with_lease(address, &access, SHORT).unwrap();
    let (queue, remote) = (connect(&server.address()), connect(&cable.address));
    let jobs = jobs(2);
    queue.submit("cut", b"", &jobs[..1]).unwrap();
    let (stop, tally) = (Cancel::default(), WorkerTally::default());
    let (lost, hear_lost) = mpsc::channel();
    let (answered, hear_answered) = mpsc::channel();
    thread::scope(|scope| {
        let (cable, remote, stop, tally) = (&cable, &remote, &stop, &tally);
        scope.spawn(move || {
            let mut is_first = true;
            work(
                remote,
                &worker("remote"),
                Duration::MAX,
                tally,
                stop,
                |job| {
                    if std::mem::take(&mut is_first) {
                        cable.cut();
                        lost.send(()).unwrap();
                        hear_answered.recv_timeout(Duration::from_secs(60)).unwrap();
                    }
                    double(job)
                },
            )
        });
        hear_lost.recv().unwrap();
        let second = lease(&queue, &worker("other"));
        assert_eq!((second.job.id(), second.tries()), (jobs[0].id(), 2));
        queue.complete(&second, &double(&jobs[0]).unwrap()).unwrap();
        answered.send(()).unwrap();
        thread::sleep(SHORT);
        assert_eq!(tally.so_far().completed, 0, "it cannot deliver its answer");
        cable.mend();
        queue.submit("cut", b"", &jobs).unwrap();
        assert_eq!(sum(&queue, "cut", &jobs), (2, 2));
        stop.cancel();
    });
    assert_eq!(tally.so_far().completed, 2);
    assert_eq!(tally.so_far().failed, 0);
    assert!(queue.dead("cut").unwrap().is_empty());
}
