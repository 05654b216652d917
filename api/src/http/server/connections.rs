//! Accepts connections within a total limit and a limit per address. Serves each connection until
//! it ends or times out.

use super::{
    open_files,
    timeouts::{Activity, Expired, Timeouts, WatchedStream},
};
use crate::{
    app::metrics::Metrics,
    base::{config::ServeConfig, log_throttle::LogThrottle, trusted_proxies::ProxyNetworks},
    http::extract::client_address,
};
use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use std::{
    collections::HashMap,
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service;

/// How long to wait after a failure to accept a connection, for example because no file descriptor
/// is free.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(500);
/// The minimum interval between log lines about the same problem.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
/// How long an idle connection may take to close gracefully.
const CLOSE_GRACE: Duration = Duration::from_secs(1);
/// The interval of HTTP/2 pings while a request is in flight.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// The timeout of a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// All connections of a server.
pub(crate) struct Connections {
    router: Router,
    builder: Arc<Builder<TokioExecutor>>,
    timeouts: Timeouts,
    /// One permit for each connection that may still be opened.
    slots: Arc<Semaphore>,
    /// Limits the connections of each address.
    per_address: AddressLimiter,
    /// The connections of these proxies are not limited by address.
    proxies: ProxyNetworks,
    metrics: Option<Arc<Metrics>>,
    open: TaskTracker,
    /// Stops accepting and closes idle connections.
    stop: CancellationToken,
    /// Closes all connections.
    abort: CancellationToken,
}

impl Connections {
    /// Creates a server of this router. It has no connections yet. Cancelling `stop` shuts it down.
    pub(crate) fn new(router: Router, config: &ServeConfig, stop: &CancellationToken) -> Self {
        let settings = &config.connections;
        let mut builder = Builder::new(TokioExecutor::new());
        // Hyper's header timeout also runs while a connection is idle. `Activity` has separate
        // timeouts for a slow header and for an idle connection.
        builder.http1().timer(TokioTimer::new()).header_read_timeout(None);
        builder
            .http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT);
        let seconds = |seconds: u32| Duration::from_secs(u64::from(seconds));
        Self {
            router,
            builder: Arc::new(builder),
            timeouts: Timeouts {
                head: seconds(settings.request_head_seconds),
                idle: seconds(settings.idle_seconds),
                stalled: seconds(settings.stalled_seconds),
            },
            slots: Arc::new(Semaphore::new(connection_limit(settings.max_connections))),
            per_address: AddressLimiter::new(settings.max_connections_per_address),
            proxies: config.proxies.trusted_proxies.clone(),
            metrics: None,
            open: TaskTracker::new(),
            stop: stop.clone(),
            abort: CancellationToken::new(),
        }
    }

    /// Counts the connections in these metrics.
    pub(crate) fn counted_in(self, metrics: Arc<Metrics>) -> Self {
        Self { metrics: Some(metrics), ..self }
    }

    /// Accepts connections until `stop` is cancelled.
    pub(crate) async fn accept_from(&self, listener: TcpListener) {
        let [full_log, failure_log, per_address_log] = [const { LogThrottle::new(LOG_INTERVAL) }; 3];
        let accepting = async {
            loop {
                if self.slots.available_permits() == 0 && full_log.is_due() {
                    tracing::warn!("MAX_CONNECTIONS is reached; further clients wait");
                }
                let Ok(slot) = self.slots.clone().acquire_owned().await else { return };
                let (stream, peer) = match listener.accept().await {
                    Ok(accepted) => accepted,
                    Err(error) if is_client_failure(&error) => continue,
                    Err(error) => {
                        if failure_log.is_due() {
                            tracing::error!(%error, "accepting a connection failed");
                        }
                        tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                        continue;
                    }
                };
                if self.proxies.contains(peer.ip()) {
                    self.open(stream, peer, (slot, None));
                } else if let Some(address_slot) = self.per_address.take_slot(peer.ip()) {
                    self.open(stream, peer, (slot, Some(address_slot)));
                } else {
                    if let Some(metrics) = &self.metrics {
                        metrics.http.refuse_connection();
                    }
                    if per_address_log.is_due() {
                        tracing::warn!(
                            "MAX_CONNECTIONS_PER_ADDRESS is reached; further connections are closed"
                        );
                    }
                }
            }
        };
        tokio::select! {
            () = accepting => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// Waits until all connections have ended, but at most for `grace`. Then aborts those that are
    /// still open. Returns false if any was aborted.
    pub(crate) async fn finish(self, grace: Duration) -> bool {
        self.open.close();
        if timeout(grace, self.open.wait()).await.is_ok() {
            return true;
        }
        self.abort.cancel();
        self.open.wait().await;
        false
    }

    fn open(&self, stream: TcpStream, peer: SocketAddr, slot: (OwnedSemaphorePermit, Option<AddressSlot>)) {
        let (router, builder) = (self.router.clone(), self.builder.clone());
        let activity = Activity::new(self.timeouts);
        let (stop, abort) = (self.stop.clone(), self.abort.clone());
        let counted = self.metrics.as_ref().map(|metrics| metrics.http.open_connection());
        self.open.spawn(async move {
            let _until_closed = (slot, counted);
            tokio::select! {
                () = serve(stream, peer, router, &builder, activity, stop) => {}
                () = abort.cancelled() => {}
            }
        });
    }
}

/// Serves one connection to its end.
async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    builder: &Builder<TokioExecutor>,
    activity: Arc<Activity>,
    stop: CancellationToken,
) {
    let requests = activity.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let in_flight = requests.begin_request(request.version());
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = router.clone().call(request);
        async move {
            let response = response.await?;
            Ok::<_, Infallible>(response.map(|body| in_flight.respond(body)))
        }
    });
    let stream = WatchedStream::new(stream, activity.clone());
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut is_stopping = false;
    loop {
        tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    tracing::trace!(error, "a connection failed");
                }
                return;
            }
            expired = activity.expired() => {
                tracing::debug!(?expired, "closed a connection after a timeout");
                if expired == Expired::Idle {
                    connection.as_mut().graceful_shutdown();
                    let _ = timeout(CLOSE_GRACE, connection.as_mut()).await;
                }
                return;
            }
            () = stop.cancelled(), if !is_stopping => {
                is_stopping = true;
                activity.stop();
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// Returns the connection limit: the setting, reduced to fit the limit of open files.
fn connection_limit(wanted: u32) -> usize {
    let available = open_files::connection_capacity().unwrap_or(u64::MAX);
    if available < u64::from(wanted) {
        tracing::warn!(connections = available, "MAX_CONNECTIONS was reduced to fit the limit of open files");
    }
    usize::try_from(available.min(u64::from(wanted))).unwrap_or(Semaphore::MAX_PERMITS)
}

/// Whether a client closed its connection before the server accepted it.
fn is_client_failure(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Counts and limits the open connections of each address. The addresses of an IPv6 /64 network
/// count as one.
#[derive(Clone)]
struct AddressLimiter {
    max: u32,
    open: Arc<Mutex<HashMap<IpAddr, u32>>>,
}

/// Counts one connection of an address until this slot is dropped.
struct AddressSlot {
    address: IpAddr,
    counts: AddressLimiter,
}

impl AddressLimiter {
    fn new(max: u32) -> Self {
        Self { max, open: Arc::default() }
    }

    /// Counts one more connection of an address. `None` if the address is at its limit.
    fn take_slot(&self, address: IpAddr) -> Option<AddressSlot> {
        let address = client_address::network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        drop(open);
        Some(AddressSlot { address, counts: self.clone() })
    }
}

impl Drop for AddressSlot {
    fn drop(&mut self) {
        let mut open = self.counts.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_count_against_their_network_until_they_end() {
        let counts = AddressLimiter::new(2);
        let one = "2001:db8::1".parse().unwrap();
        let other: IpAddr = "192.0.2.7".parse().unwrap();
        let first = counts.take_slot(one).unwrap();
        let _second = counts.take_slot("2001:db8::2".parse().unwrap()).unwrap();
        assert!(counts.take_slot(one).is_none(), "the network is at its limit");
        assert!(counts.take_slot(other).is_some());
        drop(first);
        assert!(counts.take_slot(one).is_some());
        assert_eq!(counts.open.lock().unwrap().len(), 1);
    }
}
