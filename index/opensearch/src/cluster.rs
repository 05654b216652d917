//! [`Cluster`]: requests to the nodes of a cluster. Requests are bounded in time. A node that fails
//! is left out for a while, and reads are repeated on another node.

use index::IndexError;
use reqwest::{Method, StatusCode, blocking::Client};
use serde_json::Value;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// For how long a node that failed is asked only if no other node is left.
const PENALTY: Duration = Duration::from_secs(5);
/// The maximum time to connect to a node.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(1500);
/// The maximum length of a message of the cluster in an error, in bytes.
const MAX_REASON: usize = 400;
/// The maximum size of a response, in bytes.
const MAX_RESPONSE: usize = 64 << 20;

/// How to reach a cluster, and the index in it.
#[derive(Debug, Clone)]
pub struct ClusterConfig {
    /// The addresses of some or all nodes, without a path. Never empty.
    pub nodes: Vec<String>,
    /// The name of the portal's index.
    pub index: String,
    /// User name and password, if the cluster asks for them.
    pub credentials: Option<(String, String)>,
    /// The number of shards of a new index.
    pub shards: u32,
    /// The number of copies of each shard of a new index, besides the first.
    pub replicas: u32,
    /// The maximum time of a search.
    pub search_timeout: Duration,
    /// The maximum time of a write.
    pub write_timeout: Duration,
}

/// The kind of a request. It decides the time limit, and whether another node is asked after a failure.
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
}

struct Node {
    address: String,
    /// The time until which the node is left out.
    failed_until: Mutex<Option<Instant>>,
}

impl Cluster {
    pub(crate) fn new(config: ClusterConfig) -> Result<Self, IndexError> {
        let client = Client::builder().connect_timeout(CONNECT_TIMEOUT).no_proxy().build();
        let client = client.map_err(|error| IndexError::Unavailable(describe(&error)))?;
        let node = |address: &String| Node {
            address: address.trim_end_matches('/').to_owned(),
            failed_until: Mutex::new(None),
        };
        let nodes = config.nodes.iter().map(node).collect();
        Ok(Self { client, nodes, next: AtomicUsize::new(0), config })
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
        let limit = match kind {
            RequestKind::Search => self.config.search_timeout,
            RequestKind::Write => self.config.write_timeout,
        };
        let until = Instant::now() + limit;
        let mut failure = "no node is configured".to_owned();
        for node in self.nodes_in_turn() {
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
            else {
                break;
            };
            // A search must leave time for another node.
            let share =
                if kind == RequestKind::Search && self.nodes.len() > 1 { left.div_f32(1.5) } else { left };
            match self.try_node(node, share, method, path, content_type, body) {
                Ok(answer) => {
                    node.mark(None);
                    return answer;
                }
                Err(reason) => {
                    tracing::warn!(node = node.address, path, reason, "a node of the search cluster failed");
                    node.mark(Some(Instant::now() + PENALTY));
                    failure = reason;
                }
            }
        }
        Err(IndexError::Unavailable(failure))
    }

    /// Sends a search, and checks that every shard answered.
    pub(crate) fn search(&self, path: &str, body: &Value) -> Result<Value, IndexError> {
        let answer = self.send(RequestKind::Search, &Method::POST, path, Some(body))?;
        let answer = answer.ok_or_else(|| IndexError::Unavailable("the index does not exist yet".into()))?;
        check_shards(&answer)?;
        Ok(answer)
    }

    /// The answer of a node. An inner error is final. An outer one is a failure of the node.
    fn try_node(
        &self,
        node: &Node,
        limit: Duration,
        method: &Method,
        path: &str,
        content_type: &str,
        body: Option<&[u8]>,
    ) -> Result<Result<Option<Value>, IndexError>, String> {
        let mut request =
            self.client.request(method.clone(), format!("{}/{path}", node.address)).timeout(limit);
        if let Some((name, password)) = &self.config.credentials {
            request = request.basic_auth(name, Some(password));
        }
        if let Some(body) = body {
            request = request.header("content-type", content_type).body(body.to_vec());
        }
        let response = request.send().map_err(|error| describe(&error))?;
        let status = response.status();
        if response.content_length().is_some_and(|length| length > MAX_RESPONSE as u64) {
            return Ok(Err(IndexError::Refused("the response is too large".into())));
        }
        let bytes = response.bytes().map_err(|error| describe(&error))?;
        if status == StatusCode::NOT_FOUND {
            return Ok(Ok(None));
        }
        if status.is_success() {
            return serde_json::from_slice(&bytes)
                .map(|answer| Ok(Some(answer)))
                .map_err(|error| error.to_string());
        }
        let reason = format!("{status}: {}", truncate(&String::from_utf8_lossy(&bytes)));
        if status.is_server_error()
            || status == StatusCode::TOO_MANY_REQUESTS
            || status == StatusCode::REQUEST_TIMEOUT
        {
            return Err(reason);
        }
        Ok(Err(IndexError::Refused(reason)))
    }

    /// The nodes in the order in which they are asked: each time another first, and failed ones last.
    fn nodes_in_turn(&self) -> Vec<&Node> {
        let first = self.next.fetch_add(1, Ordering::Relaxed) % self.nodes.len().max(1);
        let (before, after) = self.nodes.split_at(first);
        let mut nodes: Vec<&Node> = after.iter().chain(before).collect();
        let now = Instant::now();
        nodes.sort_by_key(|node| node.has_failed(now));
        nodes
    }
}

impl Node {
    fn mark(&self, failed_until: Option<Instant>) {
        *self.failed_until.lock().unwrap_or_else(PoisonError::into_inner) = failed_until;
    }

    fn has_failed(&self, now: Instant) -> bool {
        self.failed_until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|until| until > now)
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
