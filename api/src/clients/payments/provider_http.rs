//! Requests to payment providers: bounded in time and size, without redirects. The error for a
//! refused request contains only the status and the code of the response.

use anyhow::Context;
use reqwest::{Client, RequestBuilder, redirect};
use serde_json::Value;
use std::time::Duration;

/// The timeout of a request to a provider.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response, in bytes.
const MAX_RESPONSE_BYTES: usize = 256 * 1024;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The connection failed, or there was no complete response in time.
    #[error("no response: {0}")]
    Unreachable(String),
    /// The response has an error status.
    #[error("response status {status} {code}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's error code, if it sent one.
        code: String,
    },
    /// The response does not match the provider's documentation.
    #[error("invalid response: {0}")]
    InvalidResponse(&'static str),
    /// The sandbox's database failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl ProviderError {
    /// Whether the provider refuses the request itself, so that a retry would fail too.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Refused { status: 400..=428 | 430..=499, .. })
    }
}

pub(super) fn client() -> anyhow::Result<Client> {
    let client = Client::builder().timeout(REQUEST_TIMEOUT).redirect(redirect::Policy::none()).build();
    client.context("creating the HTTP client for payments")
}

/// Sends a request and parses the JSON response.
pub(super) async fn send(request: RequestBuilder) -> Result<Value, ProviderError> {
    // The URL is omitted because it may contain a session id.
    let unreachable = |error: reqwest::Error| ProviderError::Unreachable(error.without_url().to_string());
    let mut response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_RESPONSE_BYTES {
            return Err(ProviderError::InvalidResponse("it is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    let json = serde_json::from_slice::<Value>(&body);
    if !status.is_success() {
        let json = json.unwrap_or_default();
        let code = json["error"]["code"].as_str().or_else(|| json["error"]["type"].as_str());
        let code = code.or_else(|| json["error"].as_str()).unwrap_or_default();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        let code = code.chars().filter(is_plain).take(60).collect();
        return Err(ProviderError::Refused { status: status.as_u16(), code });
    }
    json.map_err(|_| ProviderError::InvalidResponse("it is not valid JSON"))
}
