//! The server: connections, their limits, and an orderly end.

use std::{io, sync::Arc, time::Duration};

use errare_core::Watch;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore, time};

use crate::{patience::Patient, router, state::App};

/// More connections wait in the system's queue.
const MOST_CONNECTIONS: usize = 4096;
/// Files that are open besides connections: tables, pipes, the history.
const OTHER_FILES: usize = 1024;
/// A client that has not said what it wants by then, or does not read for so long, is cut off.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long requests may take to end once the server is to stop.
const GRACE: Duration = Duration::from_secs(10);
/// How often the watch is asked whether to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// Serves until the watch says stop; then jobs are stopped and open requests may end.
pub async fn serve(app: Arc<App>, listener: TcpListener, watch: &dyn Watch) -> io::Result<()> {
    let service = TowerToHyperService::new(router(app.clone()));
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(connections()));
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE);
    loop {
        let place = tokio::select! {
            place = places.clone().acquire_owned() => place,
            () = stopped(watch) => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(watch) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, say: those who are connected may end meanwhile.
                tracing::warn!(%error, "cannot accept a connection");
                time::sleep(GLANCE).await;
                continue;
            }
        };
        // Small answers are not to wait for more.
        let _ = stream.set_nodelay(true);
        let connection = builder.serve_connection(
            TokioIo::new(Patient::new(stream, PATIENCE)),
            service.clone(),
        );
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _place = place;
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        });
    }
    drop(listener);
    app.stop();
    let _ = time::timeout(GRACE, graceful.shutdown()).await;
    Ok(())
}

async fn stopped(watch: &dyn Watch) {
    while !watch.is_stopped() {
        time::sleep(GLANCE).await;
    }
}

/// How many connections there may be. Most systems let a process open a thousand files, and more if it asks.
#[cfg(unix)]
fn connections() -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let wanted = (MOST_CONNECTIONS + OTHER_FILES) as u64;
    let Ok((mut files, most)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return MOST_CONNECTIONS;
    };
    if files < wanted && setrlimit(Resource::RLIMIT_NOFILE, wanted.min(most), most).is_ok() {
        files = wanted.min(most);
    }
    let files = usize::try_from(files).unwrap_or(usize::MAX);
    // With few files, half of them.
    let left = files.saturating_sub(OTHER_FILES).max(files / 2);
    left.clamp(1, MOST_CONNECTIONS)
}

#[cfg(not(unix))]
fn connections() -> usize {
    MOST_CONNECTIONS
}
