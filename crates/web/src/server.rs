//! The server: connections, their limits, and an orderly shutdown.

use std::{io, sync::Arc, time::Duration};

use errare_core::Watch;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{net::TcpListener, sync::Semaphore, time};

use crate::{patience::Patient, router, state::App};

/// Maximum number of connections; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 4096;
/// The number of open files besides connections: tables, pipes, the history.
const OTHER_FILES: usize = 1024;
/// A client that sends no request, or does not read, for this long is disconnected.
const PATIENCE: Duration = Duration::from_secs(15);
/// Grace period for open requests when the server shuts down.
const GRACE: Duration = Duration::from_secs(10);
/// How often to poll the watch.
const GLANCE: Duration = Duration::from_millis(100);

/// Serves until the watch stops it; then stops jobs and lets open requests finish.
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
                // Out of file descriptors, for example: existing connections may end meanwhile.
                tracing::warn!(%error, "cannot accept a connection");
                time::sleep(GLANCE).await;
                continue;
            }
        };
        // Send small responses at once.
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

/// The maximum number of connections. Most systems let a process open a thousand files, and more on request.
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
    // If few files are allowed, half of them.
    let left = files.saturating_sub(OTHER_FILES).max(files / 2);
    left.clamp(1, MOST_CONNECTIONS)
}

#[cfg(not(unix))]
fn connections() -> usize {
    MOST_CONNECTIONS
}
