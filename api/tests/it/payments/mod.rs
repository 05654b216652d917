//! Subscriptions with the sandbox provider. This module has what several of these tests need.

mod checkouts;
mod events;
mod invoices;
mod plan_changes;
mod renewals;

use crate::support::{Client, Reply, TestPortal};
use api::{
    clients::payments::Provider,
    domain::{
        money::Cents,
        payment::{Charge, PaymentEvent, PaymentEventKind},
    },
};
use axum::http::Method;
use jiff::Timestamp;
use uuid::Uuid;

async fn verify_session(user: &Client, session: &str) -> Reply {
    user.get(&format!("/subscriptions/verify-session/{session}")).await
}

async fn is_true(portal: &TestPortal, condition: &'static str) -> bool {
    sqlx::query_scalar(condition).fetch_one(&portal.state.db).await.unwrap()
}

/// Sends a sandbox event. Its signature states the time `at`.
pub async fn send_event(portal: &TestPortal, event: &PaymentEvent, at: Timestamp) -> Reply {
    send_signed(portal, serde_json::to_vec(event).unwrap(), at).await
}

/// Sends a signed body as a webhook of the sandbox. Its signature states the time `at`.
pub async fn send_signed(portal: &TestPortal, body: Vec<u8>, at: Timestamp) -> Reply {
    let Some(Provider::Sandbox(sandbox)) = portal.state.payments.as_deref() else { panic!("no sandbox") };
    let signature = sandbox.sign_webhook(&body, at)["sandbox-signature"].clone();
    let guest = portal.guest();
    let request = guest.request(Method::POST, "/webhooks/sandbox").header("sandbox-signature", signature);
    guest.send(request.body(body), Method::POST, "/webhooks/sandbox").await
}

/// Returns a sandbox event for a first payment or a renewal.
pub fn charge_event(
    portal: &TestPortal,
    id: &str,
    checkout: Uuid,
    amount: i64,
    currency: &str,
    is_first: bool,
) -> PaymentEvent {
    let charge =
        Charge { reference: format!("charge-{id}"), amount: Cents(amount), currency: currency.into() };
    let kind = if is_first {
        PaymentEventKind::Paid { charge, agreement: Some(format!("agreement-{checkout}")) }
    } else {
        PaymentEventKind::Renewed { charge }
    };
    PaymentEvent { id: id.into(), at: portal.state.clock.now(), checkout, kind }
}

/// Returns the id of the latest checkout.
pub async fn last_checkout(portal: &TestPortal) -> Uuid {
    let newest = "select id from checkout order by created_at desc, id desc limit 1";
    sqlx::query_scalar(newest).fetch_one(&portal.state.db).await.unwrap()
}
