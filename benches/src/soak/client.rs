//! A client of the portal, as the web app is one: a lost response leaves the outcome open, and the
//! client repeats the request if that is safe.

use super::{
    inbox::Inbox,
    ledger::{Ledger, Micros, WriteKind, WriteOutcome, now},
    sms::ReceivedMessages,
};
use anyhow::{Context, Result};
use rand::{Rng, rngs::StdRng};
use reqwest::{
    Method,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
    multipart::{Form, Part},
    redirect::Policy,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::time;
use uuid::Uuid;

/// The timeout of a request. A stopped server does not respond for some seconds.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a client repeats a request.
const RETRY_LIMIT: Duration = Duration::from_secs(60);
/// The first pause between two attempts. It doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// The share of users who do not repeat a request without a response.
const GIVE_UP_SHARE: f64 = 0.15;

/// One attempt of a client to send a request to a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exchange {
    /// The number of the server.
    pub(super) server: usize,
    /// When the request was sent.
    pub(super) sent_at: Micros,
    /// When the response was complete, or the client gave up.
    pub(super) ended_at: Micros,
    /// Why there was no response. `None`: there was one.
    pub(super) loss: Option<Loss>,
}

/// Why a request got no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Loss {
    /// No server accepted the connection.
    Refused,
    /// The connection ended before the response was complete.
    Broken,
    /// There was no response in time.
    TimedOut,
    /// The server answered with status 500.
    InternalError,
    /// The server answered with another status of 500 and above, such as 503.
    Unavailable,
}

/// What all clients of a run share.
pub(super) struct World {
    /// The servers, which take turns. A load balancer would do this.
    servers: Vec<SocketAddr>,
    turn: AtomicUsize,
    pub(super) ledger: Ledger,
    pub(super) inbox: Inbox,
    /// The SMS that the users of a run have received so far.
    pub(super) sms: ReceivedMessages,
    pub(super) http: reqwest::Client,
    /// Set when the traffic ends.
    pub(super) stop: AtomicBool,
    /// The last refresh token of each session that users have begun.
    pub(super) sessions: Mutex<BTreeMap<String, String>>,
    pub(super) reads: AtomicU64,
    /// What the clients sent, without the attempts on servers that refused the connection.
    pub(super) exchanges: Mutex<Vec<Exchange>>,
}

impl World {
    pub(super) fn new(
        servers: Vec<SocketAddr>,
        ledger: Ledger,
        inbox: Inbox,
        sms: ReceivedMessages,
    ) -> Result<Self> {
        let http = reqwest::Client::builder().no_proxy().redirect(Policy::none()).timeout(REQUEST_TIMEOUT);
        Ok(Self {
            servers,
            turn: AtomicUsize::new(0),
            ledger,
            inbox,
            sms,
            http: http.build()?,
            stop: AtomicBool::new(false),
            sessions: Mutex::default(),
            reads: AtomicU64::new(0),
            exchanges: Mutex::default(),
        })
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }

    /// Sends one request to a path. A server that refuses connections has not received it, so then another
    /// one is asked.
    pub(super) async fn send(&self, request: &Request, token: Option<&str>) -> Reply {
        let mut refused = (0, now());
        for server in self.in_turn() {
            let sent_at = now();
            match self.send_to(self.servers[server], request, token).await {
                Err(error) if error.is_connect() => refused = (server, sent_at),
                Err(error) => {
                    let loss = if error.is_timeout() { Loss::TimedOut } else { Loss::Broken };
                    return self.end(server, sent_at, Err(loss));
                }
                Ok((500, _)) => return self.end(server, sent_at, Err(Loss::InternalError)),
                Ok((501.., _)) => return self.end(server, sent_at, Err(Loss::Unavailable)),
                Ok((status, bytes)) => {
                    return self.end(server, sent_at, Ok(Reply::Received { status, bytes }));
                }
            }
        }
        let (server, sent_at) = refused;
        self.end(server, sent_at, Err(Loss::Refused))
    }

    /// The numbers of all servers, beginning with the one whose turn it is.
    fn in_turn(&self) -> impl Iterator<Item = usize> + use<> {
        let (first, count) = (self.turn.fetch_add(1, Ordering::Relaxed), self.servers.len());
        (0..count).map(move |nth| (first + nth) % count)
    }

    async fn send_to(
        &self,
        server: SocketAddr,
        request: &Request,
        token: Option<&str>,
    ) -> reqwest::Result<(u16, Vec<u8>)> {
        let url = format!("http://{server}{}", request.path);
        let mut sent = self.http.request(request.method.clone(), url).headers(request.headers.clone());
        if let Some(token) = token {
            sent = sent.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        sent = match &request.body {
            RequestBody::Empty => sent,
            RequestBody::Json(body) => sent.json(body),
            RequestBody::Form(body) => {
                sent.header("content-type", "application/x-www-form-urlencoded").body(body.clone())
            }
            RequestBody::File { name, bytes, fields } => {
                let form =
                    fields.iter().fold(Form::new(), |form, (name, value)| form.text(*name, value.clone()));
                sent.multipart(form.part("file", Part::bytes(bytes.clone()).file_name(name.clone())))
            }
        };
        let response = sent.send().await?;
        let status = response.status().as_u16();
        Ok((status, response.bytes().await?.to_vec()))
    }

    /// Sends a request that changes nothing, once to each server, as a load balancer does. Returns whether a
    /// server answers it.
    pub(super) async fn try_read(&self, request: &Request) -> bool {
        for server in self.in_turn() {
            if let Ok((200, _)) = self.send_to(self.servers[server], request, None).await {
                return true;
            }
        }
        false
    }

    /// Records how a request ended.
    fn end(&self, server: usize, sent_at: Micros, result: Result<Reply, Loss>) -> Reply {
        let exchange = Exchange { server, sent_at, ended_at: now(), loss: result.as_ref().err().copied() };
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
        result.unwrap_or(Reply::Lost)
    }

    /// Repeats a request that changes nothing, until there is a response.
    pub(super) async fn read(&self, request: &Request, token: Option<&str>) -> Option<Reply> {
        let began = Instant::now();
        let mut pause = FIRST_PAUSE;
        while began.elapsed() < RETRY_LIMIT {
            let reply = self.send(request, token).await;
            if !reply.is_lost() && reply.status() != 429 {
                self.reads.fetch_add(1, Ordering::Relaxed);
                return Some(reply);
            }
            time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        None
    }
}

/// The body of a request.
#[derive(Debug, Clone)]
pub(super) enum RequestBody {
    Empty,
    Json(Value),
    Form(String),
    File { name: String, bytes: Vec<u8>, fields: Vec<(&'static str, String)> },
}

/// A request. The path begins with `/`.
#[derive(Debug, Clone)]
pub(super) struct Request {
    method: Method,
    path: String,
    headers: HeaderMap,
    body: RequestBody,
}

impl Request {
    pub(super) fn new(method: Method, path: impl Into<String>, body: RequestBody) -> Self {
        Self { method, path: path.into(), headers: HeaderMap::new(), body }
    }

    pub(super) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path, RequestBody::Empty)
    }

    pub(super) fn post(path: impl Into<String>, body: Value) -> Self {
        Self::new(Method::POST, path, RequestBody::Json(body))
    }

    pub(super) fn put(path: impl Into<String>, body: Value) -> Self {
        Self::new(Method::PUT, path, RequestBody::Json(body))
    }

    pub(super) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path, RequestBody::Empty)
    }

    /// Adds an idempotency key.
    pub(super) fn with_idempotency_key(mut self, key: Uuid) -> Self {
        if let Ok(value) = HeaderValue::from_str(&key.to_string()) {
            self.headers.insert(HeaderName::from_static("idempotency-key"), value);
        }
        self
    }
}

/// The response to a request.
#[derive(Debug)]
pub(super) enum Reply {
    Received {
        status: u16,
        bytes: Vec<u8>,
    },
    /// There was no response, or only a part of it, or an error of the server.
    Lost,
}

impl Reply {
    pub(super) const fn is_lost(&self) -> bool {
        matches!(self, Self::Lost)
    }

    /// Returns the status; 0 if the response was lost.
    pub(super) const fn status(&self) -> u16 {
        match self {
            Self::Received { status, .. } => *status,
            Self::Lost => 0,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Received { bytes, .. } => bytes,
            Self::Lost => &[],
        }
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(self.bytes()).unwrap_or_default()
    }
}

/// What a client may do after a lost response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Repeat the request: the portal recognises it, or a repetition changes nothing.
    Safe,
    /// A repetition might do the same thing twice.
    Unsafe,
}

/// A write to be made.
pub(super) struct WriteRequest {
    pub(super) kind: WriteKind,
    pub(super) key: String,
    pub(super) value: Option<Value>,
    pub(super) request: Request,
    pub(super) repetition: Repetition,
}

/// The result of a write.
#[derive(Debug)]
pub(super) enum Written {
    /// The final response.
    Accepted(Value),
    Refused(u16, Value),
    Unknown,
}

impl Written {
    pub(super) const fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted(_))
    }
    pub(super) const fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// Returns the outcome for the ledger.
    pub(super) const fn outcome(&self) -> WriteOutcome {
        match self {
            Self::Accepted(_) => WriteOutcome::Accepted,
            Self::Refused(status, _) => WriteOutcome::Refused(*status),
            Self::Unknown => WriteOutcome::Unknown,
        }
    }
}

/// Makes a write and records it in the ledger.
pub(super) async fn write(
    world: &Arc<World>,
    wanted: WriteRequest,
    token: Option<&str>,
    random: &mut StdRng,
) -> Result<Written> {
    let WriteRequest { kind, key, value, request, repetition } = wanted;
    let id = world.ledger.begin(kind, &key, value.as_ref())?;
    let began = Instant::now();
    let (mut pause, mut was_lost) = (FIRST_PAUSE, false);
    let written = loop {
        let reply = world.send(&request, token).await;
        match reply.status() {
            0 => {
                was_lost = true;
                let gives_up = repetition == Repetition::Unsafe
                    || random.random_bool(GIVE_UP_SHARE)
                    || began.elapsed() > RETRY_LIMIT;
                if gives_up {
                    break Written::Unknown;
                }
            }
            // A request over the limit was not processed.
            429 if began.elapsed() < RETRY_LIMIT => {}
            200..400 => break Written::Accepted(reply.json()),
            // An earlier attempt may have succeeded and be the reason of the refusal.
            _ if was_lost => break Written::Unknown,
            status => break Written::Refused(status, reply.json()),
        }
        time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    };
    world.ledger.end(id, written.outcome())?;
    Ok(written)
}

/// Returns a field of a response.
pub(super) fn text_at(value: &Value, pointer: &str) -> Result<String> {
    let text = value.pointer(pointer).and_then(Value::as_str);
    Ok(text.with_context(|| format!("a response without {pointer}: {value}"))?.to_owned())
}
