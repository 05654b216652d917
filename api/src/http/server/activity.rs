//! Tracks what a connection does and when it times out. A connection is closed if the client sends
//! no request, sends it too slowly, leaves the connection idle, or does not read its response.

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

/// How long an idle connection may stay open after shutdown has begun.
const FINAL_WRITE_GRACE: Duration = Duration::from_millis(500);

/// Client timeouts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// For the head of a request, from its first byte; for the first request, from the start of the
    /// connection.
    pub(crate) head: Duration,
    /// Between two requests.
    pub(crate) idle: Duration,
    /// Without reading any part of a response.
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
    answering: u32,
    is_http2: bool,
    /// What the connection waits for when there is no request.
    waiting: Waiting,
    /// The start of that wait.
    since: Instant,
    /// When the client last read a part of a response. What it sends in the meantime does not
    /// count.
    moved: Instant,
    /// When shutdown began.
    stopping: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The rest of a head, or the first head.
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
            answering: 0,
            is_http2: false,
            waiting: Waiting::Head,
            since: now,
            moved: now,
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

    /// Begins shutdown: idle connections end soon.
    pub(crate) fn stop(&self) {
        self.state().stopping = Some(Instant::now());
        self.changed.notify_one();
    }

    /// Counts a request until the returned guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>, version: Version) -> InFlight {
        let mut state = self.state();
        state.is_http2 |= version == Version::HTTP_2;
        state.handling += 1;
        drop(state);
        self.changed.notify_one();
        InFlight { activity: self.clone(), is_answering: false }
    }

    fn read(&self) {
        let mut state = self.state();
        // HTTP/2 frames that belong to no request don't start one.
        let begins = state.is_quiet() && state.waiting == Waiting::Next && !state.is_http2;
        if begins {
            (state.waiting, state.since) = (Waiting::Head, Instant::now());
        }
        drop(state);
        if begins {
            self.changed.notify_one();
        }
    }

    fn wrote(&self) {
        let mut state = self.state();
        // HTTP/2 also writes pings, so that only response frames count there.
        if !state.is_http2 {
            state.moved = Instant::now();
        }
    }
}

impl State {
    const fn is_quiet(&self) -> bool {
        self.handling == 0 && self.answering == 0
    }

    fn deadline(&self, timeouts: &Timeouts) -> Option<(Instant, Expired)> {
        if self.answering > 0 {
            return Some((self.moved + timeouts.stalled, Expired::Stalled));
        }
        if self.handling > 0 {
            return None;
        }
        let (at, expired) = match self.waiting {
            Waiting::Head => (self.since + timeouts.head, Expired::Head),
            // The last response may still be in transit.
            Waiting::Next => (self.since.max(self.moved) + timeouts.idle, Expired::Idle),
        };
        match self.stopping.map(|since| since + FINAL_WRITE_GRACE) {
            Some(last) if last < at => Some((last, expired)),
            _ => Some((at, expired)),
        }
    }
}

/// Counts a request until its response is sent or its client has left.
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    is_answering: bool,
}

impl InFlight {
    /// Replaces the running handler by its response.
    pub(crate) fn answer(mut self, body: Body) -> TrackedBody {
        let mut state = self.activity.state();
        state.handling -= 1;
        state.answering += 1;
        state.moved = Instant::now();
        drop(state);
        self.is_answering = true;
        self.activity.changed.notify_one();
        TrackedBody { body, in_flight: self }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        if self.is_answering {
            state.answering -= 1;
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

/// A response body that reports each frame the client reads.
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
            self.in_flight.activity.state().moved = Instant::now();
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

/// The stream of a connection, which reports reads and writes to its activity.
pub(crate) struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl WatchedStream {
    /// Reports what moves over `stream` to `activity`.
    pub(crate) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self { stream, activity }
    }

    fn written(&self, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(poll, Poll::Ready(Ok(1..))) {
            self.activity.wrote();
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
            self.activity.read();
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
        self.written(poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(poll)
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
