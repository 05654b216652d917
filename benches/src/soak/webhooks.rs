//! The receiver of webhooks. It records each call before it responds. Some calls get no response,
//! as if the connection had been lost.

use super::{
    ledger::{Micros, now},
    receiver::{self, ReceivedRequest, ReceiverAnswer},
};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// One of this many calls gets no response, unless it repeats a call: the portal waits longer after each
/// further failure, and the soak waits for it at the end.
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
    let calls = ReceivedCalls::default();
    let own = Arc::clone(&calls);
    let address = receiver::start(move |request| take_call(request, &own)).await?;
    Ok((address, calls))
}

fn take_call(request: ReceivedRequest, calls: &Mutex<Vec<WebhookCall>>) -> Result<ReceiverAnswer> {
    let id = request.headers.get("webhook-id").context("a call without id")?.clone();
    let mut calls = calls.lock().unwrap_or_else(PoisonError::into_inner);
    let is_lost = (calls.len() + 1).is_multiple_of(LOST_EVERY) && calls.iter().all(|call| call.id != id);
    calls.push(WebhookCall { at: now(), id, body: request.body });
    Ok(if is_lost { ReceiverAnswer::Nothing } else { ReceiverAnswer::Status(204) })
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
