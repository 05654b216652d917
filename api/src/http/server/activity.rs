//! What a connection is doing, and when it has been silent for too long. A client that sends no request, sends it too slowly,
//! keeps an unused connection, or takes nothing of its answer loses the connection.

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

/// How long a connection may stay open after the server was told to stop, while it carries no request.
const LAST_MOMENT: Duration = Duration::from_millis(500);

/// How long clients may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// For the head of a request, from its first byte; for the first one, from the connection's begin.
    pub(crate) head: Duration,
    /// Between two requests.
    pub(crate) idle: Duration,
    /// Without taking any part of an answer.
    pub(crate) stalled: Duration,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expired {
    /// No whole head of a request came in time.
    Head,
    /// No further request came.
    Idle,
    /// The client takes nothing of its answer.
    Stalled,
}

/// What a connection is doing.
pub(crate) struct Activity {
    timeouts: Timeouts,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Requests that a handler works on.
    handling: u32,
    /// Answers that are on their way to the client.
    answering: u32,
    is_http2: bool,
    /// What is waited for while there is no request.
    waiting: Waiting,
    /// Since when.
    since: Instant,
    /// When the client took some part of an answer last. What it sends meanwhile does not count.
    moved: Instant,
    /// When the server was told to stop.
    stopping: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    /// The rest of a head, or the first one.
    Head,
    /// Another request.
    Next,
}

impl Activity {
    /// Of a connection that begins now.
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

    /// Waits until the client has been silent for too long.
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

    /// The server stops: connections without a request end soon.
    pub(crate) fn stop(&self) {
        self.state().stopping = Some(Instant::now());
        self.changed.notify_one();
    }

    /// A request has come; the guard counts it until it is dropped.
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
        // Frames of HTTP/2 that belong to no request say nothing of one that begins.
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
        // In HTTP/2 a ping is written too: there, only frames of answers count.
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
            // What was answered last may still be on its way.
            Waiting::Next => (self.since.max(self.moved) + timeouts.idle, Expired::Idle),
        };
        match self.stopping.map(|since| since + LAST_MOMENT) {
            Some(last) if last < at => Some((last, expired)),
            _ => Some((at, expired)),
        }
    }
}

/// Counts a request until its answer has left or its client is gone.
pub(crate) struct InFlight {
    activity: Arc<Activity>,
    is_answering: bool,
}

impl InFlight {
    /// The handler is done, and its answer sets out.
    pub(crate) fn answer(mut self, body: Body) -> AnswerBody {
        let mut state = self.activity.state();
        state.handling -= 1;
        state.answering += 1;
        state.moved = Instant::now();
        drop(state);
        self.is_answering = true;
        self.activity.changed.notify_one();
        AnswerBody { body, in_flight: self }
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

/// The body of an answer, whose frames tell that the client takes it.
pub(crate) struct AnswerBody {
    body: Body,
    in_flight: InFlight,
}

impl HttpBody for AnswerBody {
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

/// The stream of a connection, which tells its activity what moves.
pub(crate) struct WatchedStream {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl WatchedStream {
    /// Tells `activity` what moves over `stream`.
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
