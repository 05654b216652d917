//! [`Cluster`]: requests to the nodes of a cluster. Requests are bounded in time. A node that fails is
//! left out for a while, and the request is repeated on another node: reads change nothing, and writes
//! carry versions.

use crate::node::{Node, NodeHealth, in_turn};
use index::{IndexError, NodeCounts};
use reqwest::{Certificate, Method, StatusCode, blocking::Client};
use serde_json::Value;
use std::{
    io::Read,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The maximum time to connect to a node.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1500);
/// The maximum time of the short request that shows whether a node works again.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum length of a message of the cluster in an error, in bytes.
const MAX_REASON: usize = 400;
/// The maximum size of a response, in bytes.
const MAX_RESPONSE: u64 = 64 << 20;

/// How to reach a cluster, and the index in it.
#[derive(Clone)]
pub struct ClusterConfig {
    /// The addresses of some or all nodes, without a path. Never empty.
    pub nodes: Vec<String>,
    /// The name of the portal's index.
    pub index: String,
    /// User name and password, if the cluster asks for them.
    pub credentials: Option<(String, String)>,
    /// Certificates of authorities that are trusted besides those of the system, as PEM.
    pub certificates: Option<Vec<u8>>,
    /// The number of shards of a new index.
    pub shards: u32,
    /// The number of copies of each shard of a new index, besides the first.
    pub replicas: u32,
    /// The maximum time of a search.
    pub search_timeout: Duration,
    /// The maximum time of a write.
    pub write_timeout: Duration,
}

/// The kind of a request. It decides the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Search,
    /// A write that has the same effect when it is repeated.
    Write,
}

/// A client of a cluster.
pub(crate) struct Cluster {
    pub(crate) config: ClusterConfig,
    client: Client,
    nodes: Vec<Node>,
    next: AtomicUsize,
    /// The number of requests that no node answered in time.
    unanswered: AtomicU64,
}

/// How a request to one node failed.
enum NodeFailure {
    /// The node does not answer in time.
    NoAnswer(String),
    /// The node refuses connections, or its answers are broken.
    Broken(String),
    /// The node answers that the cluster cannot do this, or has too much to do.
    Cluster(String),
}

impl Cluster {
    pub(crate) fn new(config: ClusterConfig) -> Result<Self, IndexError> {
        let client = thread::scope(|scope| {
            // The client cannot be created on a thread of an async runtime.
            scope.spawn(|| create_client(&config)).join()
        });
        let client = client.map_err(|_| IndexError::Unavailable("the HTTP client panicked".into()))??;
        let nodes = config.nodes.iter().map(|address| Node::new(address)).collect();
        Ok(Self { client, nodes, next: AtomicUsize::new(0), unanswered: AtomicU64::new(0), config })
    }

    /// Sends a request with a JSON body. Returns `None` for 404.
    ///
    /// # Errors
    /// [`IndexError::Refused`] if the cluster answers with another client error, and
    /// [`IndexError::Unavailable`] if no node answers in time.
    pub(crate) fn send(
        &self,
        kind: RequestKind,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Option<Value>, IndexError> {
        let body = body.map(serde_json::to_vec).transpose()?;
        self.send_bytes(kind, method, path, "application/json", body.as_deref())
    }

    /// Like [`Cluster::send`], with a body of any type.
    pub(crate) fn send_bytes(
        &self,
        kind: RequestKind,
        method: &Method,
        path: &str,
        content_type: &str,
        body: Option<&[u8]>,
    ) -> Result<Option<Value>, IndexError> {
        self.send_in_turn(kind, method, (path, path), content_type, body)
    }

    /// Sends a request to one node after the other until one answers. The first node gets the first path, the
    /// others the second.
    fn send_in_turn(
        &self,
        kind: RequestKind,
        method: &Method,
        (first_path, other_path): (&str, &str),
        content_type: &str,
        body: Option<&[u8]>,
    ) -> Result<Option<Value>, IndexError> {
        let limit = match kind {
            RequestKind::Search => self.config.search_timeout,
            RequestKind::Write => self.config.write_timeout,
        };
        let until = Instant::now() + limit;
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let mut failure = "every node failed a moment ago".to_owned();
        let nodes = in_turn(&self.nodes, turn, Instant::now());
        let waits = nodes.iter().all(|node| node.health(Instant::now()) != NodeHealth::Works);
        let mut tried = false;
        for node in nodes {
            if node.health(Instant::now()) != NodeHealth::Works
                && !node.works_again(waits, || self.is_back(node))
            {
                continue;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            // The first node must leave time for another one in case it hangs.
            let share = if tried || self.nodes.len() == 1 { left } else { left.div_f32(1.5) };
            let path = if tried { other_path } else { first_path };
            tried = true;
            match self.try_node(node, share, method, path, content_type, body) {
                Ok(answer) => return answer,
                // A write may wait for other nodes.
                Err(NodeFailure::NoAnswer(reason)) if kind == RequestKind::Write => failure = reason,
                // So may a search.
                Err(NodeFailure::NoAnswer(reason))
                    if self.answers_probe(node, until.saturating_duration_since(Instant::now()) / 3) =>
                {
                    failure = reason;
                }
                Err(NodeFailure::NoAnswer(reason) | NodeFailure::Broken(reason)) => {
                    if node.set_failed(Instant::now()) {
                        tracing::warn!(
                            node = node.address,
                            path,
                            reason,
                            "a node of the search cluster failed"
                        );
                    }
                    failure = reason;
                }
                Err(NodeFailure::Cluster(reason)) => failure = reason,
            }
        }
        self.unanswered.fetch_add(1, Ordering::Relaxed);
        Err(IndexError::Unavailable(failure))
    }

    /// The state of the nodes, as the requests have found them.
    pub(crate) fn node_counts(&self) -> NodeCounts {
        let now = Instant::now();
        let working = self.nodes.iter().filter(|node| node.health(now) == NodeHealth::Works).count();
        let unanswered = self.unanswered.load(Ordering::Relaxed);
        NodeCounts { working, failed: self.nodes.len() - working, unanswered }
    }

    /// Whether a node that failed works again.
    fn is_back(&self, node: &Node) -> bool {
        let is_back = self.answers_probe(node, PROBE_TIMEOUT.min(self.config.search_timeout));
        if is_back {
            tracing::info!(node = node.address, "a node of the search cluster works again");
        }
        is_back
    }

    /// Whether a node answers a short request, for which it needs no other node.
    fn answers_probe(&self, node: &Node, limit: Duration) -> bool {
        let path = "_cluster/health?local=true&filter_path=status";
        self.try_node(node, limit, &Method::GET, path, "application/json", None).is_ok()
    }

    /// Sends a search, and checks that every shard answered.
    pub(crate) fn search(&self, path: &str, body: &Value) -> Result<Value, IndexError> {
        self.search_in_turn((path, path), body)
    }

    /// Sends a search that the same copy of each shard answers each time. If it does not answer, the next node
    /// answers from its own copies as far as it has them, because the other nodes may hang.
    pub(crate) fn search_one_copy(
        &self,
        index: &str,
        preference: &str,
        body: &Value,
    ) -> Result<Value, IndexError> {
        let path = format!("{index}/_search");
        let paths = (format!("{path}?preference={preference}"), format!("{path}?preference=_local"));
        self.search_in_turn((&paths.0, &paths.1), body)
    }

    fn search_in_turn(&self, paths: (&str, &str), body: &Value) -> Result<Value, IndexError> {
        let body = serde_json::to_vec(body)?;
        let media_type = "application/json";
        let answer = self.send_in_turn(RequestKind::Search, &Method::POST, paths, media_type, Some(&body))?;
        let answer = answer.ok_or_else(|| IndexError::Unavailable("the index does not exist yet".into()))?;
        check_shards(&answer)?;
        Ok(answer)
    }

    /// Sends several searches of an index in one request. Returns their answers, after it has checked that
    /// every shard answered each.
    pub(crate) fn search_all(&self, index: &str, bodies: &[Value]) -> Result<Vec<Value>, IndexError> {
        let mut lines = Vec::new();
        for body in bodies {
            lines.extend_from_slice(b"{}\n");
            serde_json::to_writer(&mut lines, body)?;
            lines.push(b'\n');
        }
        let (path, media_type) = (format!("{index}/_msearch"), "application/x-ndjson");
        let mut answer =
            self.send_bytes(RequestKind::Search, &Method::POST, &path, media_type, Some(&lines))?;
        let answers = answer.as_mut().and_then(|answer| answer.get_mut("responses")).map(Value::take);
        let answers = match answers {
            Some(Value::Array(answers)) if answers.len() == bodies.len() => answers,
            _ => return Err(IndexError::Unavailable("some searches have no answer".into())),
        };
        answers.iter().try_for_each(|answer| check_error(answer).and_then(|()| check_shards(answer)))?;
        Ok(answers)
    }

    /// The answer of a node. An inner error is final. After an outer one, another node may answer.
    fn try_node(
        &self,
        node: &Node,
        limit: Duration,
        method: &Method,
        path: &str,
        content_type: &str,
        body: Option<&[u8]>,
    ) -> Result<Result<Option<Value>, IndexError>, NodeFailure> {
        let mut request =
            self.client.request(method.clone(), format!("{}/{path}", node.address)).timeout(limit);
        if let Some((name, password)) = &self.config.credentials {
            request = request.basic_auth(name, Some(password));
        }
        if let Some(body) = body {
            request = request.header("content-type", content_type).body(body.to_vec());
        }
        let response = request.send().map_err(|error| match error.is_timeout() && !error.is_connect() {
            true => NodeFailure::NoAnswer(describe(&error)),
            false => NodeFailure::Broken(describe(&error)),
        })?;
        let status = response.status();
        let mut bytes = Vec::new();
        let read = response.take(MAX_RESPONSE + 1).read_to_end(&mut bytes);
        read.map_err(|error| NodeFailure::Broken(format!("the response broke off: {error}")))?;
        if bytes.len() as u64 > MAX_RESPONSE {
            return Ok(Err(IndexError::Refused("the response is too large".into())));
        }
        if status == StatusCode::NOT_FOUND {
            return Ok(Ok(None));
        }
        if status.is_success() {
            return match serde_json::from_slice(&bytes) {
                Ok(answer) => Ok(Ok(Some(answer))),
                Err(error) => Err(NodeFailure::Broken(format!("the response is not JSON: {error}"))),
            };
        }
        let reason = format!("{status}: {}", truncate(&String::from_utf8_lossy(&bytes)));
        let passes = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
        match passes || status.is_server_error() {
            true => Err(NodeFailure::Cluster(reason)),
            false => Ok(Err(IndexError::Refused(reason))),
        }
    }
}

fn create_client(config: &ClusterConfig) -> Result<Client, IndexError> {
    let failed = |error: reqwest::Error| IndexError::Unavailable(describe(&error));
    let mut client = Client::builder().connect_timeout(CONNECT_TIMEOUT).no_proxy();
    if let Some(pem) = &config.certificates {
        client = client.tls_certs_merge(Certificate::from_pem_bundle(pem).map_err(failed)?);
    }
    client.build().map_err(failed)
}

/// Fails if one of several searches failed. The cluster answers the request as a whole with 200.
fn check_error(answer: &Value) -> Result<(), IndexError> {
    let Some(error) = answer.get("error") else { return Ok(()) };
    let status = answer["status"].as_u64().unwrap_or_default();
    let reason = format!("{status}: {}", truncate(&error.to_string()));
    match status {
        404 => Err(IndexError::Unavailable("the index does not exist yet".into())),
        400..500 if status != 429 => Err(IndexError::Refused(reason)),
        _ => Err(IndexError::Unavailable(reason)),
    }
}

/// Fails if a search did not reach every shard. The cluster answers such a search with 200.
fn check_shards(answer: &Value) -> Result<(), IndexError> {
    let failed = answer["_shards"]["failed"].as_u64();
    let timed_out = answer["timed_out"].as_bool().unwrap_or(false);
    match failed {
        Some(0) if !timed_out => Ok(()),
        _ => {
            let reason = truncate(&answer["_shards"]["failures"].to_string());
            Err(IndexError::Unavailable(format!("only a part of the index answered: {reason}")))
        }
    }
}

fn truncate(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_REASON).last().unwrap_or(0);
    if text.len() <= MAX_REASON { text.to_owned() } else { format!("{}…", &text[..end]) }
}

/// An error with its causes. The address is left out, because it may contain a password.
fn describe(error: &reqwest::Error) -> String {
    let mut text = if error.is_timeout() { "no answer in time".to_owned() } else { String::new() };
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(if text.is_empty() { "" } else { ": " });
        text.push_str(&error.to_string());
        cause = error.source();
    }
    if text.is_empty() { error.to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_of_some_shards_is_no_answer() {
        assert!(check_shards(&json!({"_shards": {"failed": 0}, "timed_out": false})).is_ok());
        for answer in [
            json!({"_shards": {"failed": 1}}),
            json!({"_shards": {"failed": 0}, "timed_out": true}),
            json!({}),
        ] {
            assert!(matches!(check_shards(&answer), Err(IndexError::Unavailable(_))), "{answer}");
        }
    }
}
