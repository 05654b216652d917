//! Tracks what a connection does and when it times out. A connection is closed if the client sends
//! no request, sends a request's head too slowly, leaves the connection idle, or does not read its
//! response.

use axum::{
    body::{Body, Bytes},
    http::Version,
};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::Notify,
    time::Instant,
};

/// How long a connection without a running request may stay open after shutdown has begun.
const SHUTDOWN_GRACE: Duration = Duration::from_millis(500);

/// Client timeouts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// The timeout for the head of a request. It runs from the first byte, or from the start of
    /// the connection for the first request.
    pub(crate) head: Duration,
    /// The timeout between two requests.
    pub(crate) idle: Duration,
    /// The timeout for a client that reads nothing of its response.
    pub(crate) stalled: Duration,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expired {
    /// The head of a request did not arrive in time.
    Head,
    /// No further request arrived.
    Idle,
    /// The client does not read its response.
    Stalled,
}

/// The activity of one connection.
pub(crate) struct Activity {
    timeouts: Timeouts,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Requests in a handler.
    handling: u32,
    /// Responses being sent.
    responding: u32,
    is_http2: bool,
    /// What the connection waits for while no request is in progress.
    waiting: Waiting,
    /// When the connection began to wait for `waiting`.
    since: Instant,
    /// When the server last sent a part of a response. Data from the client does not count.
    last_progress: Instant,
    /// When shutdown began.
    stopping: Option<Instant>,
}

/// What a connection waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The rest of a request's head, or the first request of the connection.
    Head,
    /// The next request.
    Next,
}

impl Activity {
    /// Starts tracking a new connection.
    pub(crate) fn new(timeouts: Timeouts) -> Arc<Self> {
        let now = Instant::now();
        let state = State {
            handling: 0,
            responding: 0,
            is_http2: false,
            waiting: Waiting::Head,
            since: now,
            last_progress: now,
            stopping: None,
        };
        Arc::new(Self { timeouts, state: Mutex::new(state), changed: Notify::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a timeout expires.
    pub(crate) async fn expired(&self) -> Expired {
        loop {
            let changed = self.changed.notified();
            let deadline = self.state().deadline(&self.timeouts);
            match deadline {
                None => changed.await,
                Some((at, expired)) => {
                    if at <= Instant::now() {
                        return expired;
                    }
                    tokio::select! {
                        () = tokio::time::sleep_until(at) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    /// Begins shutdown. A connection without a running request then expires within
    /// [`SHUTDOWN_GRACE`].
    pub(crate) fn stop(&self) {
        self.state().stopping = Some(Instant::now());
        self.changed.notify_one();
    }

    /// Counts a request until the returned guard is dropped.
    pub(crate) fn begin_request(self: &Arc<Self>, version: Version) -> InFlight {
        let mut state = self.state();
        state.is_http2 |= version == Version::HTTP_2;
        state.handling += 1;
        drop(state);
        self.changed.notify_one();
        InFlight { activity: self.clone(), is_responding: false }
    }

    fn record_read(&self) {
        let mut state = self.state();
        // On HTTP/2, the bytes may belong to a frame without a request, such as a ping.
        // `begin_request` records HTTP/2 requests.
        let begins = state.is_quiet() && state.waiting == Waiting::Next && !state.is_http2;
        if begins {
            (state.waiting, state.since) = (Waiting::Head, Instant::now());
        }
        drop(state);
        if begins {
            self.changed.notify_one();
        }
    }

    fn record_write(&self) {
        let mut state = self.state();
        // On HTTP/2, the bytes may belong to a ping. `TrackedBody` records the progress of HTTP/2
        // responses.
        if !state.is_http2 {
            state.last_progress = Instant::now();
        }
    }
}

impl State {
    const fn is_quiet(&self) -> bool {
        self.handling == 0 && self.responding == 0
    }

    fn deadline(&self, timeouts: &Timeouts) -> Option<(Instant, Expired)> {
        if self.responding > 0 {
            return Some((self.last_progress + timeouts.stalled, Expired::Stalled));
        }
        if self.handling > 0 {
            return None;
        }
        let (at, expired) = match self.waiting {
            Waiting::Head => (self.since + timeouts.head, Expired::Head),
            // The server may still be sending the last response.
            Waiting::Next => (self.since.max(self.last_progress) + timeouts.idle, Expired::Idle),
        };
        match self.stopping.map(|since| since + SHUTDOWN_GRACE) {
            Some(last) if last < at => Some((last, expired)),
            _ => Some((at, expired)),
        }
    }
}

/// Counts a request until its response is sent or its client has disconnected.
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    is_responding: bool,
}

impl InFlight {
    /// Marks the handler as finished and tracks its response.
    pub(crate) fn respond(mut self, body: Body) -> TrackedBody {
        let mut state = self.activity.state();
        state.handling -= 1;
        state.responding += 1;
        state.last_progress = Instant::now();
        drop(state);
        self.is_responding = true;
        self.activity.changed.notify_one();
        TrackedBody { body, in_flight: self }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        if self.is_responding {
            state.responding -= 1;
        } else {
            state.handling -= 1;
        }
        if state.is_quiet() {
            (state.waiting, state.since) = (Waiting::Next, Instant::now());
        }
        drop(state);
        self.activity.changed.notify_one();
    }
}

/// A response body that records progress whenever the server takes the next frame to send.
pub(crate) struct TrackedBody {
    body: Body,
    in_flight: InFlight,
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if frame.is_ready() {
            self.in_flight.activity.state().last_progress = Instant::now();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The stream of a connection. It reports reads and writes to the connection's [`Activity`].
pub(crate) struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl WatchedStream {
    /// Reports reads and writes of `stream` to `activity`.
    pub(crate) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }

    fn report_write(&self, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(poll, Poll::Ready(Ok(1..))) {
            self.activity.record_write();
        }
        poll
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let poll = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.activity.record_read();
        }
        poll
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.report_write(poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.report_write(poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
