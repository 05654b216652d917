//! The receiver of webhooks. It records each call before it responds. Some calls get no response,
//! as if the connection had been lost.

use super::ledger::{Micros, now};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// One of this many calls gets no response.
const LOST_EVERY: usize = 40;

/// A call of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookCall {
    /// When it was received.
    pub at: Micros,
    /// The header `webhook-id`.
    pub id: String,
    /// The body.
    pub body: String,
}

/// The calls so far.
pub(super) type ReceivedCalls = Arc<Mutex<Vec<WebhookCall>>>;

/// Starts the receiver. Returns its address.
pub(super) async fn start() -> Result<(SocketAddr, ReceivedCalls)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, calls) = (listener.local_addr()?, ReceivedCalls::default());
    let own = Arc::clone(&calls);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let calls = Arc::clone(&own);
            tokio::spawn(async move { serve(stream, &calls).await.ok() });
        }
    });
    Ok((address, calls))
}

async fn serve(stream: TcpStream, calls: &Mutex<Vec<WebhookCall>>) -> Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let mut headers = BTreeMap::new();
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        loop {
            line.clear();
            stream.read_line(&mut line).await?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok());
        let mut body = vec![0; length.context("a call without length")?];
        stream.read_exact(&mut body).await?;
        let call = WebhookCall {
            at: now(),
            id: headers.get("webhook-id").context("a call without id")?.clone(),
            body: String::from_utf8(body)?,
        };
        let count = {
            let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
            calls.push(call);
            calls.len()
        };
        if count.is_multiple_of(LOST_EVERY) {
            return Ok(());
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?;
    }
}

impl WebhookCall {
    /// Returns the alerts and new tenders of the call, both named by their markers.
    pub(super) fn new_tenders(&self) -> Vec<(String, String)> {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let mut items = Vec::new();
        for item in body["items"].as_array().into_iter().flatten().filter(|item| item["event"] == "new") {
            let title = item["tender"]["title"].as_str().unwrap_or_default();
            let Some(tender) = super::words::marker_of_title(title) else { continue };
            for alert in item["alerts"].as_array().into_iter().flatten() {
                items.push((alert["name"].as_str().unwrap_or_default().to_owned(), tender.to_owned()));
            }
        }
        items
    }

    /// Whether the call leaves out tenders, because it has too many.
    pub(super) fn leaves_out_tenders(&self) -> bool {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["more"].as_u64().is_some_and(|more| more > 0)
    }
}
