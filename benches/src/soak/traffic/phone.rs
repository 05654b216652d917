//! The telephone of a user, which is confirmed with a code that comes by SMS.

use super::account::{Account, PATIENCE, POLL_INTERVAL};
use crate::soak::{
    client::{Repetition, Request, WriteRequest},
    ledger::WriteKind,
    sms::ReceivedSms,
};
use anyhow::Result;
use rand::Rng;
use serde_json::json;
use std::{sync::PoisonError, time::Instant};
use tokio::time;

/// Sets a telephone number and confirms it. Returns whether the number is confirmed.
pub(super) async fn confirm_number(account: &mut Account) -> Result<bool> {
    let number = format!("+9477{:07}", account.random.random_range(0..10_000_000));
    let key = format!("phone/{}", account.email);
    let wanted = WriteRequest {
        kind: WriteKind::SetPhone,
        key: key.clone(),
        value: Some(json!({"number": number, "isConfirmed": false})),
        request: Request::put("/api/channels/phone", json!({"number": number})),
        // Each request sends a code.
        repetition: Repetition::Unsafe,
    };
    if !account.write_permitted(wanted).await?.is_accepted() {
        return Ok(false);
    }
    let Some(code) = wait_for_code(account, &number).await else { return Ok(false) };
    let wanted = WriteRequest {
        kind: WriteKind::ConfirmPhone,
        key,
        value: Some(json!({"number": number, "isConfirmed": true})),
        request: Request::post("/api/channels/phone/confirm", json!({"code": code})),
        // A code is valid once, so a repetition changes nothing.
        repetition: Repetition::Safe,
    };
    Ok(account.write_permitted(wanted).await?.is_accepted())
}

async fn wait_for_code(account: &Account, number: &str) -> Option<String> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE && !account.world.is_stopping() {
        let code = {
            let messages = account.world.sms.lock().unwrap_or_else(PoisonError::into_inner);
            messages.iter().filter(|sms| sms.to == number).find_map(ReceivedSms::code).map(str::to_owned)
        };
        if code.is_some() {
            return code;
        }
        time::sleep(POLL_INTERVAL).await;
    }
    None
}
