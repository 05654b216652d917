//! An HTTP client for API requests. It checks responses against the OpenAPI document, except those
//! to [`Client::get_unchecked`].

use super::{document, translations};
use axum::http::{HeaderMap, Method, StatusCode, header};
use serde_json::Value;
use std::{net::SocketAddr, time::Duration};

/// A client of one portal, with or without credentials.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    token: Option<String>,
    cookie: Option<String>,
}

/// A response with its whole body.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Client {
    /// Creates a client without credentials.
    pub fn new(address: SocketAddr) -> Self {
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        Self { http, base: format!("http://{address}"), token: None, cookie: None }
    }

    /// Returns a copy of this client for another portal.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { base: format!("http://{address}"), ..self.clone() }
    }

    /// Returns a copy of this client that sends a bearer token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Returns a copy of this client that sends a cookie, given as `name=value`.
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self { cookie: Some(cookie.to_owned()), ..self.clone() }
    }

    /// Sends a GET request below /api.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path), Method::GET, path).await
    }

    /// Sends a POST request with JSON below /api.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body), Method::POST, path).await
    }

    /// Sends a PUT request with JSON below /api.
    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::PUT, path).json(body), Method::PUT, path).await
    }

    /// Sends a DELETE request below /api.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send(self.request(Method::DELETE, path), Method::DELETE, path).await
    }

    /// Builds a request below /api for [`Client::send`].
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

    /// Sends a request. Checks the response against the OpenAPI document, and its error messages
    /// for translations.
    pub async fn send(&self, request: reqwest::RequestBuilder, method: Method, path: &str) -> Reply {
        let reply = Reply::read(request.send().await.unwrap()).await;
        document::assert_declared(&method, path.split('?').next().unwrap(), &reply);
        translations::assert_translated(path, &reply);
        reply
    }

    /// Sends a GET request without credentials to any path and does not check the response.
    pub async fn get_unchecked(&self, path: &str) -> Reply {
        Reply::read(self.http.get(format!("{}{path}", self.base)).send().await.unwrap()).await
    }
}

impl Reply {
    async fn read(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        Self { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// Returns the body as JSON, or null if it is not valid JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or(Value::Null)
    }

    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Returns the body as JSON. Fails unless the response has this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self.json()
    }

    /// Returns the error message. Fails unless the response has this status.
    #[track_caller]
    pub fn expect_error(&self, status: u16) -> String {
        let body = self.expect(status);
        assert_eq!(body["success"], false, "{body}");
        body["message"].as_str().unwrap().to_owned()
    }

    /// Returns a header's value, or an empty text if the header is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}
