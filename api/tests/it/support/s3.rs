//! A server of the S3 protocol that keeps one bucket in memory: PUT, GET, HEAD and DELETE of objects,
//! and ListObjectsV2 with pages. It checks the content hash of each upload and the access key.

use axum::{
    Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use sha2::{Digest, Sha256};
use std::{
    collections::{BTreeMap, HashMap},
    process::Command,
    sync::{Arc, Mutex},
};
use tokio::sync::Notify;

/// The access key that the server accepts.
const ACCESS_KEY: &str = "test-key";
/// The number of objects on a page of a listing.
const PAGE: usize = 7;

/// The bucket. Clones share it.
#[derive(Clone, Default)]
pub struct Bucket {
    objects: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    /// Requests for objects whose names contain this text wait forever.
    stalled: Arc<Mutex<Option<String>>>,
    /// Requests for objects whose names contain this text are refused.
    refused: Arc<Mutex<Option<String>>>,
    reached: Arc<Notify>,
    endpoint: String,
}

impl Bucket {
    /// Starts a server with an empty bucket.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let bucket = Self { endpoint, ..Self::default() };
        let routes = Router::new().route("/bucket", any(list)).route("/bucket/{*key}", any(object));
        tokio::spawn(axum::serve(listener, routes.with_state(bucket.clone())).into_future());
        bucket
    }

    /// Adds the variables with which programs find the server.
    pub fn configure<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .env("AWS_ENDPOINT", &self.endpoint)
            .env("AWS_REGION", "test-1")
            .env("AWS_ACCESS_KEY_ID", ACCESS_KEY)
            .env("AWS_SECRET_ACCESS_KEY", "test-secret")
    }

    /// The names of all objects.
    pub fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }

    /// Changes the bytes of an object.
    pub fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        change(self.objects.lock().unwrap().get_mut(name).unwrap());
    }

    /// Removes an object.
    pub fn remove(&self, name: &str) {
        self.objects.lock().unwrap().remove(name).unwrap();
    }

    /// Lets requests for objects wait if their names contain this text.
    pub fn stall(&self, part: Option<&str>) {
        *self.stalled.lock().unwrap() = part.map(str::to_owned);
    }

    /// Refuses requests for objects if their names contain this text.
    pub fn refuse(&self, part: Option<&str>) {
        *self.refused.lock().unwrap() = part.map(str::to_owned);
    }

    /// Waits until a request waits.
    pub async fn wait_until_stalled(&self) {
        let reached = self.reached.notified();
        tokio::time::timeout(std::time::Duration::from_secs(60), reached).await.unwrap();
    }
}

fn is_signed(headers: &HeaderMap) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.starts_with(&format!("AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/"))
        && given.contains("Signature=")
        && headers.contains_key("x-amz-date")
}

async fn object(
    State(bucket): State<Bucket>,
    method: Method,
    Path(key): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !is_signed(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if bucket.refused.lock().unwrap().as_ref().is_some_and(|part| key.contains(part)) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let waits = bucket.stalled.lock().unwrap().as_ref().is_some_and(|part| key.contains(part));
    if waits {
        bucket.reached.notify_one();
        std::future::pending::<()>().await;
    }
    let mut objects = bucket.objects.lock().unwrap();
    match method {
        Method::PUT => {
            let hash = hex::encode(Sha256::digest(&body));
            if headers.get("x-amz-content-sha256").unwrap() != hash.as_str() {
                return StatusCode::BAD_REQUEST.into_response();
            }
            objects.insert(key, body.to_vec());
            [(header::ETAG, format!("\"{hash}\""))].into_response()
        }
        Method::GET | Method::HEAD => match objects.get(&key) {
            Some(bytes) => {
                let etag = format!("\"{}\"", hex::encode(Sha256::digest(bytes)));
                let modified = "Fri, 20 Nov 2026 06:30:00 GMT".to_owned();
                ([(header::ETAG, etag), (header::LAST_MODIFIED, modified)], bytes.clone()).into_response()
            }
            None => {
                let xml = "<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>";
                (StatusCode::NOT_FOUND, xml).into_response()
            }
        },
        Method::DELETE => {
            objects.remove(&key);
            StatusCode::NO_CONTENT.into_response()
        }
        _ => StatusCode::METHOD_NOT_ALLOWED.into_response(),
    }
}

async fn list(
    State(bucket): State<Bucket>,
    Query(query): Query<HashMap<String, String>>,
    headers: HeaderMap,
) -> Response {
    if !is_signed(&headers) || query.get("list-type").map(String::as_str) != Some("2") {
        return StatusCode::FORBIDDEN.into_response();
    }
    let prefix = query.get("prefix").map_or("", String::as_str);
    let after = query.get("continuation-token").map_or("", String::as_str);
    let objects = bucket.objects.lock().unwrap();
    let found: Vec<_> =
        objects.iter().filter(|(name, _)| name.starts_with(prefix) && name.as_str() > after).collect();
    let page = &found[..found.len().min(PAGE)];
    let mut xml = String::from("<ListBucketResult>");
    let is_truncated = found.len() > page.len();
    xml += &format!("<Name>bucket</Name><IsTruncated>{is_truncated}</IsTruncated>");
    if let (true, Some((last, _))) = (is_truncated, page.last()) {
        xml += &format!("<NextContinuationToken>{last}</NextContinuationToken>");
    }
    for (name, bytes) in page {
        xml += &format!(
            "<Contents><Key>{name}</Key><LastModified>2026-11-20T06:30:00.000Z</LastModified><ETag>\"x\"</ETag><Size>{}</Size></Contents>",
            bytes.len()
        );
    }
    xml += "</ListBucketResult>";
    ([(header::CONTENT_TYPE, "application/xml")], xml).into_response()
}
