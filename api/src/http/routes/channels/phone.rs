//! PUT and DELETE /channels/phone: a number, which counts once the code that is sent there was entered.

use super::permit;
use crate::{
    app::state::AppState,
    base::{i18n::mail_words::Words, secret::secret_hash},
    domain::{
        channel::{Channel, DirectChannel},
        error::{FieldError, ServiceError},
        phone_number::PhoneNumber,
    },
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    storage::{
        deliveries::{self, SealedMessage},
        phones, users,
    },
};
use axum::extract::State;
use jiff::SignedDuration;
use serde::Deserialize;
use utoipa::ToSchema;

/// How long a code is good.
const CODE: SignedDuration = SignedDuration::from_mins(10);
/// The most codes a day, for a user and for a number.
const MOST_CODES: i64 = 5;

/// A telephone that alerts are to go to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PhoneForm)]
pub struct Form {
    /// A mobile number, with its country's code or as it is said in Sri Lanka.
    #[schema(max_length = 40)]
    number: String,
}

/// Enter a telephone
///
/// A code of six digits is sent there. Another number than before gets nothing until the code was entered.
#[utoipa::path(put, path = "/channels/phone", tag = "channels", operation_id = "putPhone", request_body = Form, security(("session" = [])), responses(
    (status = 200, description = "A code is on its way", body = Envelope<Empty>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan sends alerts by mail alone", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "It is no mobile number, or the portal sends no such messages", body = FailureBody),
    (status = 429, description = "Too many codes today", body = FailureBody),
))]
pub async fn put_phone(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<Form>,
) -> Answer<Empty> {
    permit(&state, &caller).await?;
    let fault = |message: &'static str| ServiceError::Invalid(vec![FieldError::new("number", message)]);
    let number: PhoneNumber = form.number.parse().map_err(fault)?;
    let channel = state.channels().into_iter().find(|channel| *channel != DirectChannel::Webhook);
    let channel = channel.ok_or_else(|| fault("The portal sends no such messages"))?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    users::lock(&mut tx, caller.id).await?;
    let day_ago = now.saturating_sub(SignedDuration::from_hours(24)).map_err(anyhow::Error::from)?;
    if phones::codes_since(&mut *tx, caller.id, number.as_str(), day_ago).await? >= MOST_CODES {
        return Err(ServiceError::RateLimited { retry_after_seconds: 24 * 60 * 60 });
    }
    let code = state.random.digits(6);
    let until = now.saturating_add(CODE).map_err(anyhow::Error::from)?;
    phones::put(&mut *tx, caller.id, number.as_str(), (&secret_hash(&code), until)).await?;
    let id = state.random.id(&state.clock);
    let address = format!("{}:{number}", channel.as_str());
    let sealed =
        SealedMessage { id, user_id: Some(caller.id), channel: Channel::Direct(channel), address: &address };
    let text = Words::of(caller.language).phone.code.with(&[("code", &code)]);
    deliveries::insert_sealed(&mut tx, &sealed, &id.simple().to_string(), text.as_bytes(), now).await?;
    tx.commit().await?;
    Ok(Envelope::saying("A code is on its way to your telephone", Empty {}))
}

/// Forget the telephone
#[utoipa::path(delete, path = "/channels/phone", tag = "channels", operation_id = "deletePhone", security(("session" = [])), responses(
    (status = 200, description = "Nothing goes there any more", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "There is none", body = FailureBody),
))]
pub async fn delete_phone(State(state): State<AppState>, caller: CurrentUser) -> Answer<Empty> {
    match phones::remove(&state.db, caller.id).await? {
        true => Ok(Envelope::saying("Telephone removed", Empty {})),
        false => Err(ServiceError::NotFound("Telephone")),
    }
}
