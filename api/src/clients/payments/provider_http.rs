//! Calls to a provider: bounded in time and size, never redirected, and answered as JSON or as a failure whose words hold nothing of
//! the answer but its status and code.

use anyhow::Context;
use reqwest::{Client, RequestBuilder, redirect};
use serde_json::Value;
use std::time::Duration;

/// How long a provider may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const LARGEST: usize = 256 * 1024;

/// Why a provider did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// No answer, or none within the time.
    #[error("it does not answer: {0}")]
    Unreachable(String),
    /// It says no.
    #[error("it answers {status} {code}")]
    Refused {
        /// HTTP's.
        status: u16,
        /// Its own, where it gives one.
        code: String,
    },
    /// An answer that its documentation does not know.
    #[error("its answer cannot be read: {0}")]
    Garbled(&'static str),
    /// What the sandbox keeps can't be read or written.
    #[error("the database fails: {0}")]
    Database(#[from] sqlx::Error),
}

impl ProviderError {
    /// Whether it would say the same again.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Refused { status: 400..=428 | 430..=499, .. })
    }
}

pub(super) fn client() -> anyhow::Result<Client> {
    let client = Client::builder().timeout(PATIENCE).redirect(redirect::Policy::none()).build();
    client.context("making the HTTP client for payments")
}

/// Sends it and reads the answer.
pub(super) async fn send(request: RequestBuilder) -> Result<Value, ProviderError> {
    // The address may hold a session's name.
    let unreachable = |error: reqwest::Error| ProviderError::Unreachable(error.without_url().to_string());
    let mut response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > LARGEST {
            return Err(ProviderError::Garbled("it is too long"));
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
    json.map_err(|_| ProviderError::Garbled("it is no JSON"))
}
