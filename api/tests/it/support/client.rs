//! An HTTP client that checks every response under /api against the contract.

use super::{document, words};
use axum::http::{HeaderMap, Method, StatusCode, header};
use serde_json::Value;
use std::{net::SocketAddr, time::Duration};

/// An HTTP client.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
    cookie: Option<String>,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub bytes: Vec<u8>,
}

impl Client {
    /// Creates a guest's client.
    pub fn new(address: SocketAddr) -> Self {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        Self { http, base: format!("http://{address}"), token: None, cookie: None }
    }

    /// The same client with a bearer token.
    pub fn bearing(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The same client with a cookie, as `name=value`.
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self { cookie: Some(cookie.to_owned()), ..self.clone() }
    }

    /// GET under /api.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path), Method::GET, path).await
    }

    /// POST with JSON under /api.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body), Method::POST, path).await
    }

    /// PUT with JSON under /api.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PUT, path).json(body), Method::PUT, path).await
    }

    /// DELETE under /api.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path), Method::DELETE, path).await
    }

    /// Starts a request under /api for [`Client::send`].
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}/api{path}", self.base));
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    /// Sends a request and checks the response against the contract.
    pub async fn send(&self, request: reqwest::RequestBuilder, method: Method, path: &str) -> Reply {
        let reply = Reply::read(request.send().await.unwrap()).await;
        document::hold(&method, path.split('?').next().unwrap(), &reply);
        words::hold(path, &reply);
        reply
    }

    /// GET of any path, without the check.
    pub async fn outside(&self, path: &str) -> Reply {
        Reply::read(self.http.get(format!("{}{path}", self.base)).send().await.unwrap()).await
    }
}

impl Reply {
    async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the JSON body, if it has this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self.json()
    }

    /// Returns the failure's message, if it has this status.
    #[track_caller]
    pub fn refused(&self, status: u16) -> String {
        let body = self.expect(status);
        assert_eq!(body["success"], false, "{body}");
        body["message"].as_str().unwrap().to_owned()
    }

    /// A header's value, or empty.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
